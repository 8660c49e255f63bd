/** What confidence is worth, what missing answers leave open, and judges corrected by few people. */
import { Type } from 'typebox'
import { brierScore } from '../../../../shared/stats/brier.ts'
import { boundsOfDifference, orderOfBounds, partialBounds } from '../../../../shared/stats/partial-identification.ts'
import { predictionPowered } from '../../../../shared/stats/prediction-powered.ts'
import { riskCoverage } from '../../../../shared/stats/risk-coverage.ts'
import {
  assertSameLength, because, bodyOf, Cluster, clusterNames, Defined, DefinedList, Ends, Level,
  Names, namesFor, Numbers, statistic, valuesMax
} from './statistic.ts'

const Rights = Type.Array(Type.Boolean(), { minItems: 1, maxItems: valuesMax })

const riskCoverages = statistic({
  summary: 'Risk-coverage curve of a model that answers where it is surest, with AURC and E-AURC',
  body: bodyOf({
    confidence: Numbers, right: Rights
  }, { confidence: [0.9, 0.8, 0.8, 0.4], right: [true, true, false, false] }),
  answer: {
    n: Type.Integer(),
    coverage: DefinedList,
    risk: DefinedList,
    threshold: DefinedList,
    aurc: Defined,
    aurc_least: Defined,
    e_aurc: Defined,
    aurc_chance: Defined
  },
  compute ({ confidence, right }) {
    assertSameLength({ confidence, right })
    const { n, points, aurc, aurcLeast, excess, aurcChance } =
      riskCoverage(confidence.map((value, i) => ({ confidence: value, right: right[i]! })))!
    return {
      n,
      coverage: points.map(({ coverage }) => coverage),
      risk: points.map(({ risk }) => risk),
      threshold: points.map(({ threshold }) => threshold),
      aurc,
      aurc_least: aurcLeast,
      e_aurc: excess,
      aurc_chance: aurcChance
    }
  }
})

const Probabilities = Type.Array(
  Type.Number({ minimum: 0, maximum: 1 }), { minItems: 1, maxItems: valuesMax }
)

const brier = statistic({
  summary: 'Brier score of stated probabilities with Murphy\'s decomposition, skill and calibration error',
  body: bodyOf({
    probability: Probabilities,
    right: Rights,
    bins: Type.Union([Type.Integer({ minimum: 1, maximum: 1_000 }), Type.Null()], { default: 10, description: 'Equal widths; null: groups of equal probabilities.' })
  }, { probability: [0.9, 0.8, 0.8, 0.4], right: [true, true, false, false], bins: null }),
  answer: {
    n: Type.Integer(),
    score: Defined,
    reliability: Defined,
    resolution: Defined,
    uncertainty: Defined,
    within_bins: Defined,
    skill: Defined,
    ece: Defined,
    bins: Type.Array(Type.Object({
      low: Type.Number(),
      high: Type.Number(),
      n: Type.Integer(),
      mean_probability: Defined,
      share_right: Defined
    }))
  },
  compute ({ probability, right, bins: count }) {
    assertSameLength({ probability, right })
    const { withinBins, calibrationError, bins, ...found } =
      brierScore(probability.map((value, i) => ({ probability: value, right: right[i]! })), count)!
    return {
      ...found,
      within_bins: withinBins,
      ece: calibrationError,
      bins: bins.map(({ low, high, n, meanProbability, shareRight }) =>
        ({ low, high, n, mean_probability: meanProbability, share_right: shareRight })),
      ...because(reasonOfBrier(found.skill, bins.some(({ n }) => n === 0)))
    }
  }
})

function reasonOfBrier (skill: number | null, emptyBins: boolean): string | null {
  if (skill === null) return 'All were right, or all wrong: there is no uncertainty to beat.'
  return emptyBins ? 'Some bins hold no forecast.' : null
}

const Count = Type.Integer({ minimum: 0, maximum: 1e9 })
const Ranks = Type.Array(Type.Union([Type.Integer(), Type.Null()]))

