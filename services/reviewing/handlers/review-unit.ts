/** The loop of one item or pair with a model: the task of a reviewing with the strategy model. */
import { canonicalJson, idOf, sha256 } from '../../../shared/contracts/hash.ts'
import type { Check, Item } from '../../../shared/contracts/item.ts'
import type { Review, ReviewedItem, Revision } from '../../../shared/contracts/review.ts'
import { Problem } from '../../../shared/errors/problem.ts'
import { allPassed, checkUnit, settleUnit } from '../domain/check-unit.ts'
import { reviewedAs } from '../domain/review-items.ts'
import { budgetSpent } from '../domain/review-order.ts'
import { reviewLoop, type Ended, type Judged, type Step, type Version, type Written } from '../domain/loop/loop.ts'
import { rightChoice } from '../domain/loop/review-prompt.ts'
import { textOf } from '../domain/loop/rewrite.ts'
import { standingOf, worstOf } from '../domain/loop/verdict.ts'
import type { SavedReview, SavedUnit } from '../unit-store.ts'
import { askReview } from './ask-review.ts'
import { askRewrite, type Draft, type WriteStep } from './ask-rewrite.ts'
import type { UnitParts, UnitWork } from './unit-parts.ts'

/**
 * Everything the loop came to, ready to be stored. Nothing is stored on the way: every call is on
 * record with inference under what was asked, so that whoever starts again comes to the same.
 *
 * @param items  of the unit as they were made
 * @throws       Problem of a peer: the unit is not reviewed yet
 */
export async function reviewUnit (
  parts: UnitParts, work: UnitWork, { items, generationId }: { items: readonly Item[], generationId: string }
): Promise<SavedUnit> {
  const { reviewingId, paper } = work
  const duplicateOf = await parts.duplicatesOf({ reviewingId, generationId, paper })
  const checks = settleUnit(items, checkUnit(items, work.document), duplicateOf)
  const made: Version = { revision: 0, items, checks }
  const asMade = items.map((item, i): SavedReview => (
    { value: reviewedAs(item, checks[i]!, reviewingId).review }))
  if (items.some(({ id }) => duplicateOf.has(id))) {
    // To judge it would cost calls and change nothing: it is not to be frozen.
    return savedUnit(work, { ended: { kept: made, verdict: 'unreviewed', rounds: 0 }, reviews: asMade, revisions: [] })
  }

  const reviews = asMade
  const revisions = revisionsOf(work, made, 0)
  const seen = new Set([items.map(textOf).join('\n')])
  const loop = reviewLoop(made, { maxRounds: work.recipe.maxRounds })
  for (let next = loop.next(); ;) {
    if (next.done === true) return savedUnit(work, { ended: next.value, reviews, revisions })
    work.signal.throwIfAborted()
    try {
      next = loop.next(await answerTo(parts, work, { step: next.value, seen, reviews, revisions }))
    } catch (cause) {
      if (work.recipe.tokensMax === undefined || !(cause instanceof Problem) || cause.kind !== 'budget-exhausted') throw cause
      return outOfBudget(work, made, { reviews, revisions })
    }
  }
}

/**
 * What was paid for stays on record, but only the last review gives a verdict, and it was not reached:
 * the item stands as it was made.
 */
function outOfBudget (
  work: UnitWork, made: Version, { reviews, revisions }: Pick<Found, 'reviews' | 'revisions'>
): SavedUnit {
  const comment = `${budgetSpent}recipe.tokensMax (${work.recipe.tokensMax}) was spent before this item had its last review; a reviewing with a larger one begins from what is on record.`
  const none = made.items.map((item, i) => reviewThatIsNone(work, { item, checks: made.checks[i]!, comment }))
  const ended: Ended = { kept: made, verdict: 'unreviewed', rounds: 0 }
  return { ...savedUnit(work, { ended, reviews: [...reviews, ...none], revisions }), unreviewedFor: 'budget' }
}

interface None { item: Item, checks: readonly Check[], comment: string }

/** That no review could be had, and why. */
export function reviewThatIsNone (
  { reviewingId, recipe }: UnitWork, { item, checks, comment }: None
): SavedReview {
  return {
    value: {
      id: idOf('review', { reviewingId, itemId: item.id, role: 'failed', comment }),
      itemId: item.id,
      reviewer: { type: 'model', name: recipe.model },
      role: 'round',
      round: null,
      itemHash: sha256(canonicalJson(item)),
      scores: null,
      reasons: {},
      checks: [...checks],
      verdict: 'unreviewed',
      comment,
      provenance: null
    }
  }
}

