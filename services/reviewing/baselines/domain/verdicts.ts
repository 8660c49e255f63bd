/**
 * What the votes of families say of each item. The unit is the family: under the hypothesis that the
 * input does not tell, the right answer is as any other, so a family's vote is for it with probability
 * 1 / alternatives at most, whatever its habits; families are taken to be independent, and because
 * they may share a hunch, wrong answers are counted as decoys beside (methodology: at least five
 * families, cyclic orders, false discoveries over items).
 */
import { binomialTail } from '../../../../shared/stats/distributions.ts'
import { decoyRates, falseDiscoveryRates, type FalseDiscoveryMethod } from '../../../../shared/stats/false-discovery.ts'
import type { PartialCondition, PartialItemVerdict, PartialQuestion } from '../../../../shared/contracts/partial-input.ts'
import { questions } from './conditions.ts'
import type { Stands } from './votes.ts'

export const familiesMin = 5
/** Share of false discoveries that a verdict may bear. */
export const rateMax = 0.05
/** Of a single test: at such a p there is a sign of it, and the opposite is not said. */
const signMax = 0.05
/** Of the families: what fewer find may be above chance and is yet not what a model does. */
const shareMin = 0.5

/** One unit: the stands under each condition that it was asked under. */
export interface Asked {
  alternatives: number
  stands: ReadonlyMap<PartialCondition, Stands>
}

interface Tests {
  condition: PartialCondition
  families: number
  right: number
  /** Of each alternative, the right one first; null without a family. */
  reached: number[] | null
  /** Least p that so many families can reach. */
  least: number | null
  lost: number | null
}

/**
 * The verdict on one question for each unit, in the same order; null where the question does not arise,
 * for none of its conditions was asked of the unit. The family of hypotheses is the units handed in.
 */
export function verdictsOn (
  question: PartialQuestion, units: readonly Asked[], method: FalseDiscoveryMethod = 'bh'
): Array<PartialItemVerdict | null> {
  const tests = units.map(unit => testsOf(question, unit))
  const reached = ratesOver(tests.map(test => test?.reached?.[0] ?? null), method)
  const decoys = decoysOver(tests)
  const lost = ratesOver(tests.map(test => test?.lost ?? null), method)
  return tests.map((test, i) => test === null
    ? null
    : verdictOf(question, test, { q: reached[i]!, decoyQ: decoys[i]!, lostQ: lost[i]! }))
}

function testsOf (question: PartialQuestion, { alternatives, stands }: Asked): Tests | null {
  const condition = questions[question].routes.find(each => stands.has(each))
  if (condition === undefined || alternatives < 2) return null
  const part = stands.get(condition)!
  const full = stands.get('full')
  const families = part.size
  return {
    condition,
    families,
    right: votesFor(part, 0),
    reached: families === 0
      ? null
      : Array.from({ length: alternatives }, (_, each) => chanceOf(part, each, alternatives)),
    least: families === 0 ? null : alternatives ** -families,
    lost: full === undefined || Math.min(full.size, families) < familiesMin
      ? null
      : Math.max(chanceOf(full, 0, alternatives), signTest(full, part))
  }
}

function votesFor (stands: Stands, alternative: number): number {
  return [...stands.values()].filter(({ vote }) => vote === alternative).length
}

/** That so many of the families, or more, would vote for one alternative if all were alike. */
function chanceOf (stands: Stands, alternative: number, alternatives: number): number {
  if (stands.size === 0) return 1
  return binomialTail(votesFor(stands, alternative) - 1, { n: stands.size, p: 1 / alternatives })
}

/** One-sided over families: whether they come nearer to the right answer with the full input. */
function signTest (full: Stands, part: Stands): number {
  const signs = [...full].flatMap(([family, { share }]) => {
    const other = part.get(family)
    return other === undefined ? [] : [Math.sign(share - other.share)]
  }).filter(sign => sign !== 0)
  if (signs.length === 0) return 1
  return binomialTail(signs.filter(sign => sign > 0).length - 1, { n: signs.length, p: 0.5 })
}

function ratesOver (
  pValues: ReadonlyArray<number | null>, method: FalseDiscoveryMethod
): Array<number | null> {
  const rates = falseDiscoveryRates(pValues.filter(p => p !== null), method)
  let at = 0
  return pValues.map(p => p === null ? null : rates[at++]!)
}

function decoysOver (tests: ReadonlyArray<Tests | null>): Array<number | null> {
  const tested = tests.map(test => test?.reached ?? null)
  const rates = decoyRates(tested.filter(each => each !== null).map(([p, ...decoys]) => ({ p: p!, decoys })))
  let at = 0
  return tested.map(each => each === null ? null : rates[at++]!)
}

interface Rates { q: number | null, decoyQ: number | null, lostQ: number | null }

function verdictOf (question: PartialQuestion, test: Tests, { q, decoyQ, lostQ }: Rates): PartialItemVerdict {
  const { condition, families, right, reached, least, lost } = test
  const found = {
    condition,
    families,
    right,
    reached: { p: reached?.[0] ?? null, least, q, decoyQ },
    lost: { p: lost, q: lostQ }
  }
  const { reached: whenReached, lost: whenLost } = questions[question]
  if (families < familiesMin) {
    return { ...found, verdict: 'undetermined', reason: `${families} of at least ${familiesMin} families gave answers to count.` }
  }
  const isReached = q !== null && q <= rateMax && right >= shareMin * families
  if (isReached && decoyQ !== null && decoyQ <= rateMax) {
    return { ...found, verdict: whenReached, reason: `${right} of ${families} families find the right answer under ${condition}.` }
  }
  if (isReached) {
    return { ...found, verdict: 'undetermined', reason: 'Families agree on wrong answers as often: they share hunches, and this may be one.' }
  }
  const above = reached !== null && reached[0]! <= signMax
  if (lostQ !== null && lostQ <= rateMax && above) {
    return { ...found, verdict: 'undetermined', reason: `The full input helps, and yet ${right} of ${families} families find the right answer under ${condition}: more than chance, too few to call it found.` }
  }
  if (lostQ !== null && lostQ <= rateMax) {
    return { ...found, verdict: whenLost, reason: `Families find the right answer with the full input, and less often under ${condition}.` }
  }
  const few = least !== null && least > rateMax ? ' With so few families no answers could: ask more.' : ''
  return { ...found, verdict: 'undetermined', reason: `${right} of ${families} families: neither more than chance, nor surely less than with the full input.${few}` }
}
