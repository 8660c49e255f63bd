/** How long one piece of work takes, on the clock and on the processor, and how large the process then is. */

export interface Timed<R> {
  result: R
  wallSeconds: number
  /** Of all threads; on a busy machine the clock says more of the others. */
  cpuSeconds: number
  /** Resident, at the end. */
  megabytes: number
}

export function timed<R> (work: () => R): Timed<R> {
  const cpu = process.cpuUsage()
  const began = performance.now()
  const result = work()
  const wallSeconds = (performance.now() - began) / 1_000
  const { user, system } = process.cpuUsage(cpu)
  const megabytes = process.memoryUsage.rss() / 2 ** 20
  return { result, wallSeconds, cpuSeconds: (user + system) / 1e6, megabytes }
}
