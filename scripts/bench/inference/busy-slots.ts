/** How much of the time of 256 slots a bulk job keeps busy, by the journal of the servers. */
import { fakeVllm } from '../../../shared/testing/fake-vllm.ts'
import { chatBody } from './bodies.ts'
import { callerOf, inTurns, type Caller } from './calls.ts'
import { median, type Figure, type Settings } from './figure.ts'
import { startProxy } from './servers.ts'

const slots = 256
const seeds = [1, 2, 3, 4]
const servers = seeds.length
const bar = 0.97
/** About a second and a half each, none like the next; few tokens, lest the servers be what is slow. */
const engine = { ttftMs: 200, itlMs: 150, jitter: 0.3, maxNumSeqs: slots / servers }

export async function busySlots ({ rounds, seconds }: Settings): Promise<Figure[]> {
  const shares: number[] = []
  const count = slots * (3 + Math.ceil(seconds))
  for (let round = 0; round < Math.min(3, rounds); round++) shares.push(await share(count))
  return [{
    what: `share of time ${slots} upstream slots are busy during a bulk job`,
    bar: `≥ ${100 * bar} %`,
    met: median(shares) >= bar,
    measured: `${(100 * median(shares)).toFixed(2)} %`,
    n: `${shares.length} jobs of ${count} plain calls of about 1.5 s, ${2 * slots} at once, ${servers} servers`,
    values: { share: median(shares) }
  }]
}

async function share (count: number): Promise<number> {
  const fakes = await Promise.all(seeds.map(async seed => await fakeVllm({ ...engine, seed })))
  const proxy = await startProxy({ urls: fakes.map(({ url }) => url), slots: slots / servers })
  const caller = callerOf(proxy.url)
  try {
    // The first calls also compile the code, and a job is longer than they are.
    await runJob(caller, 3 * slots)
    const from = fakes.map(({ journal }) => journal.length)
    await runJob(caller, count)
    const entries = fakes.flatMap(({ journal }, at) => journal.slice(from[at]))
    return busyShare(entries.map(({ receivedAt, endedAt }) => [receivedAt, endedAt ?? NaN]))
  } finally {
    await caller.close()
    await proxy.stop()
    for (const fake of fakes) await fake.close()
  }
}

async function runJob (caller: Caller, count: number): Promise<void> {
  await inTurns({ count, width: 2 * slots }, async nth => {
    const body = chatBody({ ask: `Item ${nth}. `, maxTokens: 6 + nth * 37 % 7, extra: { ignore_eos: true } })
    const { status, text } = await caller.text(body)
    if (status !== 200) throw new Error(`A call of the job got status ${status}: ${text.slice(0, 300)}`)
  })
}

/** From when all are taken until the last call arrives: before and after there is no work for all. */
function busyShare (spans: ReadonlyArray<readonly [number, number]>): number {
  const starts = spans.map(([start]) => start).sort((a, b) => a - b)
  const [from, to] = [starts[slots] ?? NaN, starts.at(-1) ?? NaN]
  const within = (start: number, end: number) => Math.max(0, Math.min(end, to) - Math.max(start, from))
  const busyMs = spans.reduce((sum, [start, end]) => sum + within(start, end), 0)
  return busyMs / (slots * (to - from))
}
