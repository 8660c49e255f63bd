/**
 * Partial-input baselines: what models answer of an item when part of its input is missing. An item
 * that is answered without its paper examines no reading of it.
 */
import { Type, type Static } from 'typebox'
import { exampleIds } from './example-ids.ts'
import { BenchmarkId, ItemId, PartialInputBaselineId, ReviewingId } from './ids.ts'
import { ItemKind } from './item.ts'
import { jobResource } from './job.ts'
import { Verdict } from './review.ts'
import { Outcome } from './run.ts'

const closed = { additionalProperties: false }
const nullable = (description?: string) =>
  Type.Union([Type.Number(), Type.Null()], description === undefined ? {} : { description })
const whole = Type.Integer({ minimum: 0 })

export const partialConditions = [
  'closed-book', 'question-only', 'choices-only', 'caption-only', 'image-withheld', 'image-swapped',
  'evidence-withheld', 'evidence-alone', 'full'
] as const
export const PartialCondition = Type.Enum([...partialConditions], {
  description: 'closed-book: title, question, choices. question-only: question and choices, no word of the paper. choices-only: the choices without the question. caption-only: question, choices, captions of the figures asked about. image-withheld: the full input without images. image-swapped: with the images of another figure. evidence-withheld: the full input without the paragraphs, captions, tables and equations that hold the evidence. evidence-alone: the quotes of the evidence, question, choices. full: abstract, the place asked about, captions and images.'
})
export type PartialCondition = Static<typeof PartialCondition>

/** Of answers that are looked up rather than composed: always the likeliest, and room to think briefly. */
const PartialSampling = Type.Object({
  temperature: Type.Number({ minimum: 0, maximum: 2, default: 0 }),
  topP: Type.Number({ exclusiveMinimum: 0, maximum: 1, default: 1 }),
  maxTokens: Type.Integer({ minimum: 16, maximum: 8192, default: 512 })
}, closed)

const Source = Type.Union([
  Type.Object({ reviewingId: ReviewingId }, closed), Type.Object({ benchmarkId: BenchmarkId }, closed)
], { description: 'The items of a finished reviewing that a benchmark may take, or of a benchmark.' })

export const PartialInputRequest = Type.Object({
  source: Source,
  models: Type.Array(Type.String({ minLength: 1, maxLength: 300 }), { minItems: 1, maxItems: 40, uniqueItems: true, description: 'As inference lists them. Five families or more: fewer leave every verdict undetermined.' }),
  families: Type.Record(Type.String({ maxLength: 300 }), Type.String({ pattern: '^[a-z0-9.-]{1,40}$' }), { default: {}, maxProperties: 40, description: 'Model → family, for models whose name does not tell; those left unknown count as one family together.' }),
  conditions: Type.Array(PartialCondition, { default: [...partialConditions], minItems: 1, maxItems: 9, uniqueItems: true, description: 'full is always asked: it is what the others are compared with.' }),
  kinds: Type.Array(ItemKind, { default: ['binary', 'choice'], minItems: 1, maxItems: 4, uniqueItems: true, description: 'Of qa and vqa no verdict follows, only overlap with the reference for the set.' }),
  verdicts: Type.Array(Verdict, { default: ['good', 'unreviewed'], minItems: 1, maxItems: 5, uniqueItems: true }),
  orders: Type.Integer({ minimum: 1, maximum: 20, default: 4, description: 'Cyclic orders of the choices in which each item is asked, at most; a yes/no question has two.' }),
  fdr: Type.Enum(['bh', 'by'], { default: 'bh', description: 'bh: Benjamini and Hochberg. by: Benjamini and Yekutieli, under any dependence of items.' }),
  sampling: Type.Object(PartialSampling.properties, { ...closed, default: {} }),
  contextTokens: Type.Integer({ minimum: 1024, maximum: 1048576, default: 8192, description: 'Prompt and reply together; what does not fit is named in leftOut of the answer.' }),
  seed: Type.Integer({ minimum: 0, maximum: 2147483647, default: 1 })
}, {
  $id: 'PartialInputRequest',
  ...closed,
  examples: [{ source: { reviewingId: exampleIds.reviewing }, models: ['llama-3.1-8b', 'qwen2.5-7b', 'gemma-2-9b', 'phi-4', 'mistral-7b'] }]
})
export type PartialInputRequest = Static<typeof PartialInputRequest>

