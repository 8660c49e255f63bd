/** What steps come to, for callers without other work meanwhile. */
export function inOneGo<T> (steps: Iterator<void, T>): T {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}
