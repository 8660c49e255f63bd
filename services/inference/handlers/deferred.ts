/** Promise.withResolvers, which Node 20 lacks; a rejection nobody waits for is no fault of the process. */
export interface Deferred<T> {
  promise: Promise<T>
  resolve: (value: T) => void
  reject: (cause: unknown) => void
}

export function deferred<T = void> (): Deferred<T> {
  let resolve: (value: T) => void = () => {}
  let reject: (cause: unknown) => void = () => {}
  const promise = new Promise<T>((...settle) => { [resolve, reject] = settle })
  promise.catch(() => {})
  return { promise, resolve, reject }
}
