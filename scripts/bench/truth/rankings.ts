/** Whether rankings are as near to the truth as can be, and rank confidence sets hold it. */
import { drawsOf, type Draws } from '../../../shared/stats/draws.ts'
import { kendallTauB } from '../../../shared/stats/kendall.ts'
import { maxT } from '../../../shared/stats/max-t.ts'
import { rankConfidenceSets } from '../../../shared/stats/rank-confidence-sets.ts'
import { rasch } from '../../../shared/stats/rasch.ts'
import type { Figure } from '../inference/figure.ts'
import { chance, logistic, mean, shareOf, type Study } from './study.ts'

const [modelCount, itemCount] = [20, 1_000]
const tauReplicates = 100
/** A ranking of the same answers may lose so much against one that knew all difficulties. */
const tauLoss = 0.01

function tauOf (x: readonly number[], y: readonly number[]): number {
  return kendallTauB({ x, y }).statistic
}

/**
 * Abilities N(0, 1), difficulties N(0, 1), four choices. What can be reached: the τ of abilities known but
 * for the least error that so many answers leave (Fisher's information at the true difficulties).
 */
export async function tau ({ seed }: Study): Promise<Figure[]> {
  const draws = drawsOf(seed)
  const [reachable, byScore, byRasch]: [number[], number[], number[]] = [[], [], []]
  for (let replicate = 0; replicate < tauReplicates; replicate++) {
    const abilities = Array.from({ length: modelCount }, draws.normal)
    const difficulties = Array.from({ length: itemCount }, draws.normal)
    const noisy = abilities.map(ability =>
      ability + draws.normal() / Math.sqrt(informationAt(ability, difficulties)))
    const answers = abilities.map(ability => difficulties.map(difficulty =>
      draws.next() < 0.25 + 0.75 * logistic(ability - difficulty) ? 1 as const : 0 as const))
    reachable.push(tauOf(noisy, abilities))
    byScore.push(tauOf(answers.map(row => row.filter(answer => answer === 1).length), abilities))
    // Fits take a second each, and rank as scores do.
    if (replicate >= 10) continue
    const found = rasch(answers, { guessing: difficulties.map(() => 0.25), hierarchical: true })
    if (!('reason' in found)) byRasch.push(tauOf(found.abilities.map(ability => ability!), abilities))
  }
  const error = 3 * Math.sqrt(mean(reachable.map(value => (value - mean(reachable)) ** 2)) / tauReplicates)
  const floor = mean(reachable) - tauLoss - error
  const row = (what: string, values: readonly number[], reached: readonly number[]): Figure => ({
    what: `recovered τ, ${modelCount} models × ${itemCount} items: ${what}`,
    measured: `${mean(values).toFixed(3)} of ${mean(reached).toFixed(3)} that can be reached`,
    bar: `reachable - ${tauLoss}, less three standard errors (${error.toFixed(3)})`,
    met: mean(values) >= floor,
    n: `${values.length} replicates`,
    values: { tau: mean(values), reachable: mean(reached) }
  })
  return [
    row('by accuracy', byScore, reachable),
    row('by Rasch abilities', byRasch, reachable.slice(0, byRasch.length))
  ]
}

function informationAt (ability: number, difficulties: readonly number[]): number {
  return difficulties.reduce((sum, difficulty) => {
    const own = logistic(ability - difficulty)
    const p = 0.25 + 0.75 * own
    return sum + (0.75 * own * (1 - own)) ** 2 / (p * (1 - p))
  }, 0)
}

interface World { models: number, papers: number, gap: number }

/** Right or wrong by ability, item and what a paper does to each model; ability falls by `gap` a model. */
function scoresOf ({ models, papers, gap }: World, draws: Draws): { scores: number[][], paper: string[] } {
  const scores = Array.from({ length: models }, () => new Array<number>())
  const paper: string[] = []
  for (let p = 0; p < papers; p++) {
    const shared = 0.5 * draws.normal()
    const own = scores.map((_, model) => shared + 0.6 * draws.normal() - gap * model)
    for (let item = 5 + draws.below(31); item > 0; item--) {
      const difficulty = draws.normal()
      paper.push(String(p))
      for (const [model, row] of scores.entries()) {
        row.push(draws.next() < logistic(own[model]! - difficulty) ? 1 : 0)
      }
    }
  }
  return { scores, paper }
}

const setFloor = 0.93

/** Equal models are the hardest case: then every set has to hold all ranks. */
export async function rankSets ({ replicates, seed }: Study): Promise<Figure[]> {
  return [5, 10, 20].flatMap(papers => [0, 0.4].map(gap => {
    const world = { models: 8, papers, gap }
    const draws = drawsOf(seed + papers)
    let [marginal, width] = [0, 0]
    const simultaneous = shareOf(replicates, replicate => {
      const { scores, paper } = scoresOf(world, draws)
      const found = rankConfidenceSets(scores, paper, { replicates: 400, seed: replicate })
      if ('reason' in found) return false
      const wanted = (model: number) =>
        gap === 0 ? { best: 1, worst: world.models } : { best: model + 1, worst: model + 1 }
      const holds = (set: { best: number, worst: number }, model: number) =>
        set.best <= wanted(model).best && set.worst >= wanted(model).worst
      const held = found.sets.filter((set, model) => holds(set.marginal, model)).length
      marginal += held / world.models / replicates
      width += mean(found.sets.map(({ marginal: own }) => own.worst - own.best + 1)) / replicates
      return found.sets.every((set, model) => holds(set.simultaneous, model))
    })
    const floor = setFloor - chance(setFloor, replicates)
    return {
      what: `rank confidence sets, ${world.models} models ${gap === 0 ? 'of equal' : 'in steps of'} ability, ${papers} papers`,
      measured: `simultaneous ${simultaneous.toFixed(3)}, marginal ${marginal.toFixed(3)}, ${width.toFixed(1)} ranks wide`,
      bar: `both >= ${setFloor}, less chance (${floor.toFixed(3)})`,
      met: simultaneous >= floor && marginal >= floor,
      n: `${replicates} replicates`,
      values: { simultaneous, marginal, width }
    }
  }))
}

/** Ten differences of which none is real. */
export async function families ({ replicates, seed }: Study): Promise<Figure[]> {
  return [8, 20].map(papers => {
    const draws = drawsOf(seed + papers)
    const wrong = shareOf(replicates, replicate => {
      const { scores, paper } = scoresOf({ models: 11, papers, gap: 0 }, draws)
      const hypotheses = scores.slice(1).map((row, i) =>
        ({ name: String(i), values: row.map((value, item) => value - scores[0]![item]!) }))
      const found = maxT(hypotheses, paper, { replicates: 399, seed: replicate })
      return !('reason' in found) && found.tests.some(test => !('reason' in test) && test.adjusted <= 0.05)
    })
    const most = 0.05 + chance(0.05, replicates)
    return {
      what: `max-T, 10 differences that are none, ${papers} papers: any false discovery`,
      measured: wrong.toFixed(3),
      bar: `<= .05, and chance (${most.toFixed(3)})`,
      met: wrong <= most,
      n: `${replicates} replicates`,
      values: { wrong }
    }
  })
}
