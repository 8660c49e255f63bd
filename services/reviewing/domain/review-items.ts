/** Reviews the items of one paper by checks alone: everything a reviewing knows without a model. */
import type { Document } from '../../../shared/contracts/document.ts'
import { canonicalJson, idOf, sha256 } from '../../../shared/contracts/hash.ts'
import type { Check, Item } from '../../../shared/contracts/item.ts'
import type { Review, ReviewedItem } from '../../../shared/contracts/review.ts'
import { checkItem } from './check-item.ts'
import { duplicatesAmong, unitsOf } from './duplicates.ts'

export interface Reviewed { review: Review, reviewed: ReviewedItem }

export interface ReviewRequest {
  reviewingId: string
  document: Document
  /** Of that document, in any order. */
  items: readonly Item[]
}

/**
 * Checks every item, then compares those that passed with the earlier ones, then lets pairs live
 * or die together. Earlier means: abstract first, then sections and figures as they stand in the
 * document, within a place by kind, then by id. The verdict is always `unreviewed`: that no check
 * failed does not make an item good.
 *
 * @returns  one entry for each item, in that order; stops after each item or pair, so that a caller
 *           with other work may turn to it
 */
export function * reviewItems (request: ReviewRequest): Generator<void, Reviewed[]> {
  const { reviewingId, document, items } = request
  const ordered = inReadingOrder(items, document)
  const units = unitsOf(ordered)
  const checksOf = new Map<string, Check[]>()
  for (const unit of units) {
    yield
    for (const item of unit) {
      const partners = item.pairId === undefined ? [] : unit.filter(({ id }) => id !== item.id)
      checksOf.set(item.id, checkItem({ item, document, partners }))
    }
  }
  const passing = ({ id }: Item) => checksOf.get(id)!.every(check => check.passed)
  const sound = units.filter(unit => unit.every(passing))
  const duplicateOf = yield * duplicatesAmong(sound)
  for (const { id } of sound.flat()) checksOf.get(id)!.push(duplicateCheck(duplicateOf.get(id)))
  for (const unit of units) {
    const broken = unit.filter(item => !passing(item))
    for (const { id } of unit.length > 1 ? unit : []) {
      checksOf.get(id)!.push(partnerCheck(broken.find(other => other.id !== id), checksOf))
    }
  }
  return ordered.map(item => reviewedAs(item, checksOf.get(item.id)!, reviewingId))
}

function duplicateCheck (earlierId: string | undefined): Check {
  return earlierId === undefined
    ? { name: 'duplicate', passed: true, detail: 'No earlier item of the paper asks the same.' }
    : { name: 'duplicate', passed: false, detail: `The earlier item ${earlierId} asks the same.` }
}

function partnerCheck (broken: Item | undefined, checksOf: Map<string, Check[]>): Check {
  if (broken === undefined) return { name: 'partner', passed: true, detail: 'Its pair is whole.' }
  const failed = checksOf.get(broken.id)!.find(check => !check.passed)
  return { name: 'partner', passed: false, detail: `Its partner ${broken.id} failed ${failed?.name}.` }
}

function reviewedAs (item: Item, checks: Check[], reviewingId: string): Reviewed {
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
  const places = ['abstract', ...document.sections.map(({ id }) => id), ...document.figures.map(({ id }) => id)]
  const rank = new Map(places.map((place, i) => [place, i]))
  const at = ({ place }: Item) => rank.get(place) ?? places.length
  return [...items].sort((a, b) => at(a) - at(b) || order(a.kind, b.kind) || order(a.id, b.id))
}

function order (a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
