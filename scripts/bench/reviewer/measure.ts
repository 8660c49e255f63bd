/** Puts items, faulty items and reworded items before a reviewer, and says what it makes of them. */
import type { Document } from '../../../shared/contracts/document.ts'
import type { Item } from '../../../shared/contracts/item.ts'
import type { Observation } from '../../../shared/stats/clustered.ts'
import { drawnItem } from './drawn-figures.ts'
import { faultClasses, withFault, type FaultClass } from './faults.ts'
import { detectionAuc, loweredShare, meanDifference, shareOf, spreadWithin, type Contrast, type Figure } from './figures.ts'

export interface Subject { item: Item, document: Document }
/** A review that counts. */
export interface Seen { mean: number, verdict: string, scores: Record<string, number> }

export interface Improved { first: Subject, final: Subject }

export interface Reviewer {
  /** Null: no review could be had. Another `repeat` is another asking. */
  ask: (subject: Subject, repeat: number) => Promise<Seen | null>
  /** The loop over a unit: of each item what it was and what it became; null where nothing was rewritten. */
  improve: (unit: readonly Item[], document: Document) => Promise<Improved[] | null>
  vision: boolean
  /** Whether the text stands in the prompt that it is asked with. */
  shows: (subject: Subject, text: string) => boolean
}

export interface Measuring {
  units: ReadonlyArray<{ items: readonly Item[], document: Document }>
  /** Times that each item is asked, at least 1. */
  repeats: number
  drawnCount: number
  seed: number
  atOnce: number
}

export interface ReviewerReport {
  detection: Array<{ faultClass: FaultClass, auc: Figure, fell: string }>
  rewrite: Figure
  /** Points between the last and the first asking of the same item, and within items. */
  drift: { passes: Figure, order: Figure, spread: number | null }
  verdictChanges: Figure
  draft: { rewritten: number, units: number, gain: Figure, better: Figure }
  /** Askings that gave no review, of all. */
  lost: { count: number, of: number }
}

/** Asking numbers of the blind comparison of first and final: none that the loop or the passes use. */
const blindRepeat = 900

export async function measureReviewer (reviewer: Reviewer, measuring: Measuring): Promise<ReviewerReport> {
  const { units, repeats, seed, atOnce } = measuring
  const lost = { count: 0, of: 0 }
  const ask = async (subject: Subject, repeat: number): Promise<Seen | null> => {
    const seen = await reviewer.ask(subject, repeat)
    lost.of++
    if (seen === null) lost.count++
    return seen
  }
  const subjects = units.flatMap(({ items, document }) => items.map(item => ({ item, document })))
  // There and back, so that what came first comes last once.
  const passes: Array<Array<Seen | null>> = []
  for (let repeat = 0; repeat < repeats; repeat++) {
    const order = subjects.map((subject, i) => ({ subject, i }))
    if (repeat % 2 === 1) order.reverse()
    const seen: Array<Seen | null> = []
    await inParallel(order, atOnce, async ({ subject, i }) => { seen[i] = await ask(subject, repeat) })
    passes.push(seen)
  }

  const detection: ReviewerReport['detection'] = []
  for (const faultClass of faultClasses) {
    const cases = faultClass === 'figure-only'
      ? await drawnCases(reviewer, measuring, ask)
      : await casesOf(faultClass, { subjects, originals: passes[0]!, seed, atOnce, ask })
    detection.push({ faultClass, auc: detectionAuc(cases.map(contrastOf)), fell: fellMost(cases) })
  }
  const rewritten = await casesOf('rewrite', { subjects, originals: passes[0]!, seed, atOnce, ask })
  return {
    detection,
    rewrite: loweredShare(rewritten.map(contrastOf)),
    drift: driftOf(subjects, passes),
    verdictChanges: changesOf(subjects, passes),
    draft: await draftAndFinal(reviewer, measuring, ask),
    lost
  }
}

interface Case { paperId: string, original: Seen, mutant: Seen }
type Ask = (subject: Subject, repeat: number) => Promise<Seen | null>

interface Cases {
  subjects: readonly Subject[]
  originals: ReadonlyArray<Seen | null>
  seed: number
  atOnce: number
  ask: Ask
}

async function casesOf (
  faultClass: Exclude<FaultClass, 'figure-only'>, { subjects, originals, seed, atOnce, ask }: Cases
): Promise<Case[]> {
  const faulty = subjects.flatMap(({ item, document }, i) => {
    const mutant = withFault(faultClass, item, { document, seed })
    const original = originals[i]
    return mutant === null || !original ? [] : [{ mutant, document, original }]
  })
  const cases: Case[] = []
  await inParallel(faulty, atOnce, async ({ mutant, document, original }) => {
    const seen = await ask({ item: mutant, document }, 0)
    if (seen !== null) cases.push({ paperId: document.paperId, original, mutant: seen })
  })
  return cases
}

