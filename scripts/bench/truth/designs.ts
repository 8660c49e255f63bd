/** Whether variance components, planned comparisons and corrected judges are what they claim. */
import { detectableEffect, pairedProportionVariance, plannedError } from '../../../shared/stats/detectable-effect.ts'
import { clusteredMean } from '../../../shared/stats/clustered.ts'
import { tTail } from '../../../shared/stats/distributions.ts'
import { drawsOf, type Draws } from '../../../shared/stats/draws.ts'
import { predictionPowered } from '../../../shared/stats/prediction-powered.ts'
import { varianceComponents, type Effect } from '../../../shared/stats/variance-components.ts'
import type { Figure } from '../inference/figure.ts'
import { chance, mean, shareOf, type Study } from './study.ts'

interface Design {
  name: string
  counts: Record<string, number>
  effects: Array<{ effect: Effect, variance: number }>
  residual: number
}

const designs: Design[] = [{
  name: 'paper, item, wording, model, repeats',
  counts: { model: 12, paper: 20, item: 8, wording: 2, repeat: 2 },
  effects: [
    { effect: ['model'], variance: 1 },
    { effect: ['paper'], variance: 0.5 },
    { effect: ['paper', 'item'], variance: 1 },
    { effect: ['model', 'paper'], variance: 0.3 },
    { effect: ['model', 'paper', 'item'], variance: 0.5 },
    { effect: ['paper', 'item', 'wording'], variance: 0.3 },
    { effect: ['model', 'paper', 'item', 'wording'], variance: 0.4 }
  ],
  residual: 0.6
}, {
  name: 'paper, answer, judge, model',
  counts: { model: 12, paper: 20, item: 4, judge: 6 },
  effects: [
    { effect: ['model'], variance: 1 },
    { effect: ['paper'], variance: 0.4 },
    { effect: ['model', 'paper'], variance: 0.3 },
    { effect: ['model', 'paper', 'item'], variance: 0.8 },
    { effect: ['judge'], variance: 0.5 },
    { effect: ['judge', 'model'], variance: 0.3 },
    { effect: ['judge', 'paper'], variance: 0.2 }
  ],
  residual: 0.5
}]

const componentReplicates = 300
const offMax = 0.1

/** A third of the values is missing at random, so that no design is balanced. */
export async function components ({ seed }: Study): Promise<Figure[]> {
  return designs.map(design => {
    const draws = drawsOf(seed)
    const truths = [...design.effects.map(({ variance }) => variance), design.residual]
    const sums = truths.map(() => 0)
    for (let replicate = 0; replicate < componentReplicates; replicate++) {
      const { values, facets } = drawn(design, draws)
      const found = varianceComponents(values, facets, design.effects.map(({ effect }) => effect))
      if ('reason' in found) throw new Error(found.reason)
      found.components.forEach(({ variance }, i) => { sums[i]! += variance / componentReplicates })
    }
    const off = sums.map((sum, i) => sum / truths[i]! - 1)
    const worst = off.reduce((most, value, i) => Math.abs(value) > Math.abs(off[most]!) ? i : most, 0)
    const nameOf = (i: number) => design.effects[i]?.effect.join(' × ') ?? 'residual'
    return {
      what: `variance components, ${design.name}`,
      measured: `mean within ${(100 * Math.abs(off[worst]!)).toFixed(1)} % of the truth (worst: ${nameOf(worst)})`,
      bar: `within ${100 * offMax} %`,
      met: Math.abs(off[worst]!) <= offMax,
      n: `${componentReplicates} replicates, a third of the values missing`,
      values: Object.fromEntries(sums.map((sum, i) => [nameOf(i), sum]))
    }
  })
}

function drawn ({ counts, effects, residual }: Design, draws: Draws) {
  const names = Object.keys(counts)
  const facets = Object.fromEntries(names.map(name => [name, new Array<number>()]))
  const known = effects.map(() => new Map<string, number>())
  const values: number[] = []
  const total = names.reduce((product, name) => product * counts[name]!, 1)
  for (let at = 0; at < total; at++) {
    if (draws.next() < 1 / 3) continue
    let rest = at
    for (const name of names) {
      facets[name]!.push(rest % counts[name]!)
      rest = Math.floor(rest / counts[name]!)
    }
    let value = Math.sqrt(residual) * draws.normal()
    for (const [i, { effect, variance }] of effects.entries()) {
      const key = effect.map(name => facets[name]!.at(-1)).join()
      const own = known[i]!.get(key) ?? Math.sqrt(variance) * draws.normal()
      known[i]!.set(key, own)
      value += own
    }
    values.push(value)
  }
  return { values, facets }
}

