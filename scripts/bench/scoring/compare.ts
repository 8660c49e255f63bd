/** One task by ours and by the reference, on the same texts in the same run. */
import type { Figure } from '../inference/figure.ts'
import { referenceRun } from './reference.ts'
import type { TextPair } from './texts.ts'

export interface Comparison {
  what: string
  /** In reference.py. */
  task: string
  pairs: readonly TextPair[]
  /** Ours, the scores in the reference's order. */
  run: (pairs: readonly TextPair[]) => number[]
  /** So many times as fast it has to be; none where the project has set itself none. */
  timesMin?: number
}

/** Scores further apart than this are not the same. */
const toleranceMax = 1e-9

export async function comparison ({ what, task, pairs, run, timesMin }: Comparison): Promise<Figure> {
  const reference = await referenceRun(task, pairs)
  const before = process.cpuUsage()
  const scores = run(pairs)
  const { user, system } = process.cpuUsage(before)
  const seconds = (user + system) / 1e6
  const times = reference.seconds / seconds
  const apart = largestGap(scores, reference.scores)
  return {
    what,
    measured: `${times.toFixed(1)} times as fast: ${seconds.toFixed(2)} s against ${reference.seconds.toFixed(2)} s; largest difference ${apart.toExponential(1)}`,
    bar: `${timesMin === undefined ? '' : `${timesMin} times as fast, `}within ${toleranceMax}`,
    met: apart <= toleranceMax && times >= (timesMin ?? 0),
    n: `${pairs.length} pairs, ${scores.length} scores; CPU time`,
    values: { times, seconds, referenceSeconds: reference.seconds, largestDifference: apart }
  }
}

function largestGap (ours: readonly number[], theirs: readonly number[]): number {
  if (ours.length !== theirs.length) return Infinity
  return ours.reduce((largest, score, i) => Math.max(largest, Math.abs(score - theirs[i]!)), 0)
}
