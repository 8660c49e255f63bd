/** Which papers to take for a benchmark: a draw with quotas. */
import { Type } from 'typebox'
import type { App } from '../../shared/app/service.ts'
import { Domain } from '../../shared/contracts/domain.ts'
import { PaperId } from '../../shared/contracts/ids.ts'
import type { Parts } from './handlers/parts.ts'
import { candidatesMax, samplePapers } from './handlers/sample-papers.ts'

const closed = { additionalProperties: false }
const quota = Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000 }))
const Quotas = Type.Object({ medical: quota, natural: quota, engineering: quota, other: quota }, {
  ...closed, minProperties: 1, examples: [{ medical: 20, natural: 20, engineering: 20 }]
})

export function sampleRoute (app: App, parts: Parts): void {
  app.post('/v1/samples', {
    schema: {
      tags: ['parsing'],
      operationId: 'samplePapers',
      summary: 'Draw papers with a quota for each domain; nothing is stored',
      description: 'From all papers parsed here, or from those named. The same papers, quotas and seed give the same draw; a further paper takes the place of one other at most. What a quota lacks is in missing.',
      body: Type.Object({
        quotas: Quotas,
        seed: Type.Integer({ minimum: 0, maximum: 2 ** 31 - 1 }),
        figuresMin: Type.Integer({ minimum: 0, maximum: 1_000, default: 0, description: 'Only papers with at least so many figures: 2 where each is to give two questions on figures.' }),
        paperIds: Type.Optional(Type.Array(PaperId, { maxItems: candidatesMax }))
      }, closed),
      response: {
        200: Type.Object({
          papers: Type.Array(Type.Object({
            paperId: PaperId, domain: Domain, figures: Type.Integer({ minimum: 0 })
          }, closed)),
          missing: Type.Object({ medical: quota, natural: quota, engineering: quota, other: quota }, closed),
          candidates: Type.Integer({ minimum: 0, description: 'Papers that were drawn from.' })
        }, { $id: 'PaperSample', ...closed })
      }
    }
  }, async ({ body }) => await samplePapers(parts, body))
}
