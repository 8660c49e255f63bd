/**
 * Where the next calls are best spent: which facet (papers, items of each, wordings, repeats, judges) to
 * enlarge so that a model's mean, or the difference of two, has the smallest standard error.
 *
 * @see Brennan 2001, Generalizability Theory, ch. 4 (D studies)
 */

/** Variance of one effect; facets by name, empty for the residual. */
export interface EffectVariance { effect: readonly string[], variance: number }

export interface StudyDesign {
  /** How many levels each facet has; of a nested one, in each level of what it is nested in. */
  counts: Readonly<Record<string, number>>
  /** For example `{ item: 'paper' }`: items are of one paper each. */
  nested: Readonly<Record<string, string>>
}

export interface Spending extends StudyDesign {
  /** The object of measurement, over which nothing is averaged: `model`. */
  object: string
  /** Calls there may be for each model, at most 1e9. */
  budget: number
  /** Facets that can be enlarged, and to how many at most; others stay. */
  limits: Readonly<Record<string, number>>
}

export interface Plan {
  counts: Record<string, number>
  /** For each model: the product of all counts. */
  calls: number
  /** Of one model's mean over papers, items and all else like these. */
  absoluteError: number
  /** Of the difference of two models, which share all that is not theirs. */
  differenceError: number
}

export interface SpendingAdvice {
  now: Plan
  /**
   * One facet enlarged as far as budget and limit allow, all else as now; the smallest difference error
   * first.
   */
  single: Array<Plan & { facet: string }>
  /** The best of all designs within the budget; of equals the one with fewer calls. */
  best: Plan
}

/** Steps a facet is tried at: every whole number up to this, then in steps of about 5 %. */
const fineMax = 100
/** Designs that are looked at. */
const designsMax = 2_000_000

/**
 * Negative variances count as 0.
 *
 * @throws RangeError where an effect names a facet without a count, counts are not whole and positive, the
 *                    design now is beyond the budget, or there are more designs than can be looked at
 */
export function whereToSpend (effects: readonly EffectVariance[], spending: Spending): SpendingAdvice {
  assertSpending(effects, spending)
  const now = planOf(effects, spending, { ...spending.counts })
  const facets = Object.keys(spending.limits)
  const single = facets.map(facet => {
    const others = now.calls / now.counts[facet]!
    const most = Math.max(
      now.counts[facet]!, Math.min(spending.limits[facet]!, Math.floor(spending.budget / others))
    )
    return { facet, ...planOf(effects, spending, { ...now.counts, [facet]: most }) }
  })
  single.sort((a, b) =>
    a.differenceError - b.differenceError || a.calls - b.calls || (a.facet < b.facet ? -1 : 1))
  const steps = facets.map(facet => stepsOf(Math.min(spending.limits[facet]!, spending.budget)))
  let designs = 0
  let best = now
  const walk = (at: number, counts: Record<string, number>) => {
    if (++designs > designsMax) throw new RangeError('There are too many designs: lower the limits of the facets')
    if (at === facets.length) {
      const plan = planOf(effects, spending, counts)
      const better = plan.differenceError < best.differenceError * (1 - 1e-12) ||
        (plan.differenceError <= best.differenceError * (1 + 1e-12) && plan.calls < best.calls)
      if (plan.calls <= spending.budget && better) best = plan
      return
    }
    for (const count of steps[at]!) {
      const next = { ...counts, [facets[at]!]: count }
      // Further facets have one level at least.
      const least = { ...next, ...Object.fromEntries(facets.slice(at + 1).map(name => [name, 1])) }
      if (callsOf(least) > spending.budget) break
      walk(at + 1, next)
    }
  }
  walk(0, { ...spending.counts })
  return { now, single, best }
}

function assertSpending (
  effects: readonly EffectVariance[], { counts, nested, object, budget, limits }: Spending
): void {
  const odd = Object.entries(counts).find(([, count]) => !(Number.isInteger(count) && count >= 1))
  if (odd !== undefined) throw new RangeError(`Counts are whole and positive, ${odd[0]} is ${odd[1]}`)
  const facets = [
    ...effects.flatMap(({ effect }) => effect), ...Object.keys(limits), ...Object.entries(nested).flat()
  ]
  const unknown = facets.find(name => name !== object && !Object.hasOwn(counts, name))
  if (unknown !== undefined) throw new RangeError(`There is no count of ${unknown}`)
  const calls = callsOf(counts)
  if (calls > budget) throw new RangeError(`The design now takes ${calls} calls for each model, more than the budget of ${budget}`)
}

function callsOf (counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((product, count) => product * count, 1)
}

/** 1, 2, 3 … and then sparser; always the largest. */
function stepsOf (most: number): number[] {
  const steps: number[] = []
  const after = (count: number) => count < fineMax ? count + 1 : Math.ceil(count * 1.05)
  for (let count = 1; count <= most; count = after(count)) steps.push(count)
  if (steps.at(-1) !== most) steps.push(Math.floor(most))
  return steps
}

function planOf (
  effects: readonly EffectVariance[], { nested, object }: Spending, counts: Record<string, number>
): Plan {
  let [absolute, relative] = [0, 0]
  for (const { effect, variance } of effects) {
    const averaged = effect.filter(name => name !== object)
    if (averaged.length === 0 && effect.length > 0) continue
    const levels = effect.length === 0 ? callsOf(counts) : levelsOf(averaged, { counts, nested })
    const part = Math.max(0, variance) / levels
    absolute += part
    if (effect.length === 0 || effect.includes(object)) relative += part
  }
  return {
    counts,
    calls: callsOf(counts),
    absoluteError: Math.sqrt(absolute),
    differenceError: Math.sqrt(2 * relative)
  }
}

/** A nested facet has as many levels in all as the product of its own and its nest's. */
function levelsOf (effect: readonly string[], { counts, nested }: StudyDesign): number {
  const all = new Set(effect)
  for (const name of all) if (nested[name] !== undefined) all.add(nested[name])
  return [...all].reduce((product, name) => product * counts[name]!, 1)
}
