/** What others may ask about who is better on a benchmark. */
import { Type } from 'typebox'
import { fileResponse } from '../../shared/app/file-response.ts'
import type { App } from '../../shared/app/service.ts'
import { BenchmarkId } from '../../shared/contracts/ids.ts'
import { Leaderboard, LeaderboardLink, LeaderboardQuery, LinkQuery } from '../../shared/contracts/leaderboard.ts'
import { getLeaderboard, linkLeaderboards, writeLeaderboard, type LeaderboardForm } from './handlers/get-leaderboard.ts'
import type { GridParts } from './handlers/scored-grids.ts'

const tags = ['scoring']
const OfBenchmark = Type.Object({ benchmarkId: BenchmarkId })

const forms: ReadonlyArray<{ form: LeaderboardForm, type: string, name: string, summary: string }> = [
  { form: 'json', type: 'application/json', name: 'Json', summary: 'The leaderboard as a file: the same replies, the same bytes' },
  { form: 'csv', type: 'text/csv', name: 'Csv', summary: 'Every row of the leaderboard as a table' },
  { form: 'md', type: 'text/markdown', name: 'Markdown', summary: 'The leaderboard as Markdown' },
  { form: 'tex', type: 'application/x-tex', name: 'Latex', summary: 'The leaderboard as a LaTeX table (booktabs)' }
]

export function leaderboardRoutes (app: App, parts: GridParts): void {
  app.get('/v1/leaderboards/:benchmarkId', {
    schema: {
      tags,
      operationId: 'getLeaderboard',
      summary: 'What the runs of a benchmark say of who is better, and how surely',
      description: 'Made from the settled runs there are. One row a model and condition; ranks compare the items that count for every ranked run, and come with the ranks that the data leave open.',
      params: OfBenchmark,
      querystring: LeaderboardQuery,
      response: { 200: Leaderboard }
    }
  }, async ({ params, query, signal }) => await getLeaderboard(parts, params.benchmarkId, { query, signal }))

  app.get('/v1/leaderboards/:benchmarkId/links/:otherBenchmarkId', {
    schema: {
      tags,
      operationId: 'linkLeaderboards',
      summary: 'Rows of another version of a benchmark on the scale of this one, by the items both have',
      description: 'Items whose difficulty moved by itself are refused as anchors, and with too few left, or too many that drift, so is the link.',
      params: Type.Object({ benchmarkId: BenchmarkId, otherBenchmarkId: BenchmarkId }),
      querystring: LinkQuery,
      response: { 200: LeaderboardLink }
    }
  }, async ({ params, query }) =>
    await linkLeaderboards(parts, [params.benchmarkId, params.otherBenchmarkId], query))

  for (const { form, type, name, summary } of forms) {
    app.get(`/v1/leaderboards/:benchmarkId.${form}` as '/v1/leaderboards/:benchmarkId', {
      schema: {
        tags,
        operationId: `getLeaderboard${name}`,
        summary,
        params: OfBenchmark,
        querystring: LeaderboardQuery,
        response: { 200: fileResponse(type, form === 'json' ? Leaderboard : undefined) }
      }
    }, async ({ params, query, signal }, reply) => {
      const leaderboard = await getLeaderboard(parts, params.benchmarkId, { query, signal })
      return await reply.type(`${type}; charset=utf-8`)
        .header('content-disposition', `attachment; filename="leaderboard-${params.benchmarkId}.${form}"`)
        .send(writeLeaderboard(leaderboard, form) as never)
    })
  }
}
