/** The fields that benchmarks report by, as AutoPaperBench does. */
import { Type, type Static } from 'typebox'

export const domains = ['medical', 'natural', 'engineering', 'other'] as const

export const Domain = Type.Enum([...domains])
export type Domain = Static<typeof Domain>