const Estimate = Type.Object({
  value: nullable('In [0, 1], a difference in [-1, 1]; null where nothing was asked.'),
  low: nullable(),
  high: nullable(),
  over: Type.Union([Type.Enum(['papers', 'items', 'exact']), Type.Null()], { description: 'What the two-sided 95 % interval counts. papers: t over at least five, cluster-robust. items: for these papers only. exact: Clopper and Pearson, where nothing varies. Always for these models only.' })
}, closed)
export type PartialEstimate = Static<typeof Estimate>

/** One condition over all items of a kind. */
const Row = Type.Object({
  condition: PartialCondition,
  kind: ItemKind,
  items: Type.Integer({ minimum: 0, description: 'With an answer to count from one family or more.' }),
  papers: whole,
  families: whole,
  outcomes: Type.Record(Outcome, whole, { description: 'Of every asking; unparsable, refused and truncated count as wrong, error and skipped do not count.' }),
  accuracy: Type.Union([Estimate, Type.Null()], { description: 'Every family weighs the same. Null for qa and vqa.' }),
  chance: nullable('Mean of 1 / number of choices.'),
  majority: nullable('Share of the commonest right answer: Yes or No, or a position as made.'),
  lessThanFull: Type.Union([Estimate, Type.Null()], { description: 'Full minus this, paired by item and family.' }),
  tokenF1: Type.Union([Estimate, Type.Null()], { description: 'qa and vqa: overlap of words with the reference.' }),
  numberRecall: Type.Union([Estimate, Type.Null()], { description: 'qa and vqa: share of the reference\'s numbers, over those that have any.' })
}, closed)
export type PartialRow = Static<typeof Row>

export const partialQuestions = ['needsPaper', 'needsImage', 'evidenceSufficient', 'evidenceNecessary'] as const
export type PartialQuestion = (typeof partialQuestions)[number]
const Says = Type.Enum(['yes', 'no', 'undetermined'])

/** One question about one item. */
const ItemVerdict = Type.Object({
  verdict: Says,
  condition: Type.Union([PartialCondition, Type.Null()], { description: 'That the verdict rests on: of those asked that the question is about, the one that shows most.' }),
  families: Type.Integer({ minimum: 0, description: 'With an answer to count under that condition.' }),
  right: Type.Integer({ minimum: 0, description: 'Of them, those that single out the right answer under it.' }),
  reached: Type.Object({
    p: nullable('That so many families or more would be right by chance.'),
    least: nullable('The least p that so many families can reach.'),
    q: nullable('Over all items: the share of false discoveries that p lets in.'),
    decoyQ: nullable('The same, by how often wrong choices do as well.')
  }, closed),
  lost: Type.Object({
    p: nullable('That the right answer is not found with the full input, or that fewer families come nearer to it with the full input than farther from it.'),
    q: nullable()
  }, closed),
  reason: Type.String()
}, closed)
export type PartialItemVerdict = Static<typeof ItemVerdict>

export const PartialInputItem = Type.Object({
  itemId: ItemId,
  itemHash: Type.String({ description: 'sha256 of the canonical JSON of the item as asked.' }),
  kind: ItemKind,
  pairId: Type.Optional(Type.String({ description: 'Both members of a pair have the pair\'s verdicts.' })),
  needsPaper: Type.Union([ItemVerdict, Type.Null()], { description: 'Null where the question does not arise.' }),
  needsImage: Type.Union([ItemVerdict, Type.Null()]),
  evidenceSufficient: Type.Union([ItemVerdict, Type.Null()]),
  evidenceNecessary: Type.Union([ItemVerdict, Type.Null()]),
  accuracy: Type.Record(Type.String(), nullable(), { description: 'Condition → share right, every family weighing the same.' })
}, { $id: 'PartialInputItem', ...closed })
export type PartialInputItem = Static<typeof PartialInputItem>

/** One asking of one model, as it came. */
const Answer = Type.Object({
  condition: PartialCondition,
  order: Type.Integer({ minimum: 0, description: 'The choice that was shown first.' }),
  outcome: Outcome,
  index: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], { description: 'Into the item\'s choices.' }),
  reply: Type.Union([Type.String(), Type.Null()]),
  detail: Type.Union([Type.String(), Type.Null()]),
  requestHash: Type.Union([Type.String(), Type.Null()]),
  leftOut: Type.Array(Type.String())
}, closed)
export type PartialAnswer = Static<typeof Answer>

