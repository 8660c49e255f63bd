/** What kills cost in calls, by the ledger of the model server. */
import type { Answered } from './model-server.ts'

export interface Repeats {
  /** Answers in full beyond the first of the same request. */
  repeated: number
  /**
   * Those of them with no kill between the beginning of the first answer and the next asking. An answer
   * that was under way at a kill may end whole for the server, which wrote it to a socket nobody reads.
   */
  unexplained: number
  /** Requests that were neither answered nor given up at a kill, all kills together. */
  inFlight: number
  /** The longest time before a kill that an answer had come and was asked for again nonetheless. */
  lagMs: number
}

/** @param deaths  in ascending order, on the ledger's clock */
export function repeatsOf (ledger: readonly Answered[], deaths: readonly number[]): Repeats {
  const found: Repeats = { repeated: 0, unexplained: 0, inFlight: 0, lagMs: 0 }
  for (const death of deaths) {
    found.inFlight += ledger.filter(({ from, to }) => from <= death && (to ?? Infinity) > death).length
  }
  const first = new Map<string, Answered>()
  const whole = ledger.filter(each => each.whole).sort((a, b) => (a.to ?? Infinity) - (b.to ?? Infinity))
  for (const answered of whole) {
    const before = first.get(answered.sha)
    first.set(answered.sha, answered)
    if (before === undefined) continue
    found.repeated++
    const death = deaths.find(at => at > before.from)
    if (death === undefined || death > answered.from) found.unexplained++
    else found.lagMs = Math.max(found.lagMs, death - (before.to ?? Infinity))
  }
  return found
}
