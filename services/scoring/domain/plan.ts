/** What a run consists of: one prediction for each item, under ids that say what they are of. */
import type { Benchmark } from '../../../shared/contracts/benchmark.ts'
import { idOf } from '../../../shared/contracts/hash.ts'
import { isSequence, type Item } from '../../../shared/contracts/item.ts'
import type { Condition, Prediction, RescoredFrom, RunSitting } from '../../../shared/contracts/run.ts'
import { Problem } from '../../../shared/errors/problem.ts'
import { whyNotGiven } from './faithfulness/obstacles.ts'

/** What defines a run, and what was found out about the model when it was opened. */
export interface RunSpec {
  benchmarkId: string
  model: string
  condition: Condition
  /** Prompt files that are used, with their sha256; none for a baseline. */
  prompts: Array<{ name: string, hash: string }>
  /** Whether the model takes images; looked up once, so that a run does not change half-way. */
  vision: boolean
  /** Prompt and reply together, as its server said then; null or absent where it did not. */
  contextTokens?: number | null
  /** Where the replies are those of another run. */
  rescoredFrom?: RescoredFrom
  /** Where the replies are a person's. */
  sitting?: RunSitting
}

/** What is no part of a run's id. */
export type FoundOut = 'vision' | 'contextTokens'

/** `sourceItemId`: of a run scored again, the item as its first run knew it. */
export interface PredictionTask { itemId: string, order: number, sourceItemId?: string }

/**
 * The same benchmark, model, condition and prompts are the same run, however often it is asked
 * for; a new version of a prompt makes a new one.
 */
export function runIdOf (spec: Omit<RunSpec, FoundOut>): string {
  const { benchmarkId, model, condition, prompts, rescoredFrom, sitting } = spec
  return idOf('run', {
    benchmarkId,
    model,
    condition,
    prompts,
    ...rescoredFrom !== undefined && { rescoredFrom },
    ...sitting !== undefined && { sitting }
  })
}

/** Without what asks for nothing, so that saying nothing and asking for nothing are one condition. */
export function resolved (condition: Condition): Condition {
  const { confidence, images, sequence, ...rest } = condition
  return {
    ...rest,
    ...confidence === 'verbal' && { confidence },
    ...images === 'none' && { figures: 'withheld' },
    ...(images === 'wrong' || images === 'described') && { images },
    ...sequence !== undefined && sequence !== 'ordered' && { sequence }
  }
}

/** The conditions of `repeats` runs, from the one given on. @throws Problem invalid-request past repeat 99 */
export function repeatsOf (condition: Condition, repeats: number): Condition[] {
  if (condition.repeat + repeats > repeatsMax) {
    throw new Problem('invalid-request', `Repeats have the numbers 0 to ${repeatsMax - 1}; ask for fewer than ${repeats}, or begin below ${condition.repeat}.`, {
      errors: [{ pointer: '/body/repeats', detail: `goes beyond repeat ${repeatsMax - 1}` }]
    })
  }
  return Array.from({ length: repeats }, (_, more) => ({ ...condition, repeat: condition.repeat + more }))
}

export const repeatsMax = 100

export function predictionIdOf (runId: string, itemId: string): string {
  return idOf('prediction', { runId, itemId })
}

/** In the benchmark's order; `key` is the item's id. */
export function planPredictions (items: readonly Item[], sourceOf?: ReadonlyMap<string, string>) {
  return items.map(({ id }, order) => {
    const sourceItemId = sourceOf?.get(id)
    return { key: id, input: { itemId: id, order, ...sourceItemId !== undefined && { sourceItemId } } }
  })
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

/**
 * What stands for an item that could not be asked: in no score, and replaced when it is asked again.
 *
 * @param why  what failed; a problem says its kind too
 */
export function errorPrediction (runId: string, item: Item, why: string | Problem): Prediction {
  const said = typeof why === 'string' ? { detail: why } : { detail: why.message, problem: why.kind }
  return { ...blankPrediction(runId, item), outcome: 'error', ...said }
}

/** Why these items cannot be asked under this condition; undefined when they can. */
export function whyNotRunnable (
  { benchmark, items }: { benchmark: Benchmark, items: readonly Item[] }, condition: Condition
): string | undefined {
  const { formulation, thinking, thinkingEffort } = condition
  if (formulation === 'explicit' && !items.some(({ explicitWording }) => explicitWording !== undefined)) {
    return `No item of benchmark ${benchmark.id} has an explicit wording; leave condition.formulation at "implicit".`
  }
  const { sequence, probe, figures, images } = condition
  if (sequence !== undefined && !items.some(isSequence)) {
    return `No item of benchmark ${benchmark.id} has images that are a sequence; leave condition.sequence out.`
  }
  if (probe !== undefined && !items.some(({ kind }) => kind === 'choice')) {
    return `No item of benchmark ${benchmark.id} is multiple-choice, and condition.probe is about those; leave it out.`
  }
  if (figures === 'withheld' && images !== undefined) {
    return `condition.figures withholds the images that condition.images "${images}" would put something else for; leave one of them out.`
  }
  if (thinkingEffort !== undefined && !thinking) {
    return 'condition.thinkingEffort says how long to think, and condition.thinking is false; set that to true or leave the effort out.'
  }
  return whyNotGiven({ benchmark, items }, condition)
}
