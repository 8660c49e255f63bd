import { once } from 'node:events'
import { connect } from 'node:net'
import t, { type Test } from 'tap'
import { startNoop, type Answer, type NoopProcess } from '../../testing/noop-house.ts'
import { temporaryFolder } from '../../testing/temporary-folder.ts'

const queueMax = 100
const requestsMax = 20
/** Over the idle level; what a process keeps must not grow with what waits in the store. */
const growthMbMax = 150

async function house (t: Test, replicas: number): Promise<NoopProcess[]> {
  const DATA_DIR = temporaryFolder(t)
  const env = { DATA_DIR, QUEUE_MAX: String(queueMax), REQUESTS_MAX: String(requestsMax) }
  const started = await Promise.all(Array.from({ length: replicas }, async () => await startNoop(env)))
  t.teardown(async () => { await Promise.all(started.map(async ({ stop }) => await stop())) })
  return started
}

/** As a client does that heeds Retry-After only at the end: `width` at a time, each once. */
async function flood (process: NoopProcess, names: readonly string[], body: object): Promise<Answer[]> {
  const answers: Answer[] = []
  const width = requestsMax / 2
  for (let at = 0; at < names.length; at += width) {
    answers.push(...await Promise.all(names.slice(at, at + width).map(async name =>
      await process.post('/v1/noops', { name, ...body }))))
  }
  return answers
}

t.test('beyond the cap no job is opened, and every accepted one is done once', async t => {
  const [one, two] = await house(t, 2) as [NoopProcess, NoopProcess]
  const idleMb = one.residentMb()
  const big = await one.post('/v1/noops', { name: 'big', count: 1_500, ms: 0 })
  t.equal(big.status, 202, 'one job may be larger than the cap')
  const names = Array.from({ length: 300 }, (_, i) => `job-${i}`)
  const answers = (await Promise.all([
    flood(one, names.slice(0, 150), { count: 2, ms: 5 }), flood(two, names.slice(150), { count: 2, ms: 5 })
  ])).flat()
  const accepted = answers.filter(({ status }) => status === 202)
  const refused = answers.filter(({ status }) => status === 503)
  t.equal(accepted.length + refused.length, names.length, 'each is one or the other')
  t.ok(refused.length > 0 && accepted.length > 0, `${refused.length} refused`)
  for (const { body, retryAfter } of refused.slice(0, 1)) {
    t.match(body, { type: '/problems/queue-full', detail: /QUEUE_MAX is 100/ })
    t.ok(Number(retryAfter) >= 1)
  }
  const again = await one.post('/v1/noops', { name: 'big', count: 1_500, ms: 0 })
  t.equal(again.status, 200, 'a job that exists is always answered')
  t.match((await one.get('/metrics')).body, /^viva_queue_age_seconds\{service="noop",kind="noop"\} \d/m)

  const ids = [big, ...accepted].map(({ body }) => String(body.id))
  for (const [at, id] of ids.entries()) {
    const reader = at % 2 === 0 ? one : two
    const { body } = await reader.get(`/v1/noops/${id}?wait=60`)
    const count = at === 0 ? 1_500 : 2
    const progress = { done: count, total: count, failed: 0 }
    if (body.state !== 'succeeded' || body.resultCount !== count || body.progress.done !== count) {
      t.match(body, { state: 'succeeded', resultCount: count, progress })
    }
  }
  const attempts = async (process: NoopProcess) => await process.metric('viva_task_duration_seconds_count', 'stage="work"')
  t.equal(await attempts(one) + await attempts(two), 1_500 + 2 * accepted.length, 'each task was attempted once')
  t.ok(await attempts(two) > 0, 'both replicas worked')
  t.ok(one.residentMb() < idleMb + growthMbMax, `${Math.round(one.residentMb())} MB after ${Math.round(idleMb)}`)
  // What the other replica did is seen by the next count.
  let afterwards = await one.post('/v1/noops', { name: 'afterwards', count: 2 })
  while (afterwards.status === 503) afterwards = await one.post('/v1/noops', { name: 'afterwards', count: 2 })
  t.equal(afterwards.status, 202, 'there is room again')
})

t.test('a process takes a bounded number of requests, long polls included; health always answers', async t => {
  const [process] = await house(t, 1) as [NoopProcess]
  const { body: { id } } = await process.post('/v1/noops', { name: 'slow', count: 1, ms: 60_000 })
  const { hostname, port } = new URL(process.url)
  const polls = Array.from({ length: requestsMax }, () => {
    const socket = connect(Number(port), hostname)
    socket.write(`GET /v1/noops/${id}?wait=60 HTTP/1.1\r\nhost: x\r\n\r\n`)
    return socket
  })
  t.teardown(() => { for (const socket of polls) socket.destroy() })
  // They are in hand once one more is refused; until then it is answered.
  let answer = await process.get(`/v1/noops/${id}`)
  while (answer.status === 200) answer = await process.get(`/v1/noops/${id}`)
  t.equal(answer.status, 503)
  t.match(answer.body, { type: '/problems/overloaded', detail: /REQUESTS_MAX/ })
  t.ok(Number(answer.retryAfter) >= 1)
  t.equal((await process.get('/health/live')).status, 200)
  t.equal((await process.get('/health/ready')).status, 200)
  t.match((await process.get('/metrics')).body, /viva_queue_tasks\{service="noop",kind="noop",state="running"\}/)
  const [first] = polls
  first?.destroy()
  if (first !== undefined) await once(first, 'close')
  while (answer.status === 503) answer = await process.get(`/v1/noops/${id}`)
  t.equal(answer.status, 200, 'a caller who leaves makes room')
})
