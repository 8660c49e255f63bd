/** The overlap measures of descriptive answers, with the options they are reported under. */
import { bleuSignature, type BleuOptions } from './metrics/bleu.ts'
import { rougeScorer, rougeSignature, type RougeType } from './metrics/rouge.ts'

export const rougeTypesReported = ['rouge1', 'rouge2', 'rougeL'] as const satisfies readonly RougeType[]
export const sentenceOptions: BleuOptions = { effectiveOrder: true }
export const corpusOptions: BleuOptions = {}

export const scoreRouge = rougeScorer({ types: rougeTypesReported })
export const rougeSignatureReported = rougeSignature({ types: rougeTypesReported })
export const sentenceSignature = bleuSignature([1], sentenceOptions)
export const corpusSignature = bleuSignature([1], corpusOptions)
