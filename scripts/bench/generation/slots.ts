/** How much of the time of 64 slots a generation and its reviewing keep busy, and what they cost. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Generation } from '../../../shared/contracts/generation.ts'
import type { Reviewing } from '../../../shared/contracts/review.ts'
import { api } from '../../exam/api.ts'
import type { Figure } from '../inference/figure.ts'
import { followed, parsedPapers, recipe, reviewRecipe } from './client.ts'
import type { Answered } from './model-server.ts'
import { startModel, startSuite, type Model, type Suite } from './processes.ts'
import type { Sizes } from './sizes.ts'

const bar = 0.97
const size = { sections: 5, figures: 2 }

export async function slots ({ papers, slots, latencyMs }: Sizes): Promise<Figure[]> {
  const dir = await mkdtemp(join(tmpdir(), 'viva-slots-'))
  const model = await startModel({ latencyMs, slots, poorShare: 0, faultShare: 0 })
  const suite = await startSuite({ dir, modelUrl: model.url, slots })
  try {
    const url = await suite.ready
    const http = api(url)
    const paperIds = await parsedPapers(url, { count: papers, ...size })
    const what = `${papers} papers, replies after ${latencyMs} ms`

    const generating = await watched(suite, model)
    const asked = { paperIds, recipe: { ...recipe, review: false } }
    const { id } = await http.post<Generation>('/v1/generations', asked)
    const { itemCount, state } = await followed<Generation>(http, `/v1/generations/${id}`)
    if (state !== 'succeeded') throw new Error(`The generation is ${state}`)
    const generated = await generating.end({ job: 'generation', slots, items: itemCount, what })

    const judging = await watched(suite, model)
    const opened = await http.post<Reviewing>('/v1/reviewings', { source: { generationId: id }, recipe: reviewRecipe })
    const reviewed = await followed<Reviewing>(http, `/v1/reviewings/${opened.id}`)
    if (reviewed.state !== 'succeeded') throw new Error(`The reviewing is ${reviewed.state}`)
    return [...generated, ...await judging.end({ job: 'reviewing', slots, items: itemCount, what })]
  } finally {
    await suite.stop()
    await model.stop()
    await rm(dir, { recursive: true, force: true })
  }
}

interface Job { job: string, slots: number, items: number, what: string }

/** One job: what was asked of the model in it, and the processor time of both sides. */
async function watched (suite: Suite, model: Model) {
  const before = (await model.ledger()).length
  const [suiteMs, mainMs, modelMs] = [suite.cpuMs(), suite.mainCpuMs(), model.cpuMs()]
  return {
    async end ({ job, slots, items, what }: Job): Promise<Figure[]> {
      const [spent, main] = [suite.cpuMs() - suiteMs, suite.mainCpuMs() - mainMs]
      const modelSpent = model.cpuMs() - modelMs
      const calls = (await model.ledger()).slice(before)
      const { share, wholeShare, seconds, rampUpSeconds, rampDownSeconds } = busy(calls, slots)
      const each = (ms: number, count: number) => (ms / count).toFixed(1)
      const n = `${calls.length} calls in ${seconds.toFixed(0)} s, ${items} items; ${what}`
      return [{
        what: `${job}: share of time ${slots} slots are busy, from when ${slots} calls have begun until ${slots} are left to begin`,
        bar: `≥ ${100 * bar} %`,
        met: share >= bar,
        measured: `${(100 * share).toFixed(1)} %; with the ${rampUpSeconds.toFixed(1)} s before and ${rampDownSeconds.toFixed(1)} s after ${(100 * wholeShare).toFixed(1)} %`,
        n,
        values: { share, wholeShare, seconds, rampUpSeconds, rampDownSeconds, calls: calls.length }
      }, {
        what: `${job}: processor time of the suite, threads included`,
        measured: `${each(spent, items)} ms an item, ${each(spent, calls.length)} ms a call, ${each(main, calls.length)} ms of it in the main thread`,
        n: `${n}; the model server's own: ${each(modelSpent, calls.length)} ms a call`,
        values: {
          msPerItem: spent / items,
          msPerCall: spent / calls.length,
          mainMsPerCall: main / calls.length,
          modelMsPerCall: modelSpent / calls.length
        }
      }]
    }
  }
}

export interface Busy {
  share: number
  wholeShare: number
  seconds: number
  rampUpSeconds: number
  rampDownSeconds: number
}

/**
 * `share` leaves out the time until as many calls have begun as there are slots, and the time after
 * which fewer than that are left to begin: no order of the calls could fill the slots then.
 * `wholeShare` is from the first call to the end of the last.
 */
export function busy (calls: readonly Answered[], slots: number): Busy {
  const starts = calls.map(({ from }) => from).sort((a, b) => a - b)
  const ends = calls.map(({ to }) => to ?? NaN)
  const [first, last] = [starts[0] ?? NaN, Math.max(...ends)]
  const [from, to] = [starts[slots - 1] ?? NaN, starts.at(-slots) ?? NaN]
  const shareOf = (low: number, high: number): number => calls.reduce((sum, call) =>
    sum + Math.max(0, Math.min(call.to ?? NaN, high) - Math.max(call.from, low)), 0) / (slots * (high - low))
  return {
    share: shareOf(from, to),
    wholeShare: shareOf(first, last),
    seconds: (last - first) / 1_000,
    rampUpSeconds: (from - first) / 1_000,
    rampDownSeconds: (last - to) / 1_000
  }
}
