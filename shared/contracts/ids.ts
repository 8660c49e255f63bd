/**
 * Ids are content hashes, so doing the same work twice changes nothing: prefix + 32 hex digits of
 * sha256 over canonical JSON (a paper's: over its bytes).
 */
import { Type, type TString } from 'typebox'
import { exampleIds, type Unexampled } from './example-ids.ts'
import { prefixes, type IdKind } from './hash.ts'

function idSchema (kind: IdKind): TString {
  const prefix = prefixes[kind]
  return Type.String({
    pattern: `^${prefix}_[0-9a-f]{32}$`,
    description: `Id of a ${kind}: ${prefix}_ and 32 hex digits.`,
    examples: [isUnexampled(kind) ? `${prefix}_${'0'.repeat(32)}` : exampleIds[kind]]
  })
}

/** They need a model, which the walk has not. */
function isUnexampled (kind: IdKind): kind is Unexampled {
  return !Object.hasOwn(exampleIds, kind)
}

export const PaperId = idSchema('paper')
export const DocumentHash = idSchema('document')
export const GenerationId = idSchema('generation')
export const BankImportId = idSchema('bankImport')
export const CurationId = idSchema('curation')
export const ItemId = idSchema('item')
export const ReviewingId = idSchema('reviewing')
export const ReviewId = idSchema('review')
export const PartialInputBaselineId = idSchema('partialInputBaseline')
export const BenchmarkId = idSchema('benchmark')
export const RunId = idSchema('run')
export const PredictionId = idSchema('prediction')
export const ReportId = idSchema('report')
export const JudgementId = idSchema('judgement')
export const RunImportId = idSchema('runImport')
export const ComparisonId = idSchema('comparison')
export const ScoreTableId = idSchema('scoreTable')
export const SittingId = idSchema('sitting')
