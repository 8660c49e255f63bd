/**
 * What people have said of one item, in order, and what follows from it. Nothing is taken away: an
 * opinion that is superseded or withdrawn stays and no longer counts.
 */
import { canonicalJson, sha256 } from '../../../../shared/contracts/hash.ts'
import type { HumanReview } from '../../../../shared/contracts/human-review.ts'
import type { Item } from '../../../../shared/contracts/item.ts'
import type { RaterRole, ReviewedItem, Revision } from '../../../../shared/contracts/review.ts'

export interface Opinion {
  review: HumanReview
  /** sha256 of what was sent, by which the same request is known again. */
  requestHash: string
  /** The item as the rater would have it. */
  edited: Item | null
  withdrawn: boolean
}

/** Kept with the reviewed item. `base`: as the reviewing left it. */
export interface HumanState {
  /** Counts writes; guards them. */
  version: number
  base: ReviewedItem
  opinions: Opinion[]
  disputed: boolean
}

/** More than any panel has; each holds a whole item where it edits. */
export const opinionsMax = 100

export function beginning (reviewed: ReviewedItem): HumanState {
  return { version: 0, base: reviewed, opinions: [], disputed: false }
}

export function itemHashOf (item: Item): string {
  return sha256(canonicalJson(item))
}

/** Of the last opinion of the rater that is not withdrawn. */
export function standingOf ({ opinions }: HumanState, raterId: string): Opinion | undefined {
  return opinions.findLast(opinion => !opinion.withdrawn && opinion.review.human.rater.id === raterId)
}

/** One for each rater, in the order in which they were given. */
export function standingOpinions (state: HumanState): Opinion[] {
  return state.opinions.filter(opinion => standingOf(state, opinion.review.human.rater.id) === opinion)
}

/**
 * What each rater last said of one matter, in the order in which it was said: a review that is silent
 * on it (answers alone, or of another questionnaire) takes nothing back.
 */
export function lastOn (
  { opinions }: HumanState, isAbout: (human: HumanReview['human']) => boolean
): Opinion[] {
  const about = opinions.filter(({ withdrawn, review }) => !withdrawn && isAbout(review.human))
  const last = new Map(about.map(opinion => [opinion.review.human.rater.id, opinion]))
  return about.filter(opinion => last.get(opinion.review.human.rater.id) === opinion)
}

export function lastDecisions (state: HumanState): Opinion[] {
  return lastOn(state, ({ decision }) => decision !== null)
}

/** Those that made the item what it is: superseded ones too, where they edited it. */
function deciding ({ opinions }: HumanState): Opinion[] {
  return opinions.filter(({ withdrawn, review }) => !withdrawn && review.human.decides)
}

/**
 * Every edit that ever stood, with its number among the versions. One that was taken back keeps its
 * number: what was once read, frozen or cited under it is never another text.
 */
function numberedEdits ({ base, opinions }: HumanState): Array<Opinion & { edited: Item, revision: number }> {
  const first = (base.lastRevision ?? base.revision) + 1
  return opinions.flatMap(opinion => opinion.edited !== null && opinion.review.human.decides
    ? { ...opinion, edited: opinion.edited }
    : []).map((opinion, i) => ({ ...opinion, revision: first + i }))
}

/** `editor`: the role of the person who wrote the text that stands; null where none did. */
export interface Stand extends Pick<ReviewedItem, 'item' | 'revision' | 'verdict' | 'decision'> {
  editor: RaterRole | null
}

/**
 * The item as people left it. What a model thought of another text is no verdict on this one: an
 * edited item is unreviewed until it is reviewed anew.
 */
export function standOf (state: HumanState): Stand {
  const { base } = state
  const decided = deciding(state)
  const edit = numberedEdits(state).findLast(({ withdrawn }) => !withdrawn)
  return {
    item: edit?.edited ?? base.item,
    revision: edit?.revision ?? base.revision,
    verdict: edit === undefined ? base.verdict : 'unreviewed',
    decision: decided.at(-1)?.review.human.decision ?? base.decision,
    editor: edit?.review.human.rater.role ?? null
  }
}

/** What people made of the item, as versions that go on from those of the loop. */
export function editsOf (state: HumanState): Revision[] {
  const { reviewingId, item: { id: itemId } } = state.base
  return numberedEdits(state).map(({ edited, review, revision }) => ({
    itemId,
    reviewingId,
    revision,
    author: { type: 'human' as const, name: review.human.rater.id },
    round: null,
    itemHash: itemHashOf(edited),
    item: edited
  }))
}

/** The version with this hash, of those that ever stood, proposed or not. */
export function versionOf ({ base, opinions }: HumanState, itemHash: string): Item | undefined {
  return [base.item, ...opinions.flatMap(({ edited }) => edited ?? [])]
    .find(item => itemHashOf(item) === itemHash)
}

/**
 * Which version a blind rater is to read: the one that the first rater read, so that both rate the
 * same; the item as it stands where nobody has rated.
 */
export function versionForBlind (state: HumanState, raterId: string): Item {
  const first = standingOpinions(state).find(({ review }) => review.human.rater.id !== raterId)
  const read = first === undefined ? undefined : versionOf(state, first.review.itemHash)
  return read ?? standOf(state).item
}

export function decidedByOthers (state: HumanState, raterId: string): boolean {
  return deciding(state).some(({ review: { human } }) => human.rater.id !== raterId)
}

/**
 * Whether raters disagree on rejecting the item, and nobody who saw that has decided since. A
 * decision that was made blind settles no dispute.
 */
export function disputedBy (state: HumanState): boolean {
  const standing = lastDecisions(state)
  const settled = standing.findLastIndex(({ review: { human } }) => human.rater.role === 'adjudicator' && !human.blind)
  const since = standing.slice(settled + 1)
  const rejects = ({ review }: Opinion) => review.human.decision === 'rejected'
  if (settled >= 0) return since.some(opinion => rejects(opinion) !== rejects(standing[settled]!))
  return since.some(rejects) && !since.every(rejects)
}

/** A review as others read it, with what has become of it. */
export function withStanding (state: HumanState, { review, withdrawn }: Opinion): HumanReview {
  const stands = standingOf(state, review.human.rater.id)?.review.id === review.id
  const standing = withdrawn ? 'withdrawn' : stands ? 'stands' : 'superseded'
  return { ...review, human: { ...review.human, standing } }
}

/** Why the rater may not take this review back, or null. */
export function reasonAgainstUndo (state: HumanState, opinion: Opinion): string | null {
  const { review } = opinion
  const raterId = review.human.rater.id
  if (standingOf(state, raterId) !== opinion) return 'Only the last review of a rater is taken back; a later one of yours stands.'
  if (!review.human.decides) return null
  return deciding(state).at(-1) === opinion
    ? null
    : 'Another rater has decided since, on the item as you left it; review it anew instead.'
}
