import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import type { Prediction, Run } from '../../shared/contracts/run.ts'
import { endWithUs, killChild } from '../../shared/testing/children.ts'
import { draw } from '../../shared/testing/fake-solver.ts'
import { fakeVllm } from '../../shared/testing/fake-vllm.ts'
import { temporaryFolder } from '../../shared/testing/temporary-folder.ts'

const script = fileURLToPath(new URL('killed-run-house.ts', import.meta.url))
const runner = fileURLToPath(new URL('../run.mjs', import.meta.url))
const atOnce = 4

interface House { url: string, benchmarkId: string, items: number, kill: () => Promise<void> }

async function startHouse (t: Test, env: Record<string, string>): Promise<House> {
  const child: ChildProcess = spawn(process.execPath, [runner, script], {
    env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'inherit']
  })
  endWithUs(child)
  t.teardown(async () => { await killChild(child) })
  const [line] = await once(createInterface({ input: child.stdout! }), 'line') as [string]
  return { ...JSON.parse(line), kill: async () => { await killChild(child) } }
}

/** Drawn from the question alone. */
const replyTo = (body: Record<string, unknown>) =>
  draw(/<question>([^]*)<\/question>/u.exec(JSON.stringify(body))?.[1] ?? '') < 0.5 ? 'Answer: Yes' : 'Answer: No'

t.test('killed twice in the middle and started again, a run ends as it would have, and asks again only what was in flight', async t => {
  const fake = await fakeVllm({ models: ['tiny'], reply: replyTo, ttftMs: 40, reasoning: true, ids: 'content' })
  t.teardown(async () => { await fake.close() })
  const env = {
    DATA_DIR: temporaryFolder(t),
    SCORING_PREDICTIONS_AT_ONCE: String(atOnce),
    UPSTREAMS: JSON.stringify([{ name: 'fake', baseUrl: fake.url, capabilities: ['vision'] }])
  }
  const asked = () => fake.journal.filter(({ path }) => path === '/v1/chat/completions')
  let house = await startHouse(t, env)
  const open = async (repeats: number) => {
    const response = await fetch(`${house.url}/v1/runs`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ benchmarkId: house.benchmarkId, model: 'tiny', repeats, condition: { thinking: true, sampling: { temperature: 0.7 } } })
    })
    return await response.json() as Run
  }
  const { id, repeatIds = [] } = await open(2)
  const total = 2 * house.items
  for (const deaths of [total * 0.2, total * 0.6]) {
    await fake.ended(fake.journal.findLastIndex(({ path }) => path !== '/v1/chat/completions') + 1 + Math.floor(deaths))
    await house.kill()
    house = await startHouse(t, env)
  }
  for (const runId of repeatIds) {
    const run = await (await fetch(`${house.url}/v1/runs/${runId}?wait=60`)).json() as Run
    t.match(run, { state: 'succeeded', progress: { done: house.items, total: house.items, failed: 0 }, outcomes: { answered: house.items } })
    const text = await (await fetch(`${house.url}/v1/runs/${runId}/predictions.jsonl`)).text()
    const predictions = text.trim().split('\n').map(line => JSON.parse(line) as Prediction)
    t.equal(new Set(predictions.map(({ itemId }) => itemId)).size, house.items, 'none is lost, none is there twice')
    for (const { reply, reasoning, provenance } of predictions) {
      if (!/^Answer: (?:Yes|No)$/u.test(reply!) || !reasoning) t.fail(`${reply} ${reasoning}`)
      if (provenance?.upstreamVersion !== '0.29.0' || !provenance.thought || !provenance.completionId?.startsWith('cmp_') || !provenance.usage.completionTokens) t.fail(JSON.stringify(provenance))
    }
  }
  const bodies = asked().map(({ body }) => JSON.stringify(body))
  t.equal(new Set(bodies).size, total, 'every item of every repeat was asked')
  t.ok(bodies.length <= total + 2 * atOnce, `${bodies.length} requests for ${total} predictions, ${atOnce} at once, two kills`)
  const before = asked().length
  t.equal((await open(2)).id, id)
  t.equal(asked().length, before)
})
