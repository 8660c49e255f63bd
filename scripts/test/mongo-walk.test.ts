import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import tap from 'tap'
import { engineOrSkip } from '../../shared/testing/engines.ts'
import { startFerretDb } from '../../shared/testing/ferretdb.ts'
import { walkSample, walkThroughCut } from '../bench/faults/store-cut.ts'

tap.test('the walk on MongoDB, its protocol spoken by FerretDB', async t => {
  const engine = await engineOrSkip(t, 'ferretdb')
  if (engine === undefined) return
  const dir = await mkdtemp(join(tmpdir(), 'viva-mongo-walk-'))
  const server = await startFerretDb(engine, join(dir, 'ferretdb'))
  t.teardown(async () => {
    await server.kill()
    await rm(dir, { recursive: true })
  })
  const embedded = await walkSample(join(dir, 'embedded'))
  t.comment(`on embedded stores: ${embedded.seconds.toFixed(1)} s`)
  const committed = await readFile('examples/sample-paper/items.jsonl')
  t.ok(embedded.items.equals(committed), 'the items are the committed ones')

  await t.test('it ends with the same bytes as on embedded stores, though its store goes away in the middle of a generation', async t => {
    const { items, report, sights, resumedMs, doneBefore, seconds } = await walkThroughCut({
      port: server.port, database: 'cut', dataDir: join(dir, 'cut'), how: 'blackhole', cutMs: 0
    })
    t.ok(doneBefore < 29, 'it was in the middle')
    for (const { path, status, type, retryAfter, body } of sights) {
      if (path === '/health/live') {
        t.equal(status, 200, path)
        continue
      }
      t.match({ status, type, retryAfter, problem: JSON.parse(body) }, {
        status: 503, type: /^application\/problem\+json/, retryAfter: '2', problem: { type: /store-unavailable$/ }
      }, path)
    }
    t.ok(items.equals(embedded.items), 'items.jsonl')
    t.ok(report.equals(embedded.report), 'report.json')
    t.comment(`${doneBefore} of 29 done, on again after ${Math.round(resumedMs)} ms, ${seconds.toFixed(1)} s in all`)
  })
})
