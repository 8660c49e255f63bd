/**
 * How often the default interval of an accuracy over papers covers the truth, on a grid of papers,
 * items a paper, accuracy and likeness of a paper's items: `node scripts/run.mjs
 * scripts/bench/coverage.ts [replicates] [seed]`.
 *
 * A paper's own accuracy is Beta distributed around p, so that its items have intra-class
 * correlation ICC. The truth is p, the mean over the papers there might be.
 */
import { betaQuantile } from '../../shared/stats/distributions.ts'
import { intervalOfMean, type ItemValue } from '../../services/scoring/domain/metrics/interval-of-mean.ts'
import { wilsonInterval } from '../../shared/stats/proportions.ts'

const replicates = Number(process.argv[2] ?? 2_000)
const seed = Number(process.argv[3] ?? 1)
/** Paper accuracies are drawn from this many equally likely quantiles. */
const quantiles = 1_000

interface Cell { papers: number, items: number, p: number, icc: number }

/** Park and Miller's generator: uniform on (0, 1), the same everywhere. */
function uniforms (start: number): () => number {
  let state = (start * 7_919 + 104_729) % 2_147_483_647
  return () => {
    state = state * 48_271 % 2_147_483_647
    return state / 2_147_483_647
  }
}

function paperAccuracies ({ p, icc }: Cell): number[] {
  if (icc === 0) return [p]
  const size = 1 / icc - 1
  return Array.from({ length: quantiles }, (_, i) =>
    betaQuantile((i + 0.5) / quantiles, { a: p * size, b: (1 - p) * size }))
}

function study (cell: Cell) {
  const next = uniforms(seed)
  const accuracies = paperAccuracies(cell)
  const covered = { robust: 0, wilson: 0, width: 0 }
  for (let replicate = 0; replicate < replicates; replicate++) {
    const observations: ItemValue[] = []
    for (let paper = 0; paper < cell.papers; paper++) {
      const accuracy = accuracies[Math.floor(next() * accuracies.length)]!
      // Papers differ in length: half to one and a half times the mean.
      const items = Math.max(1, Math.round(cell.items * (0.5 + next())))
      for (let item = 0; item < items; item++) {
        observations.push({ value: next() < accuracy ? 1 : 0, cluster: String(paper) })
      }
    }
    const { interval, value, n } = intervalOfMean(observations, { proportion: true })
    const naive = wilsonInterval({ successes: Math.round(value! * n), trials: n })
    if (interval!.low <= cell.p && cell.p <= interval!.high) covered.robust++
    if (naive.low <= cell.p && cell.p <= naive.high) covered.wilson++
    covered.width += interval!.high - interval!.low
  }
  return covered
}

const share = (count: number) => (count / replicates).toFixed(3)
console.log(`replicates ${replicates}, seed ${seed}, level 0.95, Monte Carlo error about ${Math.sqrt(0.95 * 0.05 / replicates).toFixed(4)}`)
console.log('papers items   p   icc  default  wilson  width')
for (const papers of [2, 3, 5, 10, 20, 60]) {
  for (const items of [4, 20]) {
    for (const p of [0.5, 0.8, 0.95]) {
      for (const icc of [0, 0.1]) {
        const { robust, wilson, width } = study({ papers, items, p, icc })
        console.log([
          String(papers).padStart(6), String(items).padStart(5), p.toFixed(2), icc.toFixed(1).padStart(5),
          share(robust).padStart(8), share(wilson).padStart(7), share(width).padStart(6)
        ].join(' '))
      }
    }
  }
}
