/** What partial-input baselines work with. */
import type { Blobs } from '../../../../shared/blobs/blobs.ts'
import type { PartialInputRequest } from '../../../../shared/contracts/partial-input.ts'
import type { ReplyReader } from '../../../../shared/reading/reply-reader.ts'
import type { Jobs } from '../../../../shared/tasks/tasks.ts'
import type { ReviewingSpec } from '../../handlers/review-paper.ts'
import type { UnitParts } from '../../handlers/unit-parts.ts'
import type { Peers } from '../../peers.ts'
import type { ReviewingStore } from '../../store.ts'
import type { BaselinePrompts } from '../prompts.ts'
import type { BaselineStore } from '../store.ts'

/** A request with nothing left open, as it makes the id. */
export interface BaselineSpec extends Omit<PartialInputRequest, 'models' | 'families'> {
  /** `vision` as inference said when it was opened: one that learns to see meanwhile changes nothing. */
  models: Array<{ name: string, family: string, vision: boolean }>
  prompts: Array<{ name: string, hash: string }>
  itemCount: number
  callCount: number
}

export interface BaselineTask { itemId: string, model: number }

export type PaperReader = Pick<UnitParts, 'documentOf' | 'imageOf'>

export interface BaselineParts {
  peers: Peers
  store: ReviewingStore
  baselines: BaselineStore
  reviewings: Jobs<ReviewingSpec>
  jobs: Jobs<BaselineSpec>
  prompts: BaselinePrompts
  blobs: Blobs
  replies: ReplyReader
  /** Papers as parsing has them, or as a benchmark froze them. */
  readerFor: (source: BaselineSpec['source']) => Promise<PaperReader>
  timeoutMs: number
}
