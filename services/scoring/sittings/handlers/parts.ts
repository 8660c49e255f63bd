/** What the handlers of sittings work with. */
import type { Parts } from '../../handlers/parts.ts'

export interface SittingParts extends Pick<Parts, 'sittings' | 'store' | 'benchmarks' | 'jobs'> {
  /** Milliseconds since 1970: a sitting outlives the process, and its clock with it. */
  now: () => number
}
