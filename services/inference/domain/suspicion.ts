/**
 * Whether a server may hang: it takes calls and says nothing, and callers leave before any limit of ours
 * has passed. That a caller leaves says nothing of the server; that no byte of any call came while callers
 * waited much longer than they usually need to does. It is no proof: a suspect goes on being tried, by one
 * call at a time and after others, and the first byte clears it.
 */

export interface Suspicion {
  /** Whether no byte has come since it was suspected. */
  readonly stands: boolean
  /** Until then others are preferred, in monotonic milliseconds. */
  readonly avoidedUntil: number
  /** Usual time to the first byte of calls of this form; null when none was answered. */
  usualMs: (form: string) => number | null
  /** An answer has come, of whatever kind. */
  heard: () => void
  answered: (firstByteMs: number, form: string) => void
  /**
   * A call ended without an answer and without a fault.
   * @returns whether the server is suspected for it
   */
  left: (silence: Silence, now: number) => boolean
}

/** Monotonic milliseconds. */
export interface Silence {
  begunAt: number
  /** When the last byte of any call came from there; -Infinity before the first. */
  heardAt: number
  /** Usual for such a call, here or elsewhere; null where nothing is known. */
  usualMs: number | null
}

/** A wait of less than so many times the usual one is nothing special. */
const longerThanUsual = 2
/** Waited for in vain, by calls that waited that long; shorter silences are the network's. */
const silenceMinMs = 2_000
/** What is taken to be usual as long as nothing was answered. */
const unknownUsualMs = 15_000
const avoidBaseMs = 1_000
const avoidMaxMs = 30_000

export function suspicion (): Suspicion {
  const usual = new Map<string, number>()
  let stands = false
  let times = 0
  let silentMs = 0
  let countedTo = -Infinity
  let avoidedUntil = 0

  function heard (): void {
    stands = false
    times = 0
    silentMs = 0
    avoidedUntil = 0
  }

  return {
    get stands () { return stands },
    get avoidedUntil () { return avoidedUntil },
    usualMs: form => usual.get(form) ?? null,
    heard,
    answered (firstByteMs, form) {
      const before = usual.get(form) ?? firstByteMs
      usual.set(form, before + (firstByteMs - before) / 8)
      heard()
    },
    left ({ begunAt, heardAt, usualMs }, now) {
      if (heardAt > countedTo) heard()
      const since = Math.max(begunAt, heardAt)
      if (now - since < longerThanUsual * (usualMs ?? unknownUsualMs)) return false
      // Of calls that wait side by side the time counts once.
      silentMs += now - Math.max(since, countedTo)
      countedTo = now
      if (silentMs < silenceMinMs) return false
      stands = true
      avoidedUntil = now + Math.min(avoidMaxMs, avoidBaseMs * 2 ** Math.min(times++, 10))
      return true
    }
  }
}
