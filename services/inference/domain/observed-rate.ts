/** How long calls of a model have taken lately, by what they wrote. */
import type { CallRecord } from './call.ts'

/** Sums that forget: each further call makes those before it count a hundredth less. */
export interface ObservedRate { calls: number, busyMs: number, completionTokens: number }

const forgets = 0.99
/** Fewer say nothing: the first ones warm the server up. */
const callsMin = 5

/** Adds an answered call that wrote something, in place; others say nothing of how fast a model writes. */
export function observe (rate: ObservedRate, { outcome, source, usage, totalMs, queueMs }: CallRecord): void {
  const written = usage.completionTokens
  if (outcome !== 'answered' || source !== 'upstream' || written === null || written === 0) return
  rate.calls = rate.calls * forgets + 1
  rate.busyMs = rate.busyMs * forgets + Math.max(0, totalMs - queueMs)
  rate.completionTokens = rate.completionTokens * forgets + written
}

/** Milliseconds of one call for each token it writes, prompt included; null before five calls. */
export function msPerToken ({ calls, busyMs, completionTokens }: ObservedRate): number | null {
  return calls < callsMin * forgets ** callsMin ? null : busyMs / completionTokens
}
