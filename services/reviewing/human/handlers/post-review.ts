/** Takes a person's review of an item. */
import { canonicalJson, idOf, sha256 } from '../../../../shared/contracts/hash.ts'
import type { Answers, HumanReview, HumanReviewRequest, Questionnaire } from '../../../../shared/contracts/human-review.ts'
import type { Check, Item } from '../../../../shared/contracts/item.ts'
import type { ReviewedItem } from '../../../../shared/contracts/review.ts'
import { Problem, type FieldError } from '../../../../shared/errors/problem.ts'
import { editItem } from '../domain/edit-item.ts'
import { itemEtag, stateEtag, tagsOf } from '../domain/etags.ts'
import {
  decidedByOthers, itemHashOf, opinionsMax, standingOf, standingOpinions, versionOf, withStanding,
  type HumanState, type Opinion
} from '../domain/opinions.ts'
import { answerFaults } from '../domain/questionnaires.ts'
import { shownAfter, type Shown } from '../domain/shown.ts'
import type { Subject } from '../store.ts'
import { markDone } from './seats.ts'
import type { HumanParts } from './parts.ts'
import { documentOf, recheckIn, refreshPartners, triesMax, writeStand } from './write-stand.ts'

export interface PostRequest { itemId: string, ifMatch: string | undefined, body: HumanReviewRequest }
export interface Posted extends Shown { created: boolean }

/**
 * The same rater, body and If-Match give the same review, however often they come; anything else
 * is a new review that supersedes the rater's last one.
 *
 * @throws Problem precondition-required without a tag, precondition-failed when what was read is no
 *   more what stands, invalid-request for an edit or answers that do not fit
 */
export async function postReview (
  parts: HumanParts, { itemId, ifMatch, body }: PostRequest
): Promise<Posted> {
  const tags = tagsOf(ifMatch)
  if (tags.length === 0) {
    throw new Problem('precondition-required', 'Send If-Match with the ETag of the item as you read it: etag of the queue, or ETag of GET /v1/reviewings/{reviewingId}/items/{itemId}.')
  }
  assertWhole(body)
  const questionnaire = await questionnaireOf(parts, body)
  const requestHash = sha256(canonicalJson({ body, tags }))
  return await parts.inTurn(`${body.reviewingId}.${itemId}`, async () =>
    await write(parts, itemId, { body, tags, requestHash, questionnaire }))
}

async function write (parts: HumanParts, itemId: string, asked: Asked): Promise<Posted> {
  const { body, requestHash } = asked
  for (let tries = 0; tries < triesMax; tries++) {
    const subject = await parts.human.getSubject(body.reviewingId, itemId)
    const standing = standingOf(subject.state, body.rater.id)
    if (standing?.requestHash === requestHash) {
      return await finish(parts, subject, { opinion: standing, created: false })
    }
    const { opinion, checks } = await opinionOn(parts, subject, asked)
    const state = { ...subject.state, opinions: [...subject.state.opinions, opinion] }
    const reviewed = await writeStand(parts, subject, { state, checks })
    if (reviewed !== undefined) return await finish(parts, { reviewed, state }, { opinion, created: true })
  }
  throw new Problem('conflict', 'Others write to this item all the time; send the review again.')
}

function assertWhole ({ decision, reason, edit, answers, questionnaireId }: HumanReviewRequest): void {
  const errors: FieldError[] = []
  if (decision === undefined && answers === undefined) errors.push({ pointer: '/body/decision', detail: 'or answers are needed' })
  if (decision === 'rejected' && reason.trim() === '') errors.push({ pointer: '/body/reason', detail: 'is needed to reject' })
  if ((decision === 'edited') !== (edit !== undefined)) errors.push({ pointer: '/body/edit', detail: 'goes with the decision edited, and that with an edit' })
  if (answers !== undefined && questionnaireId === undefined) errors.push({ pointer: '/body/questionnaireId', detail: 'is needed with answers' })
  refuse(errors)
}

/** @throws Problem invalid-request if there is a fault */
export function refuse (errors: FieldError[]): void {
  const [first] = errors
  if (first !== undefined) throw new Problem('invalid-request', `${first.pointer} ${first.detail}.`, { errors })
}

async function questionnaireOf (
  { human }: HumanParts, { questionnaireId, answers = {} }: HumanReviewRequest
): Promise<Questionnaire | undefined> {
  if (questionnaireId === undefined) return undefined
  const found = await human.findQuestionnaire(questionnaireId)
  if (found === undefined) {
    throw new Problem('questionnaire-not-found', `There is no questionnaire ${questionnaireId}; GET /v1/questionnaires lists those there are.`)
  }
  if (found.scope !== 'item') refuse([{ pointer: '/body/questionnaireId', detail: 'is about sets; POST /v1/set-reviews takes its answers' }])
  refuse(answerFaults(found, answers))
  return found
}

