/** A promise that is settled from outside. A rejection nobody waits for is no fault of the process. */
export interface Deferred { promise: Promise<void>, resolve: () => void, reject: (cause: unknown) => void }

export function deferred (): Deferred {
  let resolve = (): void => {}
  let reject = (_: unknown): void => {}
  const promise = new Promise<void>((...settle) => { [resolve, reject] = settle })
  promise.catch(() => {})
  return { promise, resolve, reject }
}
