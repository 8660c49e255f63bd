/** Whether miskeyed items are found, and bounds hold the truth where errors are not random. */
import { drawsOf, type Draws } from '../../../shared/stats/draws.ts'
import { itemRestCorrelations } from '../../../shared/stats/item-rest.ts'
import { miskeys, type KeyedItem } from '../../../shared/stats/miskey.ts'
import { orderOfBounds, partialBounds } from '../../../shared/stats/partial-identification.ts'
import { averagePrecision, precisionAtK, type Ranked } from '../../../shared/stats/ranking-quality.ts'
import { rasch } from '../../../shared/stats/rasch.ts'
import type { Figure } from '../inference/figure.ts'
import { logistic, mean, shareOf, type Study } from './study.ts'

const keyed = { models: 20, families: 5, items: 600, miskeyed: 18, replicates: 8 }
const precisionMin = 0.8

/** Models of a family share a preference among an item's wrong options, and one of those lures all. */
function keyedWorld (draws: Draws): { items: KeyedItem[], wrong: boolean[] } {
  const family = Array.from({ length: keyed.models }, (_, model) => model % keyed.families)
  const base = Array.from({ length: keyed.families }, () => 0.7 * draws.normal())
  const abilities = family.map(own => 0.5 + base[own]! + 0.7 * draws.normal())
  const wrong = Array.from({ length: keyed.items }, (_, i) => i < keyed.miskeyed)
  const items = wrong.map(miskeyed => {
    const difficulty = draws.normal()
    const lure = 1 + draws.below(3)
    const preferred = Array.from({ length: keyed.families }, () => 1 + draws.below(3))
    const answers = abilities.map((ability, model) => {
      if (draws.next() < 0.25 + 0.75 * logistic(1.2 * (ability - difficulty))) return 0
      const u = draws.next()
      return u < 0.35 ? lure : u < 0.6 ? preferred[family[model]!]! : 1 + draws.below(3)
    })
    return { key: miskeyed ? 1 + draws.below(3) : 0, choices: 4, answers }
  })
  return { items, wrong }
}

/** Abilities are found from the same, partly wrong, keys. */
export async function miskeyedItems ({ seed }: Study): Promise<Figure[]> {
  const draws = drawsOf(seed)
  const found = Array.from({ length: keyed.replicates }, () => {
    const { items, wrong } = keyedWorld(draws)
    const responses = Array.from({ length: keyed.models }, (_, model) =>
      items.map(({ key, answers }) => answers[model] === key ? 1 as const : 0 as const))
    const fit = rasch(responses, { hierarchical: true, guessing: items.map(() => 0.25) })
    if ('reason' in fit) throw new Error(fit.reason)
    const posteriors = miskeys(items, fit.abilities.map(ability => ability ?? 0), { spread: fit.spread })
    const rows = (scores: ReadonlyArray<number | null>) =>
      scores.map((score, i): Ranked => ({ score: score ?? 0, wanted: wrong[i]! }))
    const correlations = itemRestCorrelations(responses)
    return [
      rows(posteriors.map(({ posterior }) => posterior)),
      rows(correlations.map(r => r === null ? null : -r))
    ]
  })
  const of = (which: 0 | 1) => ({
    precision: mean(found.map(lists => precisionAtK(lists[which]!, keyed.miskeyed)!)),
    area: mean(found.map(lists => averagePrecision(lists[which]!)!))
  })
  const [ours, classical] = [of(0), of(1)]
  return [{
    what: `miskeyed items, option-level evidence of ${keyed.models} models in ${keyed.families} families`,
    measured: `precision@${keyed.miskeyed} ${ours.precision.toFixed(2)}, PR-AUC ${ours.area.toFixed(2)}; negative point-biserial ${classical.precision.toFixed(2)}, ${classical.area.toFixed(2)}`,
    bar: `>= ${precisionMin}, and PR-AUC above point-biserial's`,
    met: ours.precision >= precisionMin && ours.area > classical.area,
    n: `${keyed.replicates} × ${keyed.items} items, ${keyed.miskeyed} miskeyed`,
    values: {
      precision: ours.precision,
      area: ours.area,
      classicalPrecision: classical.precision,
      classicalArea: classical.area
    }
  }]
}

/** The longer an item, the harder it is and the likelier its call fails: the answered ones are others. */
export async function bounds ({ replicates, seed }: Study): Promise<Figure[]> {
  const draws = drawsOf(seed)
  const abilities = [0, 0.4, 0.8, 1.2]
  const biases: number[] = []
  let [decided, rightOrder] = [0, 0]
  const held = shareOf(replicates, () => {
    const lengths = Array.from({ length: 300 }, draws.normal)
    const models = abilities.map((ability, model) => {
      const counts = { right: 0, wrong: 0, missing: 0 }
      let truth = 0
      for (const length of lengths) {
        const right = draws.next() < logistic(ability - length)
        if (right) truth++
        // Models differ in how badly they take length.
        if (draws.next() < logistic(-3 + (0.8 + 0.4 * model) * length)) counts.missing++
        else counts[right ? 'right' : 'wrong']++
      }
      return { truth: truth / lengths.length, found: partialBounds(counts)! }
    })
    biases.push(...models.map(({ truth, found }) => found.answeredOnly! - truth))
    const { undecided } = orderOfBounds(models.map(({ found }) => found))
    const open = new Set(undecided.map(pair => pair.join()))
    for (const [i, a] of models.entries()) {
      for (const [j, b] of models.entries()) {
        if (j <= i || open.has(`${i},${j}`)) continue
        decided++
        if (Math.sign(a.truth - b.truth) === Math.sign(a.found.low - b.found.low)) rightOrder++
      }
    }
    return models.every(({ truth, found }) => found.low <= truth && truth <= found.high)
  })
  return [{
    what: 'partial-identification bounds, errors that grow with length and difficulty',
    measured: `hold the score of all answers ${(100 * held).toFixed(1)} %; orders they decide are right ${rightOrder} of ${decided}; answered-only is off by ${mean(biases).toFixed(3)}`,
    bar: '100 %, all orders right',
    met: held === 1 && rightOrder === decided && decided > 0,
    n: `${replicates} × ${abilities.length} models × 300 items`,
    values: { held, decided, rightOrder, bias: mean(biases) }
  }]
}
