/** The items of one paper by checks alone: everything a reviewing knows without a model. */
import type { Document } from '../../../shared/contracts/document.ts'
import { canonicalJson, idOf, sha256 } from '../../../shared/contracts/hash.ts'
import type { Check, Item } from '../../../shared/contracts/item.ts'
import type { Review, ReviewedItem } from '../../../shared/contracts/review.ts'
import { allPassed, checkUnit, settleUnit } from './check-unit.ts'
import { duplicatesAmong, unitsOf, type Unit } from '../../../shared/text/duplicates.ts'

export interface Reviewed { review: Review, reviewed: ReviewedItem }

export interface ReviewRequest {
  reviewingId: string
  document: Document
  /** Of that document, in any order. */
  items: readonly Item[]
}

export interface CheckedPaper {
  /**
   * In reading order: abstract, sections, figures, tables, equations as in the document;
   * within a place by kind, then id.
   */
  units: Unit[]
  /** Item id → its checks. */
  checksOf: Map<string, Check[]>
  /** Item id → id of the earlier item that it repeats. */
  duplicateOf: Map<string, string>
}

/**
 * Checks every item, then compares those that passed with the earlier ones, then lets pairs live
 * or die together. Stops after each item or pair, so that a caller with other work may turn to it.
 */
export function * checkPaper (
  { document, items }: Omit<ReviewRequest, 'reviewingId'>
): Generator<void, CheckedPaper> {
  const units = unitsOf(inReadingOrder(items, document))
  const own: Check[][][] = []
  for (const unit of units) {
    yield
    own.push(checkUnit(unit, document))
  }
  const sound = units.filter((_, i) => own[i]!.every(allPassed))
  const duplicateOf = yield * duplicatesAmong(sound)
  const checksOf = new Map<string, Check[]>()
  for (const [i, unit] of units.entries()) {
    const settled = settleUnit(unit, own[i]!, duplicateOf)
    unit.forEach(({ id }, at) => { checksOf.set(id, settled[at]!) })
  }
  return { units, checksOf, duplicateOf }
}

/**
 * By checks alone the verdict is always `unreviewed`: that no check failed does not make an item good.
 *
 * @returns  one entry for each item, in reading order, pairs together
 */
export function * reviewItems (request: ReviewRequest): Generator<void, Reviewed[]> {
  const { units, checksOf } = yield * checkPaper(request)
  return units.flat().map(item => reviewedAs(item, checksOf.get(item.id)!, request.reviewingId))
}

export function reviewedAs (item: Item, checks: Check[], reviewingId: string): Reviewed {
  const failedChecks = checks.filter(check => !check.passed).map(check => check.name)
  const reviewer = { type: 'checks', name: 'mechanical' } as const
  const verdict = 'unreviewed'
  return {
    review: {
      id: idOf('review', { reviewingId, itemId: item.id, reviewer }),
      itemId: item.id,
      reviewer,
      role: 'checks',
      round: null,
      itemHash: sha256(canonicalJson(item)),
      scores: null,
      reasons: {},
      checks,
      verdict,
      comment: '',
      provenance: null
    },
    reviewed: {
      item,
      reviewingId,
      verdict,
      eligible: failedChecks.length === 0,
      failedChecks,
      revision: 0,
      decision: null
    }
  }
}

function inReadingOrder (items: readonly Item[], document: Document): Item[] {
  const { sections, figures, tables, equations } = document
  const places = ['abstract', ...[...sections, ...figures, ...tables, ...equations].map(({ id }) => id)]
  const rank = new Map(places.map((place, i) => [place, i]))
  const at = ({ place }: Item) => rank.get(place) ?? places.length
  return [...items].sort((a, b) => at(a) - at(b) || order(a.kind, b.kind) || order(a.id, b.id))
}

function order (a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
