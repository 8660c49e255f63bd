import { readFileSync } from 'node:fs'
import tap from 'tap'
import { silentLog } from '../../shared/app/log.ts'
import { startServices } from '../../shared/app/start.ts'
import { exampleIds } from '../../shared/contracts/example-ids.ts'
import { api } from '../exam/api.ts'
import { sampleWalk } from '../sample-walk.ts'
import { suite } from '../suite.ts'
import { temporaryFolder } from '../../shared/testing/temporary-folder.ts'

interface Operation {
  requestBody?: { content: Record<string, { example?: unknown }> }
  parameters?: Array<{ in: string, name: string, required?: boolean, example?: string }>
}

tap.test('the examples in the API documents work, one after the other, as they stand', async t => {
  const document = JSON.parse(readFileSync('openapi/viva.json', 'utf8')) as {
    paths: Record<string, Record<string, Operation>>
  }
  const example = (path: string): unknown =>
    document.paths[path]?.post?.requestBody?.content['application/json']?.example
  const running = await startServices(suite, { PORT: '0', DATA_DIR: temporaryFolder(t) }, { log: silentLog() })
  t.teardown(running.close)
  const http = api(running.url)
  const ids = await sampleWalk(http, 'examples/sample-paper/sample-paper.pdf', example)
  t.strictSame(ids, exampleIds, 'after a wanted change, `npm run sample:refresh && npm run openapi`')

  for (const path of ['/v1/metrics/rouge', '/v1/metrics/bleu', '/v1/metrics/extraction']) {
    t.ok(await http.post(path, example(path)), path)
  }
  await http.post('/v1/upstreams', example('/v1/upstreams'))
  const { id: budgetId } = await http.post('/v1/budgets', example('/v1/budgets')) as { id: string }
  const { id: sittingId } = await http.post('/v1/sittings', example('/v1/sittings')) as { id: string }
  const made: Record<string, string> = { budgetId, sittingId }
  for (const [path, operations] of Object.entries(document.paths)) {
    if (operations.get === undefined || needsMore(path)) continue
    const named = (operations.get.parameters ?? []).filter(parameter => parameter.in === 'path')
    const url = named.reduce((text, { name, example }) => text.replace(`{${name}}`, made[name] ?? example ?? `{${name}}`), path)
    const needed = (operations.get.parameters ?? []).filter(parameter => parameter.in === 'query' && parameter.required)
    const query = needed.map(({ name, example = '' }) => `${name}=${example}`).join('&')
    await t.resolves(http.download(query === '' ? url : `${url}?${query}`), `GET ${url}`)
  }
})

/**
 * What the walk has none of: models, item banks, a second version of its benchmark, a run scored again,
 * others' logs, a question that somebody was shown.
 */
function needsMore (path: string): boolean {
  const needed = [
    '{comparisonId}', '{judgementId}', '{partialInputBaselineId}', '{importId}', '{curationId}', '{tableId}', '{otherBenchmarkId}',
    '/verdict-changes', '/bank-images/', '{sittingId}/questions'
  ]
  return path.startsWith('/v1/models') || needed.some(name => path.includes(name))
}
