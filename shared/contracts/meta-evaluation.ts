/** How far a judge can be trusted: what to have people label, and the judge held against what they gave. */
import { Type, type Static } from 'typebox'
import { ItemId, JudgementId, PredictionId, RunId } from './ids.ts'
import { AgreementCoefficient } from './judgement-summary.ts'

const closed = { additionalProperties: false }
const whole = Type.Integer({ minimum: 0 })
const maybe = (description?: string) =>
  Type.Union([Type.Number(), Type.Null()], description === undefined ? {} : { description })
const reason = Type.Optional(Type.String())
const probability = Type.Union([Type.Number({ exclusiveMinimum: 0, maximum: 1 }), Type.Null()], {
  description: 'Null under the design high-sd, which leaves nothing to chance.'
})

export const LabelSampleRequest = Type.Object({
  runs: Type.Integer({ minimum: 1, maximum: 20, default: 10, description: 'Runs, spread over three tiers by their mean total.' }),
  items: Type.Integer({ minimum: 1, maximum: 500, default: 10, description: 'Items: 3/4/3 of hard, middling and easy ones.' }),
  category: Type.String({ minLength: 1, maxLength: 100, default: 'kind', description: 'What the items are spread over: kind, or a slice, for example aspect or domain.' }),
  design: Type.Enum(['probability', 'high-sd'], { default: 'probability', description: 'probability: items on which runs differ are likelier to be drawn, with known inclusion probabilities. high-sd: the items on which runs differ most, as K-MetBench chose its ten; what is found holds for them only.' }),
  seed: Type.Integer({ minimum: 0, maximum: 2147483647, default: 1 })
}, { $id: 'LabelSampleRequest', ...closed })
export type LabelSampleRequest = Static<typeof LabelSampleRequest>

export const LabelSample = Type.Object({
  runs: Type.Array(Type.Object({
    runId: RunId, tier: Type.Enum(['low', 'mid', 'top']), mean: Type.Number(), probability
  }, closed)),
  items: Type.Array(Type.Object({
    itemId: ItemId,
    difficulty: Type.Enum(['hard', 'mid', 'easy']),
    category: Type.String(),
    mean: Type.Number(),
    sd: Type.Number({ description: 'Of the totals over runs.' }),
    probability
  }, closed)),
  predictions: Type.Array(Type.Object({
    predictionId: PredictionId, itemId: ItemId, inclusionProbability: probability
  }, closed), { description: 'In an order that tells nothing of the run: show people the reply, not whose it is.' }),
  missing: Type.Integer({ minimum: 0, description: 'Of runs × items, those that the judges have not rated.' }),
  notes: Type.Array(Type.String())
}, { $id: 'LabelSample', ...closed })
export type LabelSample = Static<typeof LabelSample>

const Tau = Type.Object({ tauB: maybe(), p: maybe('Two-sided.'), n: whole, reason }, closed)
export type Tau = Static<typeof Tau>

const WithinItem = Type.Object({
  accuracy: maybe('Share of pairs of replies to one item that are ordered, or tied, as people have them; mean over items.'),
  tieThreshold: maybe('Totals no further apart are called tied by the calibrated accuracy.'),
  calibrated: maybe('The accuracy at the threshold that is best for it: chosen on these very labels, so an upper bound.'),
  pairs: whole,
  items: whole,
  reason
}, closed)
export type WithinItem = Static<typeof WithinItem>

const OfScale = Type.Object({
  of: Type.String(),
  n: whole,
  alpha: AgreementCoefficient,
  iccA1: AgreementCoefficient,
  responseLevel: Tau
}, closed)
export type OfScale = Static<typeof OfScale>

const Bias = Type.Object({
  value: maybe('Judge minus people, mean of the totals.'),
  low: maybe(),
  high: maybe(),
  sd: maybe('Of the differences.'),
  lowerLimit: maybe('Within which nineteen of twenty differences lie, were they normal.'),
  upperLimit: maybe(),
  slope: maybe('Of the difference on the mean of both: below 0 the judge uses less of the scale than people.'),
  byRun: Type.Array(Type.Object({ runId: RunId, value: Type.Number(), n: whole }, closed)),
  n: whole
}, closed)
export type Bias = Static<typeof Bias>

const AlternativeAnnotator = Type.Object({
  passes: Type.Union([Type.Boolean(), Type.Null()], { description: 'The winning rate is one half or more.' }),
  winningRate: maybe('Share of raters whom the judge may stand in for.'),
  advantage: maybe('Mean probability that the judge agrees with the others as well as the rater does.'),
  epsilon: Type.Number(),
  raters: Type.Array(Type.Object({
    rater: Type.String(),
    n: whole,
    judge: Type.Number(),
    human: Type.Number(),
    p: Type.Number(),
    q: Type.Number(),
    over: Type.String({ description: 'papers or replies.' })
  }, closed), { description: 'judge, human: share of replies on which each is at least as near to the other raters. q: by Benjamini and Yekutieli.' }),
  reason
}, closed)
export type AlternativeAnnotator = Static<typeof AlternativeAnnotator>

const JudgeHeld = Type.Object({
  judge: Type.String(),
  n: Type.Integer({ minimum: 0, description: 'Replies that people labelled and the judge rated.' }),
  modelLevel: Tau,
  responseLevel: Tau,
  withinItem: WithinItem,
  scales: Type.Array(OfScale, { description: 'Each criterion and the total: the judge beside the mean of people.' }),
  bias: Bias,
  alternativeAnnotator: AlternativeAnnotator
}, closed)
export type JudgeHeld = Static<typeof JudgeHeld>

const Ceiling = Type.Object({
  raterPairs: whole,
  modelLevel: maybe('Mean tau-b over pairs of raters.'),
  responseLevel: maybe('Likewise.'),
  withinItem: maybe('Mean accuracy over pairs of raters, both ways.'),
  scales: Type.Array(Type.Object({
    of: Type.String(), n: whole, alpha: AgreementCoefficient, iccA1: AgreementCoefficient
  }, closed)),
  reason
}, { ...closed, description: 'How far people agree with each other: no judge can be asked for more.' })
export type Ceiling = Static<typeof Ceiling>

const Change = Type.Object({
  judge: Type.String(),
  modelLevel: maybe('tau-b.'),
  responseLevel: maybe('tau-b.'),
  withinItem: maybe('Accuracy.'),
  alpha: maybe('Of the total.'),
  bias: maybe()
}, { ...closed, description: 'This judgement minus the other, over the same replies.' })

export const MetaEvaluation = Type.Object({
  judgementId: JudgementId,
  reference: Type.String(),
  raters: Type.Array(Type.String()),
  labelled: Type.Integer({ minimum: 0, description: 'Replies with a label.' }),
  runs: whole,
  items: whole,
  weights: Type.Enum(['equal', 'inverse-probability'], { description: 'Of means: the bias and those by model. Correlations and agreement are of the labelled replies as they are.' }),
  judges: Type.Array(JudgeHeld),
  ceiling: Ceiling,
  compared: Type.Union([Type.Object({
    judgementId: JudgementId,
    reference: Type.String(),
    judges: Type.Array(JudgeHeld),
    change: Type.Array(Change)
  }, closed), Type.Null()]),
  notes: Type.Array(Type.String())
}, { $id: 'MetaEvaluation', ...closed })
export type MetaEvaluation = Static<typeof MetaEvaluation>