async function drawnCases ({ vision }: Reviewer, measuring: Measuring, ask: Ask): Promise<Case[]> {
  const { drawnCount, seed, atOnce } = measuring
  // Who is shown no image cannot see a fault in one: that is no figure of the reviewer.
  if (!vision) return []
  const cases: Case[] = []
  await inParallel(Array.from({ length: drawnCount }, (_, i) => i), atOnce, async i => {
    const { document, item, faulty } = drawnItem(i, seed)
    const [original, mutant] = [await ask({ item, document }, 0), await ask({ item: faulty, document }, 0)]
    if (original !== null && mutant !== null) cases.push({ paperId: `drawn ${i}`, original, mutant })
  })
  return cases
}

const contrastOf = ({ paperId, original, mutant }: Case): Contrast =>
  ({ paperId, original: original.mean, mutant: mutant.mean })

/** The criterion that the fault lowers most, with the mean points; '' where nothing falls. */
function fellMost (cases: readonly Case[]): string {
  const falls = new Map<string, number[]>()
  for (const { original, mutant } of cases) {
    for (const [name, score] of Object.entries(original.scores)) {
      falls.set(name, [...falls.get(name) ?? [], score - (mutant.scores[name] ?? score)])
    }
  }
  const means = [...falls]
    .map(([name, all]) => ({ name, mean: all.reduce((sum, each) => sum + each, 0) / all.length }))
    .sort((a, b) => b.mean - a.mean)
  const [most] = means
  return most === undefined || most.mean <= 0 ? '' : `${most.name} −${most.mean.toFixed(2)}`
}

type Passes = ReadonlyArray<ReadonlyArray<Seen | null>>

function driftOf (subjects: readonly Subject[], passes: Passes): ReviewerReport['drift'] {
  const scoresOf = (i: number) => passes.flatMap(pass => pass[i]?.mean ?? [])
  const between: Observation[] = []
  const order: Observation[] = []
  for (const [i, { document }] of subjects.entries()) {
    const [first, second, last] = [passes[0]?.[i], passes[1]?.[i], passes.at(-1)?.[i]]
    const cluster = document.paperId
    if (passes.length > 1 && first && last) between.push({ cluster, value: last.mean - first.mean })
    // Late in one of the first two passes is early in the other.
    if (first && second && i * 2 !== subjects.length - 1) {
      const late = i * 2 > subjects.length - 1
      order.push({ cluster, value: late ? first.mean - second.mean : second.mean - first.mean })
    }
  }
  return {
    passes: meanDifference(between),
    order: meanDifference(order),
    spread: spreadWithin(subjects.map((_, i) => scoresOf(i)))
  }
}

function changesOf (subjects: readonly Subject[], passes: Passes): Figure {
  return shareOf(subjects.flatMap(({ document }, i) => {
    const [first, last] = [passes[0]?.[i], passes.at(-1)?.[i]]
    if (passes.length < 2 || !first || !last) return []
    return [{ cluster: document.paperId, value: first.verdict === last.verdict ? 0 : 1 }]
  }))
}

/** Both versions by fresh calls that know of no other. */
async function draftAndFinal (
  reviewer: Reviewer, { units, atOnce }: Measuring, ask: Ask
): Promise<ReviewerReport['draft']> {
  const gains: Observation[] = []
  let rewritten = 0
  await inParallel(units, atOnce, async ({ items, document }) => {
    const improved = await reviewer.improve(items, document)
    if (improved === null) return
    rewritten++
    for (const { first, final } of improved) {
      const [before, after] = [await ask(first, blindRepeat), await ask(final, blindRepeat)]
      if (before === null || after === null) continue
      gains.push({ cluster: document.paperId, value: after.mean - before.mean })
    }
  })
  const better = gains.map(({ cluster, value }) => ({ cluster, value: (Math.sign(value) + 1) / 2 }))
  return { rewritten, units: units.length, gain: meanDifference(gains), better: shareOf(better) }
}

/** In their order, at most so many at once. */
export async function inParallel<T> (
  all: readonly T[], atOnce: number, work: (one: T) => Promise<void>
): Promise<void> {
  const rest = all.values()
  await Promise.all(Array.from({ length: Math.min(atOnce, all.length) }, async () => {
    for (const one of rest) await work(one)
  }))
}