const partial = statistic({
  summary: 'Partial-identification bounds: scores were all missing answers wrong … were all right, and the ranks they leave',
  body: bodyOf({
    models: Type.Array(Type.Object({
      right: Count, wrong: Count, missing: Count
    }, { additionalProperties: false }), { minItems: 1, maxItems: 500 }),
    names: Names
  }, { models: [{ right: 60, wrong: 30, missing: 10 }, { right: 55, wrong: 45, missing: 0 }] }),
  answer: {
    names: Type.Array(Type.String()),
    low: DefinedList,
    high: DefinedList,
    answered_only: DefinedList,
    best_rank: Ranks,
    worst_rank: Ranks,
    undecided: Type.Array(Type.Object({
      pair: Type.Array(Type.Integer(), { minItems: 2, maxItems: 2 }), difference: Ends
    })),
    ranking: Type.Boolean({ description: 'Whether a ranking may be given: no two bounds overlap.' })
  },
  compute ({ models, names }) {
    const bounds = models.map(partialBounds)
    const { ranks, undecided } = orderOfBounds(bounds)
    const reason = bounds.some(found => found === null)
      ? 'A model without an item has no score.'
      : bounds.some(found => found!.answeredOnly === null) ? 'A model whose answers are all missing has no score of answered items.' : null
    return {
      names: namesFor(names, models, '/names'),
      low: bounds.map(found => found?.low ?? null),
      high: bounds.map(found => found?.high ?? null),
      answered_only: bounds.map(found => found?.answeredOnly ?? null),
      best_rank: ranks.map(rank => rank?.best ?? null),
      worst_rank: ranks.map(rank => rank?.worst ?? null),
      undecided: undecided.map(pair => {
        const { low, high } = boundsOfDifference(bounds[pair[0]]!, bounds[pair[1]]!)
        return { pair, difference: [low, high] }
      }),
      ranking: undecided.length === 0 && reason === null,
      ...because(reason)
    }
  }
})

const powered = statistic({
  summary: 'Prediction-powered mean (PPI++): a judge\'s mean corrected by few labels of people, with its interval over papers',
  sized: { fields: ['judge', 'human'], inUnits: { mean: 1, se: 1, ci: 1, judge_bias: 1 } },
  body: bodyOf({
    judge: Numbers,
    human: Type.Array(Defined, { minItems: 1, maxItems: valuesMax, description: 'Null where people gave no label; labelled answers are a random choice.' }),
    cluster: Cluster,
    lambda: Type.Optional(Type.Number({ minimum: 0, maximum: 1, description: 'Weight of the judge; tuned where it is not given.' })),
    error: Type.Enum(['papers', 'independent'], { default: 'papers', description: 'papers: jackknife over papers; independent: the authors\' normal one.' }),
    level: Level
  }, {
    judge: [4, 5, 3, 4, 5, 4, 2, 5], human: [3, 4, null, 3, null, 4, 1, null], cluster: ['a', 'a', 'a', 'b', 'b', 'c', 'c', 'd']
  }),
  answer: {
    mean: Defined,
    se: Defined,
    ci: Ends,
    lambda: Defined,
    judge_bias: Defined,
    labelled: Type.Integer(),
    unlabelled: Type.Integer(),
    clusters: Type.Integer(),
    human_only: Type.Object({ mean: Defined, se: Defined, ci: Ends }),
    worth: Defined
  },
  compute ({ judge, human, cluster, lambda, error, level }) {
    assertSameLength({ judge, human, cluster })
    const answers = clusterNames(cluster).map((name, i) =>
      ({ judge: judge[i]!, human: human[i]!, cluster: name }))
    const found = predictionPowered(answers, { error, level, ...lambda !== undefined && { lambda } })
    if ('reason' in found) {
      const labelled = human.filter(label => label !== null).length
      const none = { mean: NaN, se: NaN, ci: [NaN, NaN] }
      return {
        ...none,
        lambda: NaN,
        judge_bias: NaN,
        labelled,
        unlabelled: human.length - labelled,
        clusters: new Set(cluster.filter((_, i) => human[i] !== null)).size,
        human_only: none,
        worth: NaN,
        ...found
      }
    }
    const { error: se, interval, judgeBias, humanOnly, ...rest } = found
    return {
      ...rest,
      se,
      ci: [interval.low, interval.high],
      judge_bias: judgeBias,
      human_only: {
        mean: humanOnly.mean,
        se: humanOnly.error,
        ci: [humanOnly.interval.low, humanOnly.interval.high]
      }
    }
  }
})

export const confidence = {
  'risk-coverage': riskCoverages,
  'brier-score': brier,
  'partial-identification': partial,
  'prediction-powered-mean': powered
}
