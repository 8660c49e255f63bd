/** How well wrong keys of a simulated bank are found from which choices models take. */
import { itemRestCorrelations } from '../../../shared/stats/item-rest.ts'
import { miskeys } from '../../../shared/stats/miskey.ts'
import { averagePrecision, precisionAtK } from '../../../shared/stats/ranking-quality.ts'
import { rasch } from '../../../shared/stats/rasch.ts'
import { answersTo, type AnsweringModels } from '../../../shared/testing/bank-answers.ts'
import type { RawBank } from '../../../shared/testing/raw-bank.ts'

export interface Found {
  /** Area under the precision-recall curve (average precision). */
  area: number
  /** Among as many of the first as there are wrong keys. */
  precision: number
}

export interface MiskeyedFound {
  wrongKeys: number
  /** With abilities found from the same, partly wrong, keys: as statistics kind `miskey` does. */
  found: Found
  /** The same test, told the true abilities, the spread of difficulties and the share of wrong keys. */
  oracle: Found
  /** Items in the order of their item-rest correlation, the lowest first. */
  correlation: Found
  /** Any order. */
  chance: number
}

export function miskeyedFound (bank: RawBank, models: AnsweringModels): MiskeyedFound {
  const { keyed, wrong, abilities, spread } = answersTo(bank, models)
  const wrongKeys = wrong.filter(Boolean).length
  const responses = abilities.map((_, model) =>
    keyed.map(({ key, answers }) => answers[model] === key ? 1 as const : 0 as const))
  const fit = rasch(responses, { hierarchical: true, guessing: keyed.map(({ choices }) => 1 / choices) })
  if ('reason' in fit) throw new Error(fit.reason)
  const quality = (scores: readonly number[]): Found => {
    const list = scores.map((score, at) => ({ score, wanted: wrong[at]! }))
    return { area: averagePrecision(list)!, precision: precisionAtK(list, wrongKeys)! }
  }
  const posteriors = (own: readonly number[], options: Parameters<typeof miskeys>[2]) =>
    miskeys(keyed, own, options).map(({ posterior }) => posterior)
  const chance = wrongKeys / wrong.length
  return {
    wrongKeys,
    found: quality(posteriors(fit.abilities.map(ability => ability ?? 0), { spread: fit.spread })),
    oracle: quality(posteriors(abilities, { spread, prior: chance })),
    correlation: quality(itemRestCorrelations(responses).map(r => -(r ?? 0))),
    chance
  }
}
