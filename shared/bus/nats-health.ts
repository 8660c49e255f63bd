/**
 * Whether the bus works, from what its parts notice. A server that is reached may still take no
 * message (its stream is full) or give none (an operator changed the stream): work goes on by sweeps
 * and looks well from outside, so it must be said.
 */
import { NatsError } from 'nats'

/** A stream at its limit takes some messages between those it refuses, which is no news each time. */
const calmMs = 10_000

export interface BusState {
  working: boolean
  /** Where the server is, or why it cannot be reached, or why it takes or gives no message. */
  detail: string
}

export interface Health {
  working: () => boolean
  linked: (connected: boolean, detail: string) => void
  /** Why nothing can be taken of a subject; null when that is over. */
  consuming: (subject: string, trouble: string | null) => void
  /** Of a message that was sent over a connection that still stands. */
  refused: (cause: unknown) => void
  taken: () => void
}

/** @param onState  told of each change, never of the same trouble twice */
export function createHealth (onState: (state: BusState) => void, now = () => performance.now()): Health {
  /** By subject; what is sent is one for all. */
  const troubles = new Map<string, string>()
  const sending = ''
  let connected = false
  let refusedAt = -Infinity

  function note (what: string, trouble: string | null): void {
    if (trouble === (troubles.get(what) ?? null)) return
    if (trouble === null) troubles.delete(what)
    else troubles.set(what, trouble)
    if (!connected) return
    if (trouble !== null) onState({ working: false, detail: trouble })
    else if (troubles.size === 0) onState({ working: true, detail: 'Messages go out and are taken again' })
  }

  return {
    working: () => connected && troubles.size === 0,
    linked (nowConnected, detail) {
      connected = nowConnected
      // Perhaps another server, or one that was emptied: the next message shows it.
      if (connected) troubles.delete(sending)
      const [left] = troubles.values()
      if (connected && left !== undefined) onState({ working: false, detail: left })
      else onState({ working: connected, detail })
    },
    consuming: (subject, trouble) => note(subject, trouble === null ? null : `${subject}: ${trouble}`),
    refused (cause) {
      refusedAt = now()
      note(sending, `Messages are not taken: ${reasonOf(cause)}`)
    },
    taken () {
      if (troubles.has(sending) && now() - refusedAt >= calmMs) note(sending, null)
    }
  }
}

function reasonOf (cause: unknown): string {
  if (!(cause instanceof NatsError)) return 'unknown'
  return cause.api_error?.description ?? cause.code
}
