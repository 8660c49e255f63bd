/** Work counted instead of timed: the same on every machine, loaded or not. */
import { Session } from 'node:inspector/promises'
import type { Profiler } from 'node:inspector'

/**
 * How often the blocks of the project's code in a folder run while `work` does, by V8's own counters.
 * Built-ins and the inside of a regular expression are not counted.
 *
 * @param folder  part of the paths of the files, such as "/shared/text/"
 */
export async function stepsOf (folder: string, work: () => void): Promise<number> {
  const session = new Session()
  session.connect()
  try {
    await session.post('Profiler.enable')
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
    await session.post('Profiler.takePreciseCoverage')
    work()
    const { result } = await session.post('Profiler.takePreciseCoverage') as Profiler.TakePreciseCoverageReturnType
    return result.filter(({ url }) => url.includes(folder))
      .flatMap(({ functions }) => functions.flatMap(({ ranges }) => ranges))
      .reduce((sum, { count }) => sum + count, 0)
  } finally {
    session.disconnect()
  }
}
