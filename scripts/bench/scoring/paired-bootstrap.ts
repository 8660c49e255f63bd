/** The clustered paired bootstrap of a large leaderboard, through the functions that the service calls. */
import { drawsOf } from '../../../shared/stats/draws.ts'
import { pairedDifference, replicateMeans, sumsByPaper } from '../../../shared/stats/paired-bootstrap.ts'
import type { Figure } from '../inference/figure.ts'
import { timed } from './timed.ts'

const [models, items, replicates] = [71, 1_774, 10_000]
const secondsMax = 5
const megabytesMax = 500

/** All 2,485 differences with interval and p, on one thread; papers of some thirty items, and items alone. */
export async function pairedBootstrapSpeed (): Promise<Figure[]> {
  return [
    measure('clustered paired bootstrap, 60 papers', 60, true),
    measure('paired bootstrap, each item its own cluster', items, false)
  ]
}

function measure (what: string, papers: number, barred: boolean): Figure {
  const draws = drawsOf(1)
  const scores = Array.from({ length: models }, (_, model) =>
    Array.from({ length: items }, () => draws.next() < 0.3 + 0.5 * model / models ? 1 : 0))
  const paper = scores[0]!.map((_, item) => String(item % papers))
  const { result: narrow, wallSeconds, cpuSeconds, megabytes } = timed(() => {
    const sums = sumsByPaper(scores, paper)
    const means = replicateMeans(sums, replicates, drawsOf(42))
    let told = 0
    for (let i = 0; i < models; i++) {
      for (let j = i + 1; j < models; j++) {
        const difference = sums.means[i]! - sums.means[j]!
        const { low, high } = pairedDifference(means[i]!, means[j]!, { difference })
        if (low > 0 || high < 0) told++
      }
    }
    return told
  })
  // One thread: on a machine of its own the clock shows what the processor does.
  const met = cpuSeconds < secondsMax && megabytes < megabytesMax
  return {
    what: `${what}: ${models} models × ${items.toLocaleString('en')} items × ${replicates.toLocaleString('en')} replicates`,
    measured: `${cpuSeconds.toFixed(1)} s of one core (${wallSeconds.toFixed(1)} s by the clock), ${megabytes.toFixed(0)} MB`,
    ...barred && { bar: `< ${secondsMax} s of one core, < ${megabytesMax} MB`, met },
    n: `${models * (models - 1) / 2} differences, ${narrow} told apart`,
    values: { wallSeconds, cpuSeconds, megabytes }
  }
}
