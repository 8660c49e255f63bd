/** How large a study must be, and of what: detectable effects, variance components, slices. */
import { Type } from 'typebox'
import { whereToSpend, type Plan } from '../../../../shared/stats/decision-study.ts'
import {
  detectableEffect, pairedProportionVariance, plannedError, separateProportionVariance
} from '../../../../shared/stats/detectable-effect.ts'
import { drawsOf } from '../../../../shared/stats/draws.ts'
import { sufficientSlice } from '../../../../shared/stats/sufficient-slice.ts'
import { varianceComponents } from '../../../../shared/stats/variance-components.ts'
import {
  assertRectangle, because, bodyOf, contradiction, Defined, Numbers, Seed, statistic, valuesMax
} from './statistic.ts'

const Share = Type.Number({ minimum: 0, maximum: 1 })
const designOf = <S extends string>(name: S, fields: object) => Type.Object(
  { kind: Type.Literal(name), ...fields }, { additionalProperties: false }
)

const effect = statistic({
  summary: 'Minimum detectable effect of a planned comparison over papers: paired or separate, proportions or values',
  body: bodyOf({
    papers: Type.Integer({ minimum: 1, maximum: 1e6 }),
    items_per_paper: Type.Number({ minimum: 1, maximum: 1e6 }),
    icc: Type.Number({ minimum: -1, maximum: 1, default: 0.1, description: 'Correlation between items of one paper of what is averaged: differences where paired.' }),
    variance: Type.Union([
      designOf('paired-proportions', { only_first: Share, only_second: Share }),
      designOf('separate-proportions', { first: Share, second: Share }),
      designOf('given', { value: Type.Number({ minimum: 0, maximum: 1e12, description: 'Of one item\'s difference.' }) })
    ]),
    alpha: Type.Number({ minimum: 1e-6, maximum: 0.5, default: 0.05 }),
    power: Type.Number({ minimum: 0.01, maximum: 0.999, default: 0.8 })
  }, { papers: 20, items_per_paper: 30, icc: 0.1, variance: { kind: 'paired-proportions', only_first: 0.15, only_second: 0.1 } }),
  answer: { item_variance: Defined, se: Defined, df: Type.Integer(), minimum_detectable_effect: Defined },
  compute ({ papers, items_per_paper: itemsPerPaper, icc, variance, alpha, power }) {
    const itemVariance = varianceOf(variance as Variance)
    const se = plannedError(itemVariance, { papers, itemsPerPaper, icc })
    const df = variance.kind === 'separate-proportions' ? 2 * (papers - 1) : papers - 1
    const reason = df < 1
      ? 'One paper says nothing of how papers vary.'
      : se > 0 ? null : 'What never varies is detected at any size.'
    return {
      item_variance: itemVariance,
      se,
      df,
      minimum_detectable_effect: reason === null ? detectableEffect(se, { df, alpha, power }) : NaN,
      ...because(reason)
    }
  }
})

type Variance =
  { kind: 'paired-proportions', only_first: number, only_second: number } |
  { kind: 'separate-proportions', first: number, second: number } |
  { kind: 'given', value: number }

function varianceOf (variance: Variance): number {
  if (variance.kind === 'given') return variance.value
  if (variance.kind === 'separate-proportions') return separateProportionVariance(variance.first, variance.second)
  if (variance.only_first + variance.only_second > 1) throw contradiction('/variance', 'Two shares of the same items are at most 1 together.')
  return pairedProportionVariance(variance.only_first, variance.only_second)
}

const Facet = Type.String({ minLength: 1, maxLength: 40, pattern: '^[a-z][A-Za-z0-9]*$' })
const EffectOf = Type.Array(Facet, { maxItems: 6 })
const Column = Type.Array(
  Type.Union([Type.Number(), Type.String({ maxLength: 200 })]), { minItems: 1, maxItems: valuesMax }
)

const components = statistic({
  summary: 'Generalizability study: variance of papers, items, wordings, repeats, judges, models and what they do together; unbalanced designs too (MINQUE)',
  sized: { fields: ['values'], inUnits: { mean: 1, variance: 2 } },
  body: bodyOf({
    values: Numbers,
    facets: Type.Record(Facet, Column, { maxProperties: 8, description: 'Of each value its paper, item, model …' }),
    effects: Type.Array(Type.Array(Facet, { minItems: 1, maxItems: 6 }), { minItems: 1, maxItems: 12, description: 'Without the residual; an item of a paper is ["paper", "item"].' })
  }, {
    values: [1, 0, 1, 1, 0, 0, 1, 0],
    facets: { model: [0, 0, 0, 0, 1, 1, 1, 1], item: ['a', 'b', 'c', 'd', 'a', 'b', 'c', 'd'] },
    effects: [['model'], ['item']]
  }),
  answer: {
    components: Type.Array(Type.Object({ effect: EffectOf, variance: Defined, share: Defined, levels: Type.Integer() }), { description: 'The residual is last, with no facets. Variances below 0 are shown as they are.' }),
    n: Type.Integer(),
    mean: Defined,
    method: Type.String()
  },
  isHeavy: () => true,
  compute ({ values, facets, effects }) {
    for (const [name, column] of Object.entries(facets)) {
      if (column.length !== values.length) throw contradiction(`/facets/${name}`, `${name} has ${column.length} levels for ${values.length} values: give one each.`)
    }
    const unknown = effects.flat().find(name => !Object.hasOwn(facets, name))
    if (unknown !== undefined) throw contradiction('/effects', `No facet is called ${unknown}.`)
    const method = 'MINQUE with prior weight on the residual: unbiased for random effects, balanced or not'
    const found = varianceComponents(values, facets, effects)
    if (!('reason' in found)) return { ...found, method }
    return { components: [], n: values.length, mean: NaN, method, ...found }
  }
})

