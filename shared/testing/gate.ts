/** Holds one call until it is let go: for races that must happen every time. */
import type { Doc, Index, Store } from '../store/store.ts'

type Call = (...asked: unknown[]) => Promise<unknown>

export interface Gate {
  /** Resolves when a call is held. */
  reached: Promise<void>
  /** The next call is held. */
  arm: () => void
  /** To be awaited by the call, before it is carried out. */
  pass: () => Promise<void>
  /** Lets the held one go. */
  open: () => void
}

export function createGate (): Gate {
  let hold = (): void => {}
  let open = (): void => {}
  const reached = new Promise<void>(resolve => { hold = resolve })
  const opened = new Promise<void>(resolve => { open = resolve })
  let armed = false
  return {
    reached,
    open,
    arm () { armed = true },
    async pass () {
      if (!armed) return
      armed = false
      hold()
      await opened
    }
  }
}

/** The store, with a gate before a method of one of its collections. */
export function gatedStore (
  store: Store, [collection, method]: readonly [string, string], gate: Gate
): Store {
  return {
    ...store,
    async collection<T extends Doc> (name: string, indexes?: readonly Index[]) {
      const whole = await store.collection<T>(name, indexes)
      if (name !== collection) return whole
      const call = (whole as unknown as Record<string, Call>)[method] as Call
      const held = async (...asked: unknown[]) => {
        await gate.pass()
        return await call(...asked)
      }
      return { ...whole, [method]: held }
    }
  }
}
