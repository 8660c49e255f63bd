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
  /** @param form  of the call; times are compared with those of their own form */
  answered: (firstByteMs: number, form: string, now: number) => void
  /** The engine said 429 or 503; `begunAt` is when that call was sent. */
  busy: (begunAt: number, now: number) => void
  scraped: (load: Load) => void
}

/** Answers to calls of one form, since they were last judged. */
interface Window {
  /** Mean time of the best window. */
  best: number
  answers: number
  sum: number
  /** How often every slot had been used before it began. */
  fullBefore: number
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
  /** By form: a whole reply comes after all its thinking, and says nothing of how soon a stream begins. */
  const windows = new Map<string, Window>()
  let fullTimes = 0

  function restart (window: Window): void {
    window.answers = 0
    window.sum = 0
    window.fullBefore = fullTimes
  }

  function shrink (factor: number, now: number): void {
    limit = Math.max(1, limit * factor)
    doubling = false
    shrunkAt = now
    for (const window of windows.values()) restart(window)
  }

  return {
    get value () { return Math.floor(limit) },
    begun (inFlight) { if (inFlight >= Math.floor(limit)) fullTimes += 1 },
    answered (firstByteMs, form, now) {
      let window = windows.get(form)
      if (window === undefined) {
        window = { best: Infinity, answers: 0, sum: 0, fullBefore: 0 }
        windows.set(form, window)
      }
      window.answers += 1
      window.sum += firstByteMs
      // About one round: every slot has answered once.
      if (window.answers < Math.max(windowMin, Math.floor(limit))) return
      const full = fullTimes > window.fullBefore
      const mean = window.sum / window.answers
      // With slots to spare nobody waited for another: that is what it takes now.
      const best = full ? Math.min(window.best, mean) : mean
      window.best = best
      const calm = scrape !== null && now - scrape.at <= loadFreshMs ? scrape.calm : null
      if (calm === null && mean > 2 * slowerBlind * best) {
        window.best = best * forget
        shrink(shrinkWaiting, now)
      } else if (full && calm !== false && mean <= (calm === null ? slowerBlind : slowerSeen) * best) {
        limit = Math.min(most, doubling ? limit * 2 : limit + Math.sqrt(limit))
      }
      restart(window)
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
