/** What others may ask about differences between runs. */
import { Type } from 'typebox'
import { callerSignal } from '../../shared/app/caller-signal.ts'
import { fileResponse } from '../../shared/app/file-response.ts'
import type { App } from '../../shared/app/service.ts'
import { Comparison, ComparisonRequest } from '../../shared/contracts/comparison.ts'
import { ComparisonId } from '../../shared/contracts/ids.ts'
import { compareRuns, getComparison, readComparison, type CompareParts, type ComparisonForm } from './handlers/compare-runs.ts'

const tags = ['scoring']
const OfComparison = Type.Object({ comparisonId: ComparisonId })

export function compareRoutes (app: App, parts: CompareParts): void {
  app.post('/v1/comparisons', {
    schema: {
      tags,
      operationId: 'compareRuns',
      summary: 'Set 2 to 50 runs of a benchmark against each other, item by item',
      description: 'Paired differences on the items both have, with intervals and tests over papers, adjusted for being many; discordant items; errors in groups. The same replies give the same comparison: 201 the first time, 200 after that.',
      body: ComparisonRequest,
      response: { 200: Comparison, 201: Comparison }
    }
  }, async ({ body }, reply) => {
    const { created, comparison } = await compareRuns(parts, body, callerSignal(reply))
    return await reply.code(created ? 201 : 200).header('location', `/v1/comparisons/${comparison.id}`).send(comparison)
  })

  app.get('/v1/comparisons/:comparisonId', {
    schema: { tags, operationId: 'getComparison', summary: 'A comparison as it was made', params: OfComparison, response: { 200: Comparison } }
  }, async ({ params }) => await getComparison(parts, params.comparisonId))

  comparisonFiles(app, parts)
}

const forms: ReadonlyArray<{ form: ComparisonForm, type: string, operationId: string, summary: string }> = [
  { form: 'csv', type: 'text/csv', operationId: 'getComparisonCsv', summary: 'Every difference as a row' },
  { form: 'md', type: 'text/markdown', operationId: 'getComparisonMarkdown', summary: 'The comparison as Markdown' },
  { form: 'tex', type: 'application/x-tex', operationId: 'getComparisonLatex', summary: 'The differences as a LaTeX table (booktabs)' }
]

function comparisonFiles (app: App, parts: CompareParts): void {
  app.get('/v1/comparisons/:comparisonId.json', {
    schema: {
      tags,
      operationId: 'getComparisonJson',
      summary: 'The comparison as a file: the same replies, the same bytes',
      params: OfComparison,
      response: { 200: fileResponse('application/json', Comparison) }
    }
  }, async ({ params }, reply) => await reply.type('application/json; charset=utf-8')
    .send(await parts.comparisons.getJson(params.comparisonId) as never))

  for (const { form, type, operationId, summary } of forms) {
    app.get(`/v1/comparisons/:comparisonId.${form}` as '/v1/comparisons/:comparisonId', {
      schema: { tags, operationId, summary, params: OfComparison, response: { 200: fileResponse(type) } }
    }, async ({ params }, reply) => await reply.type(`${type}; charset=utf-8`)
      .header('content-disposition', `attachment; filename="${params.comparisonId}.${form}"`)
      .send(await readComparison(parts, params.comparisonId, form) as never))
  }
}
