/** Runs and judgements in the shape of K-MetBench's files. A route is a schema and one call. */
import { Type } from 'typebox'
import { fileResponse } from '../../shared/app/file-response.ts'
import type { App } from '../../shared/app/service.ts'
import { JudgementId, RunId } from '../../shared/contracts/ids.ts'
import type { GridParts } from './handlers/scored-grids.ts'
import type { JudgementParts } from './judging/handlers/parts.ts'
import { judgementAsKmetbench } from './kmetbench/export-judgement.ts'
import { runAsKmetbench } from './kmetbench/export-run.ts'

const tags = ['scoring']

export function kmetbenchRunRoutes (app: App, parts: GridParts): void {
  app.get('/v1/runs/:runId/kmetbench.json', {
    schema: {
      tags,
      operationId: 'getRunAsKmetbench',
      summary: 'A run as K-MetBench\'s run file: replies, answers counted from 1, metrics',
      description: 'Yes/no and multiple-choice questions alone. A slice without items is null and not 0.0; what ended in error is left out and counted in notes. POST /v1/run-imports reads it back to the same scores.',
      params: Type.Object({ runId: RunId }),
      response: { 200: fileResponse('application/json') }
    }
  }, async ({ params }, reply) => {
    const file = await runAsKmetbench(parts, params.runId)
    return await reply.type('application/json; charset=utf-8')
      .header('content-disposition', `attachment; filename="${params.runId}-kmetbench.json"`).send(file as never)
  })
}

export function kmetbenchJudgementRoutes (app: App, parts: JudgementParts): void {
  app.get('/v1/judgements/:judgementId/kmetbench.json', {
    schema: {
      tags,
      operationId: 'getJudgementAsKmetbench',
      summary: 'What one judge gave one run as K-MetBench\'s judge file: four axes, totals from 4 to 20, means',
      description: 'Of judgements by the rubric kmetbench. A judgement that failed has null and is in no mean. POST /v1/run-imports reads it back to the same mean.',
      params: Type.Object({ judgementId: JudgementId }),
      querystring: Type.Object({
        runId: Type.Optional(RunId),
        judge: Type.Optional(Type.String({ maxLength: 300 })),
        repeat: Type.Integer({ minimum: 0, maximum: 9, default: 0 })
      }),
      response: { 200: fileResponse('application/json') }
    }
  }, async ({ params, query }, reply) => {
    const file = await judgementAsKmetbench(parts, params.judgementId, query)
    return await reply.type('application/json; charset=utf-8')
      .header('content-disposition', `attachment; filename="${params.judgementId}-kmetbench.json"`).send(file as never)
  })
}
