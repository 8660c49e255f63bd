/** Whether somebody at a notebook notices that a batch of 10,000 calls runs beside. */
import { fakeVllm } from '../../../shared/testing/fake-vllm.ts'
import { chatBody } from './bodies.ts'
import { callerOf, inTurns, rest, type Caller } from './calls.ts'
import { milliseconds, quantile, type Figure, type Settings } from './figure.ts'
import { startProxy } from './servers.ts'

const batchCalls = 10_000
const batchAtOnce = 2_000
const slots = 64
const pauseMs = 100
const bar = 1.2

export async function notebook ({ seconds }: Settings): Promise<Figure[]> {
  // A slot is free every few milliseconds: calls of a third of a second on 64 slots.
  const fake = await fakeVllm({ ttftMs: 100, itlMs: 5, jitter: 0.3, maxNumSeqs: slots })
  const proxy = await startProxy({ urls: [fake.url], slots }, { REQUESTS_MAX: '20000' })
  const [reader, batch] = [callerOf(proxy.url), callerOf(proxy.url)]
  try {
    const began = performance.now()
    const alone = await atNotebook(reader, () => performance.now() - began < 3_000 * Math.max(1, seconds / 4))
    const state = { runs: true, refused: 0 }
    const done = runBatch(batch, state).finally(() => { state.runs = false })
    await rest(1_000)
    const beside = await atNotebook(reader, () => state.runs)
    await done
    return [figureOf(alone, beside, state.refused)]
  } finally {
    await Promise.all([reader.close(), batch.close()])
    await proxy.stop()
    await fake.close()
  }
}

/** Short questions, one after another. @returns milliseconds to the first byte of each */
async function atNotebook (caller: Caller, goesOn: () => boolean): Promise<number[]> {
  const ms: number[] = []
  for (let nth = 0; goesOn() || ms.length < 20; nth++) {
    const asked = performance.now()
    let first = NaN
    const body = chatBody({ ask: `Note ${nth}. `, stream: true, maxTokens: 8 })
    await caller.ask(body, { first: at => { first = at } }, { 'viva-caller': 'notebook' }).done
    ms.push(first - asked)
    await rest(pauseMs)
  }
  return ms
}

async function runBatch (caller: Caller, state: { refused: number }): Promise<void> {
  await inTurns({ count: batchCalls, width: batchAtOnce }, async nth => {
    const body = chatBody({ ask: `Item ${nth}. `, maxTokens: 40, extra: { ignore_eos: true } })
    const { status } = await caller.ask(body, {}, { 'viva-caller': 'scoring', 'viva-group': 'run-1' }).done
    if (status !== 200) state.refused++
  })
}

function figureOf (alone: number[], beside: number[], refused: number): Figure {
  const p = (ms: number[], share: number) => quantile(ms, share)
  const ratio = p(beside, 0.99) / p(alone, 0.99)
  return {
    what: `a notebook beside a batch of ${batchCalls}: first byte p50, p99 (alone)`,
    bar: `p99 ≤ ${bar} of alone`,
    met: ratio <= bar && refused === 0,
    measured: `${milliseconds(p(beside, 0.5))}, ${milliseconds(p(beside, 0.99))} (${milliseconds(p(alone, 0.5))}, ${milliseconds(p(alone, 0.99))}) = ${ratio.toFixed(2)}${refused > 0 ? `; ${refused} of the batch failed` : ''}`,
    n: `${beside.length} calls beside, ${alone.length} alone; the batch ${batchAtOnce} at once on ${slots} slots`,
    values: {
      p50Ms: p(beside, 0.5),
      p99Ms: p(beside, 0.99),
      aloneP50Ms: p(alone, 0.5),
      aloneP99Ms: p(alone, 0.99),
      refused
    }
  }
}
