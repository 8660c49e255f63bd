/** What a judgement consists of: units (predictions, or pairs of them), and askings about each. */
import type { BenchmarkItem } from '../../../../shared/contracts/benchmark.ts'
import { canonicalJson, idOf, sha256 } from '../../../../shared/contracts/hash.ts'
import type { Judgement, JudgementRequest } from '../../../../shared/contracts/judgement.ts'
import type { Outcome, Prediction } from '../../../../shared/contracts/run.ts'
import { clusterOf } from '../../../../shared/stats/item-cluster.ts'
import { judgedText } from './prompt-values.ts'

/** A request with nothing left open, and what was found out when it was opened. */
export interface JudgementSpec extends Omit<JudgementRequest, 'judges' | 'rubric' | 'families'>, Pick<Judgement,
  'benchmarkId' | 'rubric' | 'rubricHash' | 'judges' | 'runs' | 'prompts' | 'unitCount' | 'judgedCount' | 'ratingCount'> {}

/** One prediction, or of preferences two to the same item; small, for there are many. */
export interface Unit {
  itemId: string
  predictionIds: string[]
  /** The paper; an item of a bank is a cluster of its own. */
  cluster: string
  pairId: string | null
  /** Of each prediction. */
  outcomes: Outcome[]
  /** Of each reply as judged, in code points. */
  lengths: number[]
  /** Of each reply as it was, so that another reply makes another judgement. */
  replyHashes: Array<string | null>
  /** Of a binary or choice item read leniently; null where it is neither, or not answered. */
  correct: Array<boolean | null>
  /** Which run each is of: its place in runIds. */
  runs: number[]
}

export interface Asking { unit: number, judge: number, repeat: number, swapped: boolean }

/** Of scores: unit = prediction. A reply without text outside its reasoning has nothing to be judged. */
export function isJudged ({ outcomes, lengths }: Pick<Unit, 'outcomes' | 'lengths'>): boolean {
  return outcomes.every(outcome => outcome === 'answered') && lengths.every(length => length > 0)
}

export interface Placed { prediction: Prediction, item: BenchmarkItem, run: number }

export function unitOf (placed: readonly Placed[]): Unit {
  const { item } = placed[0]!
  const all = placed.map(({ prediction }) => prediction)
  return {
    itemId: item.id,
    predictionIds: all.map(({ id }) => id),
    cluster: clusterOf(item),
    pairId: item.pairId ?? null,
    outcomes: all.map(({ outcome }) => outcome),
    lengths: all.map(prediction => [...judgedText(prediction)].length),
    replyHashes: all.map(({ reply }) => reply === null ? null : sha256(reply)),
    correct: all.map(({ outcome, lenient }) => outcome !== 'answered' || lenient === null || item.answerIndex === undefined
      ? null
      : lenient.index === item.answerIndex),
    runs: placed.map(({ run }) => run)
  }
}

/** In the order of tasks: every judge, every repeat, and of swapped pairs both orders. */
export function askingsOf (
  unit: number, { judges, repeats, form, positionSwap }: Pick<JudgementSpec, 'judges' | 'repeats' | 'form' | 'positionSwap'>
): Asking[] {
  const orders = form === 'preferences' && positionSwap ? [false, true] : [false]
  return judges.flatMap((_, judge) => Array.from({ length: repeats }).flatMap((_, repeat) =>
    orders.map(swapped => ({ unit, judge, repeat, swapped }))))
}

/** Unique within a judgement; in ascending order those of a unit stand together. */
export function askingKey ({ unit, judge, repeat, swapped }: Asking): string {
  return `${String(unit).padStart(6, '0')}.${judge}.${repeat}.${swapped ? 1 : 0}`
}

/**
 * Another reply, rubric, prompt or judge is another judgement; that a judge learns to see meanwhile
 * changes nothing.
 */
export function judgementIdOf (spec: JudgementSpec, unitsHash: string): string {
  const { unitCount, judgedCount, ratingCount, judges, ...asked } = spec
  const named = judges.map(({ name, family }) => ({ name, family }))
  return idOf('judgement', { ...asked, judges: named, units: unitsHash })
}

/** From 0 to 2^31 - 1: every asking has its own, and the same asking the same again. */
export function seedOf (
  seed: number, { predictionIds }: Pick<Unit, 'predictionIds'>, asking: Omit<Asking, 'unit'>
): number {
  return Number.parseInt(sha256(canonicalJson([seed, predictionIds, asking])).slice(0, 8), 16) & 0x7fffffff
}

/** Back from the id of a rating, which ends with the key of its asking. */
export function askingFrom (id: string): Asking {
  const [unit = '', judge = '', repeat = '', swapped = ''] = id.split('.').slice(-4)
  return { unit: Number(unit), judge: Number(judge), repeat: Number(repeat), swapped: swapped === '1' }
}
