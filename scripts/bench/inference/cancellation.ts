/** From a caller's leaving to the closed socket at the model server, by the fake's journal. */
import { fakeVllm, type FakeVllm } from '../../../shared/testing/fake-vllm.ts'
import { chatBody } from './bodies.ts'
import { callerOf, inTurns, rest, type Caller } from './calls.ts'
import { milliseconds, quantile, type Figure, type Settings } from './figure.ts'
import { startProxy } from './servers.ts'

const calls = 300
const width = 16
const barMs = 50

export async function cancellation ({ rounds }: Settings): Promise<Figure[]> {
  // The fake is in this process, so that both times are of one clock.
  const fake = await fakeVllm({ itlMs: 20, ttftMs: 5 })
  const proxy = await startProxy({ urls: [fake.url], slots: 64 })
  const [caller, direct] = [callerOf(proxy.url), callerOf(fake.url)]
  try {
    const figures: Figure[] = []
    for (const stream of [true, false]) {
      const [ms, without]: [number[], number[]] = [[], []]
      await leaveMany({ fake, caller, stream }, 50)
      for (let round = 0; round < rounds; round++) {
        ms.push(...await leaveMany({ fake, caller, stream }, calls))
        without.push(...await leaveMany({ fake, caller: direct, stream }, calls))
      }
      figures.push(figureOf(stream, ms, without))
    }
    return [...figures, await queued(fake, caller)]
  } finally {
    await Promise.all([caller.close(), direct.close()])
    await proxy.stop()
    await fake.close()
  }
}

interface Leaving { fake: FakeVllm, caller: Caller, stream: boolean }

/** @returns milliseconds from each leave to the end of that request at the server */
async function leaveMany ({ fake, caller, stream }: Leaving, count: number): Promise<number[]> {
  const from = fake.journal.length
  const leftAt = new Map<string, number>()
  await inTurns({ count, width }, async nth => {
    const ask = `call ${from + nth} `
    const asked = caller.ask(chatBody({ ask, stream, maxTokens: 3_000, extra: { ignore_eos: true } }))
    asked.done.catch(() => {})
    const entryOf = () => fake.journal.slice(from).find(({ body }) => holds(body, ask))
    await until(() => entryOf() !== undefined, 'arrives at the server')
    // Anywhere within its answer.
    await rest(10 + nth * 7 % 40)
    leftAt.set(ask, fake.now())
    asked.leave()
    await until(() => entryOf()?.endedAt !== null, 'ends at the server')
  })
  return Array.from(leftAt, ([ask, at]) => {
    const entry = fake.journal.find(({ body }) => holds(body, ask))
    if (entry?.endedBy !== 'client') throw new Error(`${ask} was ended by the server`)
    return (entry.endedAt ?? NaN) - at
  })
}

function holds (body: Record<string, unknown>, ask: string): boolean {
  const [, user] = body.messages as Array<{ content: string }>
  return user?.content.startsWith(ask) === true
}

async function until (isTrue: () => boolean, what: string): Promise<void> {
  const began = performance.now()
  while (!isTrue()) {
    if (performance.now() - began > 10_000) throw new Error(`A call never ${what}`)
    await rest(2)
  }
}

function figureOf (stream: boolean, ms: readonly number[], without: readonly number[]): Figure {
  const [p50, p99] = [quantile(ms, 0.5), quantile(ms, 0.99)]
  const [directP50, directP99] = [quantile(without, 0.5), quantile(without, 0.99)]
  return {
    what: `caller leaves a ${stream ? 'stream' : 'plain call'} → upstream socket closed: p50, p99 (no proxy)`,
    bar: `p99 ≤ ${barMs} ms`,
    met: p99 <= barMs,
    measured: `${milliseconds(p50)}, ${milliseconds(p99)} (${milliseconds(directP50)}, ${milliseconds(directP99)})`,
    n: `${ms.length} calls, ${width} at once`,
    values: { p50Ms: p50, p99Ms: p99, directP50Ms: directP50, directP99Ms: directP99 }
  }
}

/** More than the slots hold, and all leave: what never had a slot never reaches the server. */
async function queued (fake: FakeVllm, caller: Caller): Promise<Figure> {
  const from = fake.journal.length
  const asked = Array.from({ length: 192 }, (_, nth) =>
    caller.ask(chatBody({ ask: `queued ${nth} `, maxTokens: 3_000, extra: { ignore_eos: true } })))
  for (const { done } of asked) done.catch(() => {})
  await until(() => fake.journal.length - from >= 64, 'fills the slots')
  await rest(500)
  for (const { leave } of asked.slice().reverse()) leave()
  await rest(1_000)
  const reached = fake.journal.length - from
  return {
    what: 'callers leave the queue: requests that still reached the server',
    bar: '0',
    met: reached === 64,
    measured: String(reached - 64),
    n: '192 calls, 64 slots, the last to come leaves first',
    values: { reached }
  }
}