const judgeCells = [
  { papers: 10, answers: 20, labels: 40 },
  { papers: 20, answers: 20, labels: 60 },
  { papers: 20, answers: 20, labels: 200 },
  { papers: 30, answers: 10, labels: 30 }
]
const poweredMin = 0.94

/** Ratings of 1 to 5; the judge is .7 too kind, more so on some papers, and people are asked at random. */
export async function judges ({ replicates, seed }: Study): Promise<Figure[]> {
  return judgeCells.map(({ papers, answers, labels }) => {
    const draws = drawsOf(seed + papers * answers + labels)
    const rating = (quality: number) => Math.min(5, Math.max(1, Math.round(quality)))
    let [uncorrected, worth] = [0, 0]
    const coverage = shareOf(replicates, () => {
      const all = Array.from({ length: papers }, (_, paper) => {
        const level = 3 + 0.5 * draws.normal()
        const kindness = 0.7 + 0.3 * draws.normal()
        return Array.from({ length: answers }, () => {
          const quality = level + 0.8 * draws.normal()
          const judge = rating(quality + kindness + 0.5 * draws.normal())
          return { human: rating(quality), judge, cluster: String(paper), turn: draws.next() }
        })
      }).flat().sort((a, b) => a.turn - b.turn)
      const asked = all.map(({ human, judge, cluster }, i) =>
        ({ human: i < labels ? human : null, judge, cluster }))
      const found = predictionPowered(asked)
      if ('reason' in found) return false
      uncorrected += mean(asked.map(({ judge }) => judge)) / replicates
      worth += found.worth / replicates
      // Symmetric about 3, rounding and limits included.
      return found.interval.low <= 3 && found.interval.high >= 3
    })
    const floor = poweredMin - chance(poweredMin, replicates)
    return {
      what: `prediction-powered mean, ${labels} labels of ${papers * answers} answers to ${papers} papers`,
      measured: `coverage ${coverage.toFixed(3)}; the judge alone says ${uncorrected.toFixed(2)} for 3; each label is worth ${worth.toFixed(2)}`,
      bar: `>= ${poweredMin}, less chance (${floor.toFixed(3)})`,
      met: coverage >= floor,
      n: `${replicates} replicates`,
      values: { coverage, uncorrected, worth }
    }
  })
}

/** A comparison planned by the detectable effect finds it as often as it says. */
export async function power ({ replicates, seed }: Study): Promise<Figure[]> {
  return [{ papers: 10, items: 20 }, { papers: 40, items: 10 }].map(({ papers, items }) => {
    const draws = drawsOf(seed + papers)
    // Of items 30 % are discordant; a paper's balance varies by .05 in variance.
    const [discordant, between] = [0.3, 0.01]
    const variance = pairedProportionVariance(discordant / 2, discordant / 2)
    const error = plannedError(variance, { papers, itemsPerPaper: items, icc: between / variance })
    const effect = detectableEffect(error, { df: papers - 1 })
    const found = shareOf(replicates, () => {
      const observations = Array.from({ length: papers }, (_, paper) => {
        const shift = effect + Math.sqrt(between) * (2 * draws.next() - 1) * Math.sqrt(3)
        return Array.from({ length: items }, () => {
          const u = draws.next()
          const first = (discordant + shift) / 2
          return { value: u < first ? 1 : u < discordant ? -1 : 0, cluster: String(paper) }
        })
      }).flat()
      const { mean: difference, seCr2 } = clusteredMean(observations)
      return seCr2 > 0 && 2 * tTail(Math.abs(difference) / seCr2, papers - 1) <= 0.05
    })
    return {
      what: `power at the minimum detectable effect (${effect.toFixed(3)}), ${papers} papers × ${items} paired items`,
      measured: found.toFixed(3),
      bar: '.80 within .05',
      met: Math.abs(found - 0.8) <= 0.05,
      n: `${replicates} replicates`,
      values: { power: found, effect }
    }
  })
}