interface Asked {
  body: HumanReviewRequest
  tags: string[]
  requestHash: string
  questionnaire: Questionnaire | undefined
}

async function opinionOn (
  parts: HumanParts, subject: Subject, { body, tags, requestHash, questionnaire }: Asked
): Promise<{ opinion: Opinion, checks: Check[] | undefined }> {
  const { reviewed, state } = subject
  if (state.opinions.length >= opinionsMax) {
    throw new Problem('limit-exceeded', `The item has ${opinionsMax} reviews by people, which is all that is kept of one.`)
  }
  const { rater, decision = null, edit } = body
  const read = readVersion(subject, tags)
  const decides = decision !== null && read.current && !(read.blind && decidedByOthers(state, rater.id))
  if (edit !== undefined && !read.current) throw stale()
  const edited = edit === undefined ? null : editItem(read.item, edit, await documentOf(parts, read.item))
  refuse(edited?.faults ?? [])
  if (edited !== null && itemHashOf({ ...edited.item, checks: read.item.checks }) === itemHashOf(read.item)) {
    refuse([{ pointer: '/body/edit', detail: 'changes nothing; accept the item instead' }])
  }
  const checks = edited === null ? undefined : (await recheckIn(parts, reviewed, edited.item)).checks
  const supersedes = standingOf(state, rater.id)?.review.id ?? null
  const { answers = {}, questionnaireId = null, reviewingId, comment } = body
  const { reason, instructionVersion, seconds } = body
  const review: HumanReview = {
    id: idOf('review', { reviewingId, itemId: reviewed.item.id, requestHash, at: state.opinions.length }),
    itemId: reviewed.item.id,
    reviewer: { type: 'human', name: rater.id },
    role: 'human',
    round: null,
    itemHash: itemHashOf(read.item),
    scores: scoresOf(questionnaire, answers),
    reasons: {},
    checks: checks ?? [],
    verdict: 'unreviewed',
    comment,
    provenance: null,
    human: {
      reviewingId,
      rater,
      decision,
      reason,
      edit: edit ?? null,
      questionnaireId,
      answers,
      instructionVersion,
      seconds,
      blind: read.blind,
      decides,
      supersedes,
      standing: 'stands'
    }
  }
  return { opinion: { review, requestHash, edited: edited?.item ?? null, withdrawn: false }, checks }
}

/** What the tags say was read: the item as it stands, or, blind, the version another rater has rated. */
function readVersion (
  { reviewed, state }: Subject, tags: readonly string[]
): { item: Item, current: boolean, blind: boolean } {
  const { item } = reviewed
  if (tags.includes(stateEtag(reviewed))) return { item, current: true, blind: false }
  if (tags.includes(itemEtag(item))) return { item, current: true, blind: true }
  const rated = standingOpinions(state).flatMap(({ review }) => versionOf(state, review.itemHash) ?? [])
    .find(version => tags.includes(itemEtag(version)))
  if (rated === undefined) throw stale()
  return { item: rated, current: false, blind: true }
}

function stale (): Problem {
  return new Problem('precondition-failed', 'Somebody has edited or decided on the item since you read it; read it again, then review that.')
}

/** Points of five-point scales, as a model's review has them. */
function scoresOf (questionnaire: Questionnaire | undefined, answers: Answers): HumanReview['scores'] {
  const points = (questionnaire?.questions ?? []).flatMap(({ id, type, min, max }) => {
    const answer = answers[id]
    return type === 'scale' && min === 1 && max === 5 && typeof answer === 'number' ? [[id, answer] as const] : []
  })
  return points.length === 0 ? null : Object.fromEntries(points)
}

/** What follows the one write that counts; done again when the same review comes again. */
async function finish (
  parts: HumanParts, { reviewed, state }: { reviewed: ReviewedItem, state: HumanState },
  { opinion, created }: { opinion: Opinion, created: boolean }
): Promise<Posted> {
  await parts.human.settleReviews(reviewed.item.id)
  if (opinion.edited !== null && opinion.review.human.decides) await refreshPartners(parts, reviewed)
  await markDone(parts, reviewed, opinion.review.human.rater.id)
  return { ...shownAfter(withStanding(state, opinion), { reviewed, state }), created }
}