interface Asked { step: Step, seen: Set<string>, reviews: SavedReview[], revisions: Revision[] }

async function answerTo (parts: UnitParts, work: UnitWork, asked: Asked): Promise<Judged | Written> {
  const { step, seen, reviews, revisions } = asked
  if (step.ask === 'review') {
    const { role, round } = step
    const own = await Promise.all(step.version.items.map(async item =>
      await askReview(parts, work, { item, role, round })))
    const isRewritten = role === 'round' && step.version.revision > 0
    reviews.push(...own.map((value, i) => ({ value, ...isRewritten && i === 0 && { rewrite: 'taken' } })))
    return judgedBy(own, step.version.items)
  }
  const draft = await askRewrite(parts, work, { step, seen })
  if (draft.faults !== undefined) {
    reviews.push(...rejectedAs(work, step, draft))
    return { rejected: draft.faults }
  }
  const version = { revision: step.revision, items: draft.items, checks: draft.checks }
  seen.add(draft.items.map(textOf).join('\n'))
  revisions.push(...revisionsOf(work, version, step.round))
  return { version }
}

/** A pair is judged as a whole: by the worse verdict, and by the scores of both members together. */
function judgedBy (reviews: readonly Review[], items: readonly Item[]): Judged {
  const whose = (i: number) => items.length === 1 ? '' : ` of the question with the answer ${rightChoice(items[i]!)}`
  const scores = reviews.map(({ scores }) => scores)
  return {
    verdict: worstOf(reviews.map(({ verdict }) => verdict)),
    standing: scores.includes(null) ? null : standingOf(scores.map(each => each!)),
    objections: reviews.flatMap(({ scores, reasons }, i) => Object.entries(scores ?? {})
      .filter(([, score]) => score < 4).map(([about]) => ({ about: about + whose(i), reason: reasons[about] ?? '' })))
  }
}

/** A round whose rewriting was not taken is on record like every other. */
function rejectedAs (
  { reviewingId }: UnitWork, step: WriteStep, draft: Draft & { faults: object[] }
): SavedReview[] {
  const { round, from } = step
  const items = draft.items ?? from.items
  return items.map((item, i): SavedReview => ({
    value: {
      id: idOf('review', { reviewingId, itemId: item.id, role: 'rejected', round }),
      itemId: item.id,
      reviewer: { type: 'checks', name: 'mechanical' },
      role: 'round',
      round,
      itemHash: sha256(canonicalJson(item)),
      scores: null,
      reasons: {},
      checks: draft.checks[i] ?? [],
      verdict: 'unreviewed',
      comment: `What was rewritten is not taken. ${draft.faults.map(({ about, reason }) => `${about}: ${reason}`).join(' ')}`,
      provenance: draft.provenance
    },
    ...i === 0 && { rewrite: `rejected:${draft.faults[0]!.about}` }
  }))
}

function revisionsOf (work: UnitWork, { revision, items }: Version, round: number): Revision[] {
  const { reviewingId, recipe } = work
  return items.map(item => ({
    itemId: item.id,
    reviewingId,
    revision,
    author: revision === 0
      ? { type: 'generation', name: item.provenance.model ?? item.provenance.strategy }
      : { type: 'model', name: recipe.model },
    round,
    itemHash: sha256(canonicalJson(item)),
    item
  }))
}

interface Found { ended: Ended, reviews: SavedReview[], revisions: Revision[] }

function savedUnit ({ reviewingId }: UnitWork, { ended, reviews, revisions }: Found): SavedUnit {
  const { kept, verdict, rounds } = ended
  return {
    reviews,
    revisions,
    rounds,
    reviewed: kept.items.map((item, i): ReviewedItem => ({
      item,
      reviewingId,
      verdict,
      eligible: allPassed(kept.checks[i]!),
      failedChecks: kept.checks[i]!.filter(check => !check.passed).map(({ name }) => name),
      revision: kept.revision,
      lastRevision: Math.max(0, ...revisions.map(({ revision }) => revision)),
      decision: null
    }))
  }
}
