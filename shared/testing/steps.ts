/** Work counted instead of timed: the same on every machine, loaded or not. */
import type { Profiler } from 'node:inspector'
import { Session } from 'node:inspector/promises'

/**
 * Counts how often the blocks of the project's code in a folder run, by V8's own counters. To be
 * called before that code runs first: only what is compiled later is counted block by block.
 * Built-ins and the inside of a regular expression are not counted.
 *
 * @param folder  part of the paths of the files, such as "/shared/text/"
 */
export async function stepCounter (folder: string): Promise<(work: () => void) => Promise<number>> {
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
  const taken = async () => {
    const coverage = await session.post('Profiler.takePreciseCoverage') as Profiler.TakePreciseCoverageReturnType
    return coverage.result.filter(({ url }) => url.includes(folder))
      .flatMap(({ functions }) => functions.flatMap(({ ranges }) => ranges))
      .reduce((sum, { count }) => sum + count, 0)
  }
  return async work => {
    await taken()
    work()
    return taken()
  }
}
