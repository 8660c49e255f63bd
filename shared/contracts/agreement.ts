/** Agreement: how far people who rated the same items say the same. */
import { Type, type Static } from 'typebox'
import { QuestionnaireId } from './human-review.ts'
import { ReviewingId } from './ids.ts'

const closed = { additionalProperties: false }
const nullable = Type.Union([Type.Number(), Type.Null()])

export const AgreementEstimate = Type.Object({
  value: nullable,
  low: nullable,
  high: nullable,
  over: Type.Union([Type.Enum(['papers', 'clusters', 'items']), Type.Null()], {
    description: 'papers: t on a cluster-robust or jackknife variance over papers. clusters: the same over what the items of a bank declare to belong together (slice cluster, else minimal pairs), and papers where there are some. items: of a bank that declares nothing, each for itself; or below five papers or clusters, as if items were independent, and for these alone.'
  }),
  reason: Type.Union([Type.String(), Type.Null()], { description: 'Why there is no value or no interval, or an interval of another kind.' })
}, { $id: 'AgreementEstimate', ...closed })
export type AgreementEstimate = Static<typeof AgreementEstimate>

const estimates = {
  percentAgreement: AgreementEstimate,
  cohenKappa: AgreementEstimate,
  cohenKappaWeighted: AgreementEstimate,
  gwetAC1: AgreementEstimate,
  gwetAC2: AgreementEstimate,
  alphaNominal: AgreementEstimate,
  alphaOrdinal: AgreementEstimate,
  alphaInterval: AgreementEstimate,
  iccA1: AgreementEstimate
}

export const QuestionAgreement = Type.Object({
  question: Type.String({ description: 'Id of the question; decision: accepted, edited or rejected.' }),
  level: Type.Enum(['nominal', 'ordinal', 'interval']),
  values: Type.Array(Type.Union([Type.Number(), Type.String()]), { description: 'All that could be said.' }),
  units: Type.Integer({ description: 'Versions of items, or sets, that two raters or more rated.' }),
  single: Type.Integer({ description: 'Rated by one rater only; in none of the figures.' }),
  papers: Type.Integer({ description: 'Of items of banks their clusters in place of papers.' }),
  raters: Type.Array(Type.String()),
  ratings: Type.Integer(),
  ...estimates
}, { $id: 'QuestionAgreement', ...closed })
export type QuestionAgreement = Static<typeof QuestionAgreement>

/** On a data card: without the names of the raters. */
export const CardAgreement = Type.Object({
  reviewingId: ReviewingId,
  questionnaireId: Type.Union([QuestionnaireId, Type.Null()], { description: 'Null: on the decision (accepted, edited, rejected).' }),
  questions: Type.Array(Type.Object({
    ...QuestionAgreement.properties, raters: Type.Integer({ minimum: 2 })
  }, { ...closed, description: 'That two raters or more answered of the same item or set.' }), { minItems: 1 })
}, { $id: 'CardAgreement', ...closed })
export type CardAgreement = Static<typeof CardAgreement>

export const Agreement = Type.Object({
  reviewingId: ReviewingId,
  questionnaireId: Type.Union([QuestionnaireId, Type.Null()]),
  questions: Type.Array(QuestionAgreement),
  withoutEditors: Type.Object({
    leftOut: Type.Array(Type.String(), { description: 'Raters who edited an item of the reviewing.' }),
    questions: Type.Array(QuestionAgreement)
  }, { ...closed, description: 'The same without raters who edited: who writes an answer does not rate it as others do.' })
}, { $id: 'Agreement', ...closed })
export type Agreement = Static<typeof Agreement>
