/** What the handlers of human review are given. */
import type { Peers } from '../../peers.ts'
import type { CandidateLists } from '../candidates.ts'
import type { InTurn } from '../in-turn.ts'
import type { LeaseWatch } from '../domain/lease-watch.ts'
import type { HumanStore } from '../store.ts'
import type { ReviewingStore } from '../../store.ts'

export interface HumanParts {
  peers: Pick<Peers, 'parsing'>
  human: HumanStore
  store: Pick<ReviewingStore, 'listReviews'>
  watch: LeaseWatch
  candidates: CandidateLists
  /** By item. */
  inTurn: InTurn
  /** @throws Problem reviewing-not-found */
  assertReviewing: (reviewingId: string) => Promise<void>
}
