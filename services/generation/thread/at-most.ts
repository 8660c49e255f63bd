/** So many at once, the others in the order they came. */
export function atMost (count: number): <T>(work: () => Promise<T>) => Promise<T> {
  let free = count
  const waiting: Array<() => void> = []
  return async work => {
    if (free > 0) free--
    else await new Promise<void>(resolve => waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next === undefined) free++
      else next()
    }
  }
}
