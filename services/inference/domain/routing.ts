/**
 * Which replica a call goes to: the one that would be done with it soonest, reckoned in tokens.
 * What a replica has to do is what we have sent it and not got back, which we know without delay;
 * gauges it publishes only add what others have sent. What its prefix cache saves of this call is
 * work it need not do. Measured by simulation in test/routing.test.ts.
 */

export interface Candidate {
  /** Tokens under way there or waiting for it, ours and others'. */
  work: number
  /** The same, as a number of calls. */
  calls: number
  /** Share of the load relative to others, above 0. */
  weight: number
  /** Tokens of this call its prefix cache probably holds. */
  saved: number
}

/** Twice, for the call that brought the prefix there may itself still count as work. */
const savedWorth = 2

/** No replica is given more than this times its share of all calls for the sake of its cache, … */
const overloadMax = 1.25
/** … but so many above its share are no overload: one paper's questions may stay together. */
const overloadCalls = 8

/**
 * @param tokens  of the call, prompt and completion
 * @param turn    any number that changes from call to call: equals take turns
 * @returns       index of the best of `candidates`; -1 if there is none
 */
export function chooseReplica (candidates: readonly Candidate[], tokens: number, turn: number): number {
  let calls = 1
  let weights = 0
  for (const candidate of candidates) {
    calls += candidate.calls
    weights += candidate.weight
  }
  const perWeight = calls / weights
  let best = -1
  let least = Infinity
  for (let step = 0; step < candidates.length; step++) {
    const at = (turn + step) % candidates.length
    const { work, calls: own, weight, saved } = candidates[at] as Candidate
    const share = perWeight * weight
    const overloaded = own + 1 > Math.max(share * overloadMax, share + overloadCalls)
    const cost = (work + tokens - (overloaded ? 0 : savedWorth * saved)) / weight
    if (cost >= least) continue
    best = at
    least = cost
  }
  return best
}

/** Gauges older than this say nothing about now. */
export const loadFreshMs = 2500

/**
 * Calls of others at a replica, by its gauges; 0 where they are missing or stale.
 *
 * @param load    gauges as scraped
 * @param ours    the most we have had under way there since before the scrape
 */
export function foreignCalls (
  load: { running: number | null, waiting: number | null, at: number } | null, ours: number, now: number
): number {
  if (load === null || load.running === null || now - load.at > loadFreshMs) return 0
  return Math.max(0, load.running + (load.waiting ?? 0) - ours)
}
