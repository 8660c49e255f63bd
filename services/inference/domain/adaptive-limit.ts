/**
 * How many calls to have under way at an upstream that declares no slots: as many as it works on
 * without making any wait. Grows while every slot is used, the engine's own queue is empty and
 * first bytes come not much later; shrinks when the engine refuses for load or lets requests wait.
 */
import type { Load } from './replica.ts'
import { loadFreshMs } from './routing.ts'

export interface AdaptiveLimit {
  /** Whole, 1 to 1,024. */
  readonly value: number
  begun: (inFlight: number) => void
  answered: (firstByteMs: number, now: number) => void
  /** The engine said 429 or 503; `begunAt` is when that call was sent. */
  busy: (begunAt: number, now: number) => void
  scraped: (load: Load) => void
}

const first = 4
const most = 1024
/** Windows shorter than this say too little about first bytes. */
const windowMin = 8
const shrinkBusy = 0.7
const shrinkWaiting = 0.9
/**
 * Mean time to the first byte, relative to the best window, that stops growth: of an engine that
 * says how many wait, for larger batches are slower and yet worth it, and of one that does not.
 */
const slowerSeen = 8
const slowerBlind = 2
/** Cuts that do not help tell that prompts have changed: the best window is forgotten a little. */
const forget = 1.05

export function adaptiveLimit (): AdaptiveLimit {
  let limit = first
  /** Doubling until the first sign of too much. */
  let doubling = true
  let shrunkAt = -Infinity
  let scrape: { at: number, calm: boolean } | null = null
  let best = Infinity
  let answers = 0
  let sum = 0
  let full = false

  function startWindow (): void {
    answers = 0
    sum = 0
    full = false
  }

  function shrink (factor: number, now: number): void {
    limit = Math.max(1, limit * factor)
    doubling = false
    shrunkAt = now
    startWindow()
  }

  return {
    get value () { return Math.floor(limit) },
    begun (inFlight) { full ||= inFlight >= Math.floor(limit) },
    answered (firstByteMs, now) {
      answers += 1
      sum += firstByteMs
      // About one round: every slot has answered once.
      if (answers < Math.max(windowMin, Math.floor(limit))) return
      const mean = sum / answers
      // With slots to spare nobody waited for another: that is what it takes now.
      best = full ? Math.min(best, mean) : mean
      const calm = scrape !== null && now - scrape.at <= loadFreshMs ? scrape.calm : null
      if (calm === null && mean > 2 * slowerBlind * best) {
        best *= forget
        shrink(shrinkWaiting, now)
      } else if (full && calm !== false && mean <= (calm === null ? slowerBlind : slowerSeen) * best) {
        limit = Math.min(most, doubling ? limit * 2 : limit + Math.sqrt(limit))
      }
      startWindow()
    },
    busy (begunAt, now) {
      // Those sent before the last cut are answers to the old limit.
      if (begunAt >= shrunkAt) shrink(shrinkBusy, now)
    },
    scraped ({ running, waiting, at }) {
      if (waiting === null || (scrape !== null && at <= scrape.at)) return
      // A few are always just being taken in.
      const calm = waiting <= Math.max(2, (running ?? 0) * 0.05)
      // Once may be a burst.
      if (!calm && scrape?.calm === false) shrink(shrinkWaiting, at)
      scrape = { at, calm }
    }
  }
}
