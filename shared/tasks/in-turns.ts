/** Computing that stops after each step, so that others in this process have their turn. */
import { setImmediate } from 'node:timers/promises'

/** Far below what others feel; giving way after each of many small steps would take longer than they do. */
const turnMs = 10

/**
 * What the steps come to. Holds the event loop for `turnMs` and one step at most.
 *
 * @param signal  looked at before each step
 */
export async function inTurns<T> (steps: Iterator<void, T>, signal?: AbortSignal): Promise<T> {
  for (let turn = performance.now(); ;) {
    signal?.throwIfAborted()
    const step = steps.next()
    if (step.done === true) return step.value
    if (performance.now() - turn < turnMs) continue
    await setImmediate()
    turn = performance.now()
  }
}

/** Takes one value after another, each a step. */
export async function eachInTurns<T> (
  values: Iterable<T>, take: (value: T, at: number) => void, signal?: AbortSignal
): Promise<void> {
  await inTurns(taking(values, take), signal)
}

function * taking<T> (values: Iterable<T>, take: (value: T, at: number) => void): Generator<void, void> {
  let at = 0
  for (const value of values) {
    take(value, at++)
    yield
  }
}
