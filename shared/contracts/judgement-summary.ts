/**
 * What the ratings of a judgement come to. Every number has its n; what cannot be computed is null with a
 * reason.
 */
import { Type, type Static } from 'typebox'
import { JudgementId, RunId } from './ids.ts'
import { Score } from './score.ts'
import { Outcome } from './run.ts'

const closed = { additionalProperties: false }
const whole = Type.Integer({ minimum: 0 })
const maybe = (description?: string) =>
  Type.Union([Type.Number(), Type.Null()], description === undefined ? {} : { description })
const reason = Type.Optional(Type.String())
const OutcomeCounts = Type.Record(Outcome, whole)

const ByJudge = Type.Object({
  judge: Type.String(),
  outcomes: OutcomeCounts,
  cutReplies: Type.Integer({ minimum: 0, description: 'Ratings of a reply whose middle was left out.' }),
  scores: Type.Array(Score, { description: 'Each criterion as given, the total, the total by both normalisations, the total with unanswered predictions at the least, and the total of replies that chose right.' })
}, closed)

/** Judge means brought to what people would have given, by the predictions that people labelled. */
const Corrected = Type.Object({
  judge: Type.String(),
  method: Type.Enum(['prediction-powered', 'inverse-probability'], { description: 'The second where labels were drawn with unequal probabilities.' }),
  value: maybe('Mean total.'),
  low: maybe(),
  high: maybe(),
  judgeBias: maybe('Judge minus people, where both rated.'),
  labelled: whole,
  unlabelled: whole,
  humanOnly: Type.Union([
    Type.Object({ value: Type.Number(), low: maybe(), high: maybe() }, closed), Type.Null()
  ], { description: 'By people\'s labels alone.' }),
  reason
}, closed)
export type CorrectedMean = Static<typeof Corrected>

const RunJudged = Type.Object({
  runId: RunId,
  model: Type.String(),
  family: Type.String(),
  predictions: whole,
  judged: whole,
  notJudged: Type.Record(Type.String(), whole, { description: 'Predictions by why they are not judged: their outcome, or no-text where all was reasoning.' }),
  judges: Type.Array(ByJudge),
  panel: Type.Union([Type.Object({ mean: Type.Array(Score), median: Type.Array(Score) }, closed), Type.Null()], { description: 'Over predictions that every judge has rated; null with one judge.' }),
  corrected: Type.Array(Corrected, { description: 'None without labels of people.' })
}, closed)
export type RunJudged = Static<typeof RunJudged>

export const AgreementCoefficient = Type.Object({
  value: maybe(), low: maybe(), high: maybe(), over: Type.Optional(Type.String({ description: 'What the 95 % interval counts.' })), reason
}, closed)
export type AgreementValue = Static<typeof AgreementCoefficient>

const Agreement = Type.Object({
  of: Type.String({ description: 'A criterion, total or preference.' }),
  raters: whole,
  n: Type.Integer({ minimum: 0, description: 'Predictions that two or more have rated.' }),
  alpha: AgreementCoefficient,
  iccA1: AgreementCoefficient,
  gwet: AgreementCoefficient
}, { ...closed, description: 'alpha: Krippendorff\'s, interval distances, of preferences nominal. iccA1: two-way, absolute agreement, one rating. gwet: AC2 with quadratic weights, of preferences AC1. Of the first repeat.' })
export type Agreement = Static<typeof Agreement>

const Repeats = Type.Object({
  judge: Type.String(),
  n: Type.Integer({ minimum: 0, description: 'Predictions rated twice or more.' }),
  identical: maybe('Share whose totals are all the same.'),
  sdWithin: maybe('Standard deviation of totals of one prediction.'),
  drift: Type.Union([Score, Type.Null()], { description: 'Last minus first.' })
}, closed)
export type Repeats = Static<typeof Repeats>

const LengthBias = Type.Object({
  judge: Type.String(),
  slope: maybe('Points of the total for a reply twice as long.'),
  low: maybe(),
  high: maybe(),
  n: whole,
  clusters: whole,
  within: Type.Enum(['items', 'all'], { description: 'items: replies to one item are compared, so that hard items do not enter. all: there is one run.' }),
  reason
}, { ...closed, description: 'An association: a longer reply may also be better.' })
export type LengthBias = Static<typeof LengthBias>

const SelfPreference = Type.Object({
  value: maybe('How much more a judge gives models of its own family than others, after what is due to the judge and to the model.'),
  p: maybe('Over all ways to give the families to the judges.'),
  leastP: maybe('The least p that so many judges can reach.'),
  judges: whole,
  models: whole,
  n: Type.Integer({ minimum: 0, description: 'Items that all models answered and all judges rated.' }),
  reason
}, closed)
export type SelfPreference = Static<typeof SelfPreference>

const Preferences = Type.Object({
  judge: Type.String({ description: 'panel: mean of the judges, over pairs that all of them have decided.' }),
  outcomes: OutcomeCounts,
  pairs: Type.Integer({ minimum: 0, description: 'Judged in every order that was asked.' }),
  incomplete: Type.Integer({ minimum: 0, description: 'One order or more gave no preference: they count nowhere.' }),
  wins: Type.Array(Type.Object({ runId: RunId, count: whole }, closed)),
  ties: Type.Integer({ minimum: 0, description: 'Flipped pairs are ties too.' }),
  flips: Type.Integer({ minimum: 0, description: 'Each order preferred another run: what decided was the place.' }),
  flipRate: Score,
  firstShown: Score,
  longer: Score,
  score: Score
}, { ...closed, description: 'A run wins a pair where both orders prefer it. score: 1 where the first run wins, -1 where the second does, 0 for a tie. firstShown: of preferences, the share for the reply shown first. longer: of decided pairs, the share for the longer reply.' })
export type Preferences = Static<typeof Preferences>

export const JudgementSummary = Type.Object({
  judgementId: JudgementId,
  complete: Type.Boolean({ description: 'Every asking has a rating, and none is an error.' }),
  runs: Type.Array(RunJudged, { description: 'Of the form scores.' }),
  preferences: Type.Array(Preferences, { description: 'Of the form preferences.' }),
  agreement: Type.Array(Agreement),
  repeats: Type.Array(Repeats),
  lengthBias: Type.Array(LengthBias),
  selfPreference: Type.Union([SelfPreference, Type.Null()]),
  notes: Type.Array(Type.String())
}, { $id: 'JudgementSummary', ...closed })
export type JudgementSummary = Static<typeof JudgementSummary>
