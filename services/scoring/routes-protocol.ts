/** The parts of the evaluation protocol that make runs: matrices of conditions. */
import type { App } from '../../shared/app/service.ts'
import { RunMatrix, RunMatrixRequest } from '../../shared/contracts/run-matrix.ts'
import { openMatrix } from './handlers/open-matrix.ts'
import type { Parts } from './handlers/parts.ts'

export function protocolRoutes (app: App, parts: Parts): void {
  app.post('/v1/run-matrices', {
    schema: {
      tags: ['scoring'],
      operationId: 'openRunMatrix',
      summary: 'Put a benchmark to a model under every combination of some conditions',
      description: 'Opens ordinary runs, at most 64, and answers their ids: 202 where any is new, 200 after that. POST /v1/analyses/factorial reads them when they are settled.',
      body: RunMatrixRequest,
      response: { 200: RunMatrix, 202: RunMatrix }
    }
  }, async ({ body }, reply) => {
    const { created, matrix } = await openMatrix(parts, body as RunMatrixRequest)
    return await reply.code(created ? 202 : 200).send(matrix)
  })
}
