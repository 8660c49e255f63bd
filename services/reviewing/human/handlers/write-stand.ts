/** Writes what follows from an opinion given or taken back: the item, its decision, its checks, its pair. */
import type { Document } from '../../../../shared/contracts/document.ts'
import type { Check, Item } from '../../../../shared/contracts/item.ts'
import type { ReviewedItem } from '../../../../shared/contracts/review.ts'
import { getDocumentToCheck } from '../../handlers/get-document.ts'
import { recheck, type Rechecked } from '../domain/edit-item.ts'
import { disputedBy, itemHashOf, standOf, type HumanState } from '../domain/opinions.ts'
import type { Subject } from '../store.ts'
import type { HumanParts } from './parts.ts'

/** Writes of others that one write may be overtaken by before it gives up. */
export const triesMax = 10

/** What an edit is checked against; null for an item of a bank, which has no paper. */
export async function documentOf ({ peers }: HumanParts, { source }: Item): Promise<Document | null> {
  return 'paperId' in source ? await getDocumentToCheck(peers, source) : null
}

/** What the checks say of the item in its surroundings as they are now. */
export async function recheckIn (parts: HumanParts, before: ReviewedItem, item: Item): Promise<Rechecked> {
  const document = await documentOf(parts, item)
  const partners = (await parts.human.partnersOf(before)).map(({ reviewed }) => reviewed)
  const others = (await parts.human.neighboursOf(before, item))
    .filter(other => !partners.some(partner => partner.item.id === other.item.id))
  return recheck(item, { document, partners, others })
}

/**
 * One write of one document, if nobody has written since the subject was read. Partners follow in
 * writes of their own: until then a benchmark takes neither, for a pair is taken whole.
 *
 * @param state  with the new opinion, or with one withdrawn; its version still as read
 * @returns      undefined when somebody was faster
 */
export async function writeStand (
  parts: HumanParts, read: Subject,
  { state, checks }: { state: HumanState, checks?: Check[] | undefined }
): Promise<ReviewedItem | undefined> {
  const { edit, disputed: _, ...reviewed } = read.reviewed
  const { editor, ...stand } = standOf(state)
  const changed = itemHashOf(stand.item) !== itemHashOf(reviewed.item)
  const said = changed ? checks ?? (await recheckIn(parts, reviewed, stand.item)).checks : undefined
  const failedChecks = said?.filter(({ passed }) => !passed).map(({ name }) => name) ?? reviewed.failedChecks
  const isDisputed = disputedBy(state)
  const value: ReviewedItem = {
    ...reviewed,
    ...stand,
    failedChecks,
    eligible: failedChecks.length === 0,
    ...isDisputed && { disputed: true },
    ...editor !== null && { edit: { role: editor, checks: said ?? edit?.checks ?? [] } }
  }
  const after = { ...state, version: state.version + 1, disputed: isDisputed }
  return await parts.human.save(value, after, read) ? value : undefined
}

/** Brings the other members of a pair up to what the item now is. Doing it twice changes nothing. */
export async function refreshPartners (parts: HumanParts, value: ReviewedItem): Promise<void> {
  for (const { reviewed: { item: { id } } } of await parts.human.partnersOf(value)) {
    for (let tries = 0; tries < triesMax; tries++) {
      // The partner first, which the write guards; then the item as it is by now: of two who write at
      // once the slower must not have the partner judged by a text that no longer stands.
      const read = await parts.human.getSubject(value.reviewingId, id)
      const { reviewed: now } = await parts.human.getSubject(value.reviewingId, value.item.id)
      const { partnersFailed } = await recheckIn(parts, now, now.item)
      const { reviewed, state } = read
      const failedChecks = partnersFailed.get(id) ?? reviewed.failedChecks
      if (failedChecks.join() === reviewed.failedChecks.join()) break
      const { edit: before } = reviewed
      const edit = before && { ...before, checks: (await recheckIn(parts, reviewed, reviewed.item)).checks }
      const next = { ...reviewed, failedChecks, eligible: failedChecks.length === 0, ...edit && { edit } }
      if (await parts.human.save(next, { ...state, version: state.version + 1 }, read)) break
    }
  }
}
