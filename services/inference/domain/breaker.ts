/**
 * Keeps calls from a server that does not work: opened by faults in a row, closed again by one call
 * sent as a probe once a backoff is over. A busy server works, and a caller who left says nothing.
 */

/** What an ended call says of the server; nothing when the caller left or the server was busy. */
export type Evidence = 'alive' | 'fault' | 'none'

export interface Breaker {
  readonly state: 'closed' | 'open' | 'probing'
  /** When a probe may be sent, in monotonic milliseconds; 0 when closed. */
  readonly probeAt: number
  /** The same when no other server is left to try: the backoff does not grow then. */
  readonly lastResortAt: number
  /** Whether a call may be sent: any when closed, else one when the time has come. */
  allows: (now: number) => boolean
  allowsLastResort: (now: number) => boolean
  /** Says whether the call about to be sent is the probe. */
  begin: () => boolean
  /** @param random in [0, 1), spreads the probes of many processes */
  end: (evidence: Evidence, wasProbe: boolean, at: { now: number, random: number }) => void
}

const faultsMax = 5
const backoffBaseMs = 1000
const backoffMaxMs = 30_000

export function breaker (): Breaker {
  let open = false
  let probing = false
  let faults = 0
  let openings = 0
  let probeAt = 0
  let lastResortAt = 0

  function trip (now: number, random: number): void {
    open = true
    openings += 1
    const backoffMs = Math.min(backoffMaxMs, backoffBaseMs * 2 ** Math.min(openings - 1, 10))
    const spread = 0.5 + random / 2
    probeAt = now + backoffMs * spread
    lastResortAt = now + backoffBaseMs * spread
  }

  return {
    get state () { return !open ? 'closed' : probing ? 'probing' : 'open' },
    get probeAt () { return probeAt },
    get lastResortAt () { return lastResortAt },
    allows: now => !open || (!probing && now >= probeAt),
    allowsLastResort: now => !open || (!probing && now >= lastResortAt),
    begin () {
      probing ||= open
      return open
    },
    end (evidence, wasProbe, { now, random }) {
      if (wasProbe) probing = false
      if (evidence === 'alive') {
        open = false
        faults = 0
        openings = 0
        probeAt = 0
        lastResortAt = 0
      } else if (evidence === 'fault') {
        faults += 1
        // Calls that were under way when it opened fail too; only the probe may prolong it.
        if (open ? wasProbe : faults >= faultsMax) trip(now, random)
      }
    }
  }
}
