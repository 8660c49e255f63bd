/** Items that two versions of a benchmark share, and which of them are fit to link the versions by. */
import { clusteredMean } from '../../../../shared/stats/clustered.ts'
import { normalQuantile, normalTail, tQuantile } from '../../../../shared/stats/distributions.ts'

/** Right and wrong answers of the models of one version to one item. */
export interface Tally { right: number, n: number }

/** On the delta scale of the Educational Testing Service: 13 where half are right, 4 a standard deviation. */
export interface Delta { value: number, variance: number }

/** Half a right answer and half a wrong one are added, so that all right is not infinitely easy. */
export function deltaOf ({ right, n }: Tally): Delta {
  const p = (right + 0.5) / (n + 1)
  const z = normalQuantile(1 - p)
  const density = Math.exp(-z * z / 2) / Math.sqrt(2 * Math.PI)
  return { value: 13 + 4 * z, variance: 16 * p * (1 - p) / (n + 1) / density ** 2 }
}

export interface Anchor { itemId: string, cluster: string, here: Delta, there: Delta, tallyThere: Tally }
export interface Drifting { anchor: Anchor, deviation: number, p: number }

export interface Anchored {
  kept: Anchor[]
  drifting: Drifting[]
  /** There minus here, over those kept; null without any. */
  shift: { value: number, low: number, high: number } | null
}

/** A difference the size of which the delta plot calls large. */
const driftMin = 1.5
/** Not adjusted for many: to refuse a good anchor costs little, to keep one that drifts a wrong scale. */
const driftP = 0.05
const roundsMax = 20

/**
 * The shift common to all anchors, without those that moved by themselves: by at least 1.5 delta from
 * the others, and by more than chance at .05 each. Found anew until none joins them.
 *
 * @see Angoff & Ford 1973, doi:10.1111/j.1745-3984.1973.tb00787.x; Dorans & Holland 1993
 */
export function sortAnchors (anchors: readonly Anchor[]): Anchored {
  let centre = medianOf(anchors.map(moved))
  let drifting: Drifting[] = []
  for (let round = 0; round < roundsMax; round++) {
    const tested = anchors.map(anchor => {
      return { anchor, deviation: moved(anchor) - centre, p: chanceOf(anchor, centre) }
    })
    const found = tested.filter(({ deviation, p }) => Math.abs(deviation) >= driftMin && p <= driftP)
    const settled = found.length === drifting.length && found.every(
      ({ anchor }, at) => anchor === drifting[at]!.anchor
    )
    drifting = found
    const out = new Set(found.map(({ anchor }) => anchor))
    const kept = anchors.filter(anchor => !out.has(anchor))
    if (kept.length === 0) return { kept, drifting, shift: null }
    centre = kept.reduce((sum, anchor) => sum + moved(anchor), 0) / kept.length
    if (settled) break
  }
  const out = new Set(drifting.map(({ anchor }) => anchor))
  const kept = anchors.filter(anchor => !out.has(anchor))
  return { kept, drifting, shift: shiftOf(kept) }
}

/** Of so many right answers there, or fewer, if the item had moved with the others: a score test. */
function chanceOf ({ here, tallyThere: { right, n } }: Anchor, shift: number): number {
  const z = (here.value + shift - 13) / 4
  const expected = normalTail(z)
  const slope = Math.exp(-z * z / 2) / Math.sqrt(2 * Math.PI) / 4
  const error = Math.sqrt(expected * (1 - expected) / n + slope ** 2 * here.variance)
  return Math.min(1, 2 * normalTail(Math.abs(right / n - expected) / error))
}

function moved ({ here, there }: Anchor): number {
  return there.value - here.value
}

/** Over papers, where there are two. */
function shiftOf (kept: readonly Anchor[]) {
  if (kept.length === 0) return null
  const { mean, seCr2, clusters } = clusteredMean(
    kept.map(anchor => ({ value: moved(anchor), cluster: anchor.cluster }))
  )
  const half = clusters > 1 ? tQuantile(0.975, clusters - 1) * seCr2 : NaN
  return Number.isFinite(half)
    ? {
        value: mean, low: mean - half, high: mean + half
      }
    : { value: mean, low: mean, high: mean }
}

function medianOf (values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length === 0
    ? 0
    : sorted.length % 2 === 1
      ? sorted[middle]!
      : (
          sorted[middle - 1]! + sorted[middle]!
        ) / 2
}
