/** What a run consists of: one prediction for each item, under ids that say what they are of. */
import type { Benchmark } from '../../../shared/contracts/benchmark.ts'
import { idOf } from '../../../shared/contracts/hash.ts'
import type { Item } from '../../../shared/contracts/item.ts'
import type { Condition, Prediction } from '../../../shared/contracts/run.ts'

/** What defines a run, and what was found out about the model when it was opened. */
export interface RunSpec {
  benchmarkId: string
  model: string
  condition: Condition
  /** Prompt files that are used, with their sha256; none for a baseline. */
  prompts: Array<{ name: string, hash: string }>
  /** Whether the model takes images; looked up once, so that a run does not change half-way. */
  vision: boolean
}

export interface PredictionTask { itemId: string, order: number }

/**
 * The same benchmark, model, condition and prompts are the same run, however often it is asked
 * for; a new version of a prompt makes a new one.
 */
export function runIdOf ({ benchmarkId, model, condition, prompts }: Omit<RunSpec, 'vision'>): string {
  return idOf('run', { benchmarkId, model, condition, prompts })
}

export function predictionIdOf (runId: string, itemId: string): string {
  return idOf('prediction', { runId, itemId })
}

/** In the benchmark's order; `key` is the item's id. */
export function planPredictions (items: readonly Item[]) {
  return items.map((item, order) => ({ key: item.id, input: { itemId: item.id, order } }))
}

/** A prediction of which nothing is known yet: everything but what came of it. */
export function blankPrediction (runId: string, item: Item): Omit<Prediction, 'outcome'> {
  return {
    id: predictionIdOf(runId, item.id),
    runId,
    itemId: item.id,
    paperId: 'paperId' in item.source ? item.source.paperId : null,
    kind: item.kind,
    ...item.pairId !== undefined && { pairId: item.pairId },
    slices: item.slices,
    reply: null,
    lenient: null,
    strict: null,
    detail: null,
    leftOut: [],
    promptHash: null,
    requestHash: null
  }
}

/** What stands for an item that could not be asked: in no score, and replaced when it is asked again. */
export function errorPrediction (runId: string, item: Item, detail: string): Prediction {
  return { ...blankPrediction(runId, item), outcome: 'error', detail }
}

/** Why these items cannot be asked under this condition; undefined when they can. */
export function whyNotRunnable (benchmark: Benchmark, condition: Condition): string | undefined {
  if (condition.formulation === 'explicit') {
    return `No item of benchmark ${benchmark.id} has an explicit wording; leave condition.formulation at "implicit".`
  }
  return undefined
}
