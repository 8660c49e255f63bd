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
/** Of the families: what fewer find may be above chance and is yet not what a model does. */
const shareMin = 0.5

/** One unit: the stands under each condition that it was asked under. */
export interface Asked {
  alternatives: number
  stands: ReadonlyMap<PartialCondition, Stands>
}

interface Tests {
  families: number
  right: number
  /** Of each alternative, the right one first; null without a family. */
  reached: number[] | null
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
  const routes = questions[question].routes.flatMap(route => stands.get(route) ?? [])
  if (routes.length === 0 || alternatives < 2) return null
  const full = stands.get('full') ?? new Map<string, never>()
  const families = Math.min(...routes.map(route => route.size))
  const right = Math.max(...routes.map(route => votesFor(route, 0)))
  if (families === 0) return { families, right, reached: null, lost: null }
  const reached = Array.from({ length: alternatives }, (_, alternative) =>
    Math.min(1, routes.length * Math.min(...routes.map(route => chanceOf(route, alternative, alternatives)))))
  const lost = full.size < familiesMin
    ? null
    : Math.max(chanceOf(full, 0, alternatives), ...routes.map(route => signTest(full, route)))
  return { families, right, reached, lost }
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

function ratesOver (pValues: ReadonlyArray<number | null>, method: FalseDiscoveryMethod): Array<number | null> {
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
  const { families, right, reached, lost } = test
  const found = {
    families, right, reached: { p: reached?.[0] ?? null, q, decoyQ }, lost: { p: lost, q: lostQ }
  }
  const { reached: whenReached, lost: whenLost } = questions[question]
  if (families < familiesMin) {
    return { ...found, verdict: 'undetermined', reason: `${families} of at least ${familiesMin} families gave answers to count.` }
  }
  const isReached = q !== null && q <= rateMax && right >= shareMin * families
  if (isReached && decoyQ !== null && decoyQ <= rateMax) {
    return { ...found, verdict: whenReached, reason: `${right} of ${families} families find the right answer without the rest.` }
  }
  if (isReached) {
    return { ...found, verdict: 'undetermined', reason: 'Families agree on wrong answers as often: they share hunches, and this may be one.' }
  }
  if (lostQ !== null && lostQ <= rateMax) {
    return { ...found, verdict: whenLost, reason: 'Families find the right answer with the full input, and less often without the rest.' }
  }
  return { ...found, verdict: 'undetermined', reason: 'The answers of these families do not tell it from chance, nor from the full input.' }
}