const Counts = Type.Record(Facet, Type.Integer({ minimum: 1, maximum: 1e6 }), { maxProperties: 8 })
const PlanAnswer = { counts: Counts, calls: Type.Number(), absolute_se: Defined, difference_se: Defined }

const spending = statistic({
  summary: 'Decision study: which facet to enlarge for the smallest standard error within a budget of calls',
  body: bodyOf({
    components: Type.Array(Type.Object({ effect: EffectOf, variance: Type.Number({ minimum: -1e9, maximum: 1e9 }) }, { additionalProperties: false }), { minItems: 1, maxItems: 13, description: 'As variance-components gives them.' }),
    counts: Type.Record(Facet, Type.Integer({ minimum: 1, maximum: 1e6 }), { maxProperties: 8, description: 'The design now, for each model: papers, items of each paper, …' }),
    nested: Type.Record(Facet, Facet, { maxProperties: 8, default: {}, description: 'What is of one level of another: {"item": "paper"}.' }),
    object: Type.String({ default: 'model', maxLength: 40 }),
    more_calls: Type.Integer({ minimum: 0, maximum: 1_000_000, default: 1_000, description: 'For each model, beyond what the design now takes.' }),
    limits: Type.Record(Facet, Type.Integer({ minimum: 1, maximum: 100_000 }), { maxProperties: 5, description: 'What can be enlarged, and to how many at most.' })
  }, {
    components: [
      { effect: ['model'], variance: 0.02 }, { effect: ['paper'], variance: 0.01 }, { effect: ['paper', 'item'], variance: 0.08 },
      { effect: ['model', 'paper'], variance: 0.01 }, { effect: [], variance: 0.1 }
    ],
    counts: { paper: 20, item: 30, repeat: 1 },
    nested: { item: 'paper' },
    limits: { paper: 60, item: 60, repeat: 5 }
  }),
  answer: {
    now: Type.Object(PlanAnswer),
    single: Type.Array(Type.Object({ facet: Type.String(), ...PlanAnswer }), { description: 'One facet enlarged, the best first.' }),
    best: Type.Object(PlanAnswer)
  },
  isHeavy: () => true,
  compute ({ components, counts, nested, object, more_calls: more, limits }) {
    const calls = Object.values(counts).reduce((product, count) => product * count, 1)
    try {
      const { now, single, best } = whereToSpend(
        components, { counts, nested, object, budget: calls + more, limits }
      )
      return {
        now: planned(now),
        single: single.map(plan => ({ facet: plan.facet, ...planned(plan) })),
        best: planned(best)
      }
    } catch (cause) {
      if (cause instanceof RangeError) throw contradiction('', `${cause.message}.`)
      throw cause
    }
  }
})

function planned ({ counts, calls, absoluteError, differenceError }: Plan) {
  return { counts, calls, absolute_se: absoluteError, difference_se: differenceError }
}

const slice = statistic({
  summary: 'Smallest sufficient slice: chosen on some models, tested on held-out ones, against random slices of equal size',
  sized: { fields: ['scores'] },
  body: bodyOf({
    scores: Type.Array(Numbers, { minItems: 1, maxItems: 200, description: 'One row for each model, of one value for each item.' }),
    sizes: Type.Array(Type.Integer({ minimum: 1, maximum: 10_000 }), { minItems: 1, maxItems: 30 }),
    target: Type.Number({ minimum: 0, maximum: 1, default: 0.9, description: 'Kendall\'s tau-b of held-out models with the ranking by all items.' }),
    splits: Type.Integer({ minimum: 1, maximum: 200, default: 20 }),
    randoms: Type.Integer({ minimum: 1, maximum: 200, default: 20 }),
    seed: Seed
  }, {
    scores: [
      [1, 1, 1, 1], [1, 1, 1, 0], [1, 1, 0, 0], [1, 0, 0, 0], [0, 0, 0, 0], [1, 0, 1, 0]
    ],
    sizes: [1, 2, 3],
    splits: 5
  }),
  answer: {
    sizes: Type.Array(Type.Object({
      size: Type.Integer(),
      chosen: Defined,
      held_out: Defined,
      reached: Defined,
      random: Defined,
      random_reached: Defined
    })),
    sufficient: Defined,
    sufficient_random: Defined,
    items: Type.Union([Type.Array(Type.Integer()), Type.Null()])
  },
  isHeavy: () => true,
  compute ({ scores, seed, ...options }) {
    assertRectangle('scores', scores)
    const work = scores.length * scores[0]!.length * Math.max(...options.sizes) * options.splits
    if (work > 5e9) throw contradiction('/sizes', 'That many models, items, sizes and splits take too long: ask for smaller slices or fewer splits.')
    const found = sufficientSlice(scores, { ...options, draws: drawsOf(seed) })
    if ('reason' in found) return { sizes: [], sufficient: NaN, sufficient_random: NaN, items: null, ...found }
    const { sizes, sufficient, sufficientRandom, items } = found
    return {
      sizes: sizes.map(({ heldOut, randomReached, ...row }) =>
        ({ ...row, held_out: heldOut, random_reached: randomReached })),
      sufficient,
      sufficient_random: sufficientRandom,
      items,
      ...because(sizes.some(({ chosen, heldOut }) => chosen === null || heldOut === null)
        ? 'Some slice does not tell the models apart, so that there is no tau-b of it.'
        : sufficient === null ? 'No size reaches the target on held-out models.' : sufficientRandom === null ? 'Random slices of these sizes do not reach the target on average.' : null)
    }
  }
})

export const designs = {
  'detectable-effect': effect,
  'variance-components': components,
  'decision-study': spending,
  'sufficient-slice': slice
}