export const PartialInputAnswers = Type.Object({
  itemId: ItemId, model: Type.String(), answers: Type.Array(Answer)
}, { $id: 'PartialInputAnswers', ...closed })
export type PartialInputAnswers = Static<typeof PartialInputAnswers>

const Models = Type.Array(Type.Object({
  name: Type.String(), family: Type.String(), vision: Type.Boolean()
}, closed))
const VerdictCounts = Type.Object({ yes: whole, no: whole, undetermined: whole }, closed)

export const PartialInputReport = Type.Object({
  items: whole,
  families: Type.Array(Type.String()),
  rows: Type.Array(Row),
  verdicts: Type.Object({
    needsPaper: VerdictCounts,
    needsImage: VerdictCounts,
    evidenceSufficient: VerdictCounts,
    evidenceNecessary: VerdictCounts
  }, { ...closed, description: 'Items; a pair counts as two.' }),
  notes: Type.Array(Type.String())
}, { $id: 'PartialInputReport', ...closed })
export type PartialInputReport = Static<typeof PartialInputReport>

const { families, ...asked } = PartialInputRequest.properties

export const PartialInputBaseline = jobResource('PartialInputBaseline', {
  id: PartialInputBaselineId,
  ...asked,
  models: Models,
  prompts: Type.Array(Type.Object({ name: Type.String(), hash: Type.String() }, closed)),
  itemCount: whole,
  callCount: Type.Integer({ minimum: 0, description: 'At most; what a model cannot be shown is skipped.' }),
  report: Type.Union([PartialInputReport, Type.Null()], { description: 'Null until the work has ended.' })
})
export type PartialInputBaseline = Static<typeof PartialInputBaseline>

const Evenness = Type.Object({
  method: Type.Enum(['chi-square', 'simulated', 'exact'], { description: 'simulated: chi-square where fewer than five are expected at a place; exact: binomial, of pairs.' }),
  n: whole,
  statistic: nullable(),
  df: Type.Union([whole, Type.Null()]),
  p: nullable('That places as uneven or more come about where all are alike.'),
  draws: Type.Optional(Type.Integer({ minimum: 1, description: 'Of a simulated p, which is 1 / (draws + 1) at least.' })),
  verdict: Type.Enum(['uneven', 'no-sign', 'undetermined'], { description: 'uneven: p at most .05. undetermined: below 100 items or pairs, whatever p is.' })
}, { $id: 'Evenness', ...closed })
export type Evenness = Static<typeof Evenness>

/** What can be told of the items by code alone, no model asked. */
export const Proxy = Type.Object({
  name: Type.Enum(['longest-choice', 'choice-like-question', 'commonest-position', 'commonest-answer', 'true-member-first', 'answer-in-question'], {
    description: 'longest-choice: take the longest. choice-like-question: take the one that shares most of its words with the question. commonest-position, commonest-answer: take what is right most often. true-member-first: share of the pairs (n) whose true member stands first. answer-in-question: share of the reference\'s words that the question has.'
  }),
  kind: ItemKind,
  n: whole,
  rate: Type.Number({ minimum: 0, maximum: 1, description: 'Right; ties for their part.' }),
  chance: nullable('Null where there is none.'),
  interval: Estimate,
  evenness: Type.Optional(Type.Object(Evenness.properties, { ...closed, description: 'Of commonest-position and true-member-first: whether the right answer stands everywhere alike.' })),
  counts: Type.Optional(Type.Record(Type.String(), whole, { description: 'Position from 1, or answer → items.' }))
}, { $id: 'Proxy', ...closed })
export type Proxy = Static<typeof Proxy>

/** On a data card: a baseline over a reviewing behind the benchmark, and what it says of these items. */
export const CardPartialInput = Type.Object({
  id: PartialInputBaselineId,
  reviewingId: ReviewingId,
  models: Models,
  rows: Type.Array(Row, { description: 'Over all items asked, not only those of the benchmark.' }),
  asked: Type.Integer({ minimum: 0, description: 'Items of the benchmark that were asked as they stand here.' }),
  verdicts: PartialInputReport.properties.verdicts
}, closed)
export type CardPartialInput = Static<typeof CardPartialInput>
