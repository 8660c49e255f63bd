/** Benchmark: items frozen for good, with the documents and figures they need. */
import { Type, type Static } from 'typebox'
import { CardAgreement } from './agreement.ts'
import { BankImport } from './bank.ts'
import { Curation } from './curation.ts'
import { Diversity, SelectionDiversity } from './diversity.ts'
import { exampleIds } from './example-ids.ts'
import { Recipe, ReviewRecipe } from './generation.ts'
import { BankImportId, BenchmarkId, CurationId, DocumentHash, GenerationId, PaperId, PartialInputBaselineId, ReviewingId } from './ids.ts'
import { Item, ItemKind } from './item.ts'
import { CardPartialInput, Proxy } from './partial-input.ts'
import { decisions, RaterRole, Verdict } from './review.ts'

const closed = { additionalProperties: false }
const Counts = Type.Record(Type.String(), Type.Integer({ minimum: 0 }))

const AskedDecision = Type.Enum([...decisions, 'none'])
const LeaveOut = Type.Enum(['needs-no-paper', 'needs-no-image', 'evidence-insufficient'])
const Family = Type.Optional(Type.Union([Type.String(), Type.Null()], {
  description: 'For example llama; unknown:NAME for a model whose family is not known; human, of a generator, where a person edited the text; null where no model took part.'
}))

export const BenchmarkRequest = Type.Object({
  // No control character: it is shown in pages, tables and file names.
  name: Type.String({ minLength: 1, maxLength: 200, pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]+$' }),
  reviewingIds: Type.Array(ReviewingId, { minItems: 1, maxItems: 100, uniqueItems: true }),
  verdicts: Type.Array(Verdict, {
    default: ['good'], minItems: 1, uniqueItems: true, maxItems: 5, description: 'Of items on which no person has decided, or people disagree; a person\'s decision stands above a verdict.'
  }),
  kinds: Type.Optional(Type.Array(ItemKind, { minItems: 1, uniqueItems: true, maxItems: 4 })),
  decisions: Type.Optional(Type.Array(AskedDecision, {
    minItems: 1, uniqueItems: true, maxItems: 4, description: 'What people decided on the item; none: nobody has. Rejected items are frozen only where this names them; without it all others are.'
  })),
  partialInputBaselineIds: Type.Optional(Type.Array(PartialInputBaselineId, {
    uniqueItems: true, maxItems: 100, description: 'Whose verdicts go on the card and into the slices of the items, one for each reviewing at most. Unless given: of each reviewing the one of the most families that has succeeded by now; []: none.'
  })),
  leaveOut: Type.Optional(Type.Array(LeaveOut, {
    minItems: 1, uniqueItems: true, maxItems: 3, description: 'Items of which a partial-input baseline has found so; undetermined ones stay.'
  })),
  seed: Type.Integer({ minimum: 0, maximum: 2147483647, default: 1, description: 'Of the order of the items.' })
}, {
  $id: 'BenchmarkRequest',
  additionalProperties: false,
  // Items of a mechanical reviewing are unreviewed; the default would freeze none of them.
  examples: [{
    name: 'my benchmark', reviewingIds: [exampleIds.reviewing], verdicts: ['good', 'unreviewed']
  }]
})
export type BenchmarkRequest = Static<typeof BenchmarkRequest>

/**
 * One line of a benchmark's items.jsonl: the item as made, and what was thought of it. Families are
 * of who wrote its text and of the model that gave its verdict, for tests of self-preference.
 */
export const BenchmarkItem = Type.Object({
  ...Item.properties,
  verdict: Verdict,
  generatorFamily: Family,
  reviewerFamily: Family,
  decision: Type.Optional(Type.Enum([...decisions], { description: 'Of people; absent where nobody decided.' })),
  edit: Type.Optional(Type.Object({ role: RaterRole, revision: Type.Integer({ minimum: 1 }) }, {
    ...closed, description: 'A person in this role wrote the text that stands, as this revision; provenance is then of the text that was edited, and checks of the one that stands.'
  }))
}, { $id: 'BenchmarkItem', additionalProperties: false })
export type BenchmarkItem = Static<typeof BenchmarkItem>

const share = { minimum: 0, maximum: 1 }

/** Whether the words of the yes/no questions alone tell yes from no. */
export const ArtifactTest = Type.Object({
  pairs: Type.Integer({ minimum: 0, description: 'Minimal pairs tested: all, or the first 1,000 in the order of the benchmark.' }),
  papers: Type.Integer({ minimum: 0 }),
  accuracy: Type.Union([Type.Number(share), Type.Null()], { description: 'Of telling the true member of a pair from its words by what other papers teach; .5 is chance. Null with fewer than two papers.' }),
  interval: Type.Union([Type.Object({ low: Type.Number(share), high: Type.Number(share) }, closed), Type.Null()], { description: 'Two-sided 95 %, over papers.' }),
  verdict: Type.Enum(['passed', 'failed', 'undetermined'], { description: 'passed: the upper end is at most .60. failed: it is above, and the lower end above chance. undetermined: fewer than 100 pairs, or the interval says neither.' })
}, { $id: 'ArtifactTest', ...closed })

/** A paper the items are about, and under which terms it says it may be used. */
const Source = Type.Object({
  paperId: PaperId,
  documentHash: DocumentHash,
  title: Type.String(),
  licence: Type.String({ description: 'SPDX id of the licence that the paper names, in full only with its version; "unknown" where it names none that we know.' }),
  licenceQuote: Type.Union([Type.String(), Type.Null()], { description: 'The words it was read from.' })
}, closed)
export type Source = Static<typeof Source>

/** An item bank the items are from, and what its import declared of its terms. */
const Bank = Type.Object({
  importId: BankImportId,
  name: Type.String(),
  fileName: Type.String(),
  contentHash: Type.String({ description: 'sha256 of the file.' }),
  licence: Type.String({ description: 'As the import declared it; "unknown" where it declared none.' }),
  release: Type.Enum(['public', 'restricted', 'unknown'], { description: 'Whether the items may be passed on, as the import declared it.' })
}, closed)
export type Bank = Static<typeof Bank>

const Prompts = Type.Array(Type.Object({ name: Type.String(), hash: Type.String() }, closed))

const { id, format, options, answerBase, answerBaseBy, ...counted } = BankImport.properties
const MethodImport = Type.Object({
  id,
  format,
  options,
  answerBase,
  answerBaseBy,
  rowCount: counted.rowCount,
  rowCounts: counted.rowCounts,
  itemCount: counted.itemCount,
  notes: BankImport.properties.noteCounts
}, closed)
const MethodCuration = Type.Object({
  id: Curation.properties.id,
  source: Curation.properties.source,
  steps: Curation.properties.steps,
  seed: Curation.properties.seed,
  itemCount: Curation.properties.itemCount,
  stepCounts: Curation.properties.stepCounts
}, closed)

/** How the items came to be: every generation, import, curation and reviewing behind the benchmark. */
const Method = Type.Object({
  generations: Type.Array(Type.Object({
    id: GenerationId,
    recipe: Recipe,
    prompts: Prompts,
    itemCount: Type.Integer({ minimum: 0 }),
    rejectionCount: Type.Integer({ minimum: 0 })
  }, closed)),
  imports: Type.Optional(Type.Array(MethodImport)),
  curations: Type.Optional(Type.Array(MethodCuration)),
  reviewings: Type.Array(Type.Object({
    id: ReviewingId,
    generationId: Type.Optional(GenerationId),
    importId: Type.Optional(BankImportId),
    curationId: Type.Optional(CurationId),
    recipe: ReviewRecipe,
    prompts: Prompts
  }, { ...closed, description: 'With the one of the three whose items were reviewed.' }))
}, closed)
export type Method = Static<typeof Method>

const Model = Type.Object({
  name: Type.String(),
  family: Type.String(),
  role: Type.Enum(['generator', 'reviewer']),
  items: Type.Integer({ minimum: 0, description: 'Whose text it wrote, or whose verdict it gave.' })
}, closed)

/** What is in the benchmark and what was left out, so that nobody need guess. */
export const DataCard = Type.Object({
  itemCount: Type.Integer({ minimum: 1 }),
  pairCount: Type.Integer({ minimum: 0 }),
  paperCount: Type.Integer({ minimum: 0, description: '0 where all items are of item banks.' }),
  byKind: Counts,
  byVerdict: Counts,
  bySlice: Type.Record(Type.String(), Counts, { description: 'Dimension, value, number of items.' }),
  leftOut: Type.Record(Type.String(), Type.Integer({ minimum: 0 }), { description: 'Reason, number of items: decision:rejected, kind, verdict:NAME, failed-check:NAME, needs-no-paper, needs-no-image, evidence-insufficient, duplicate, pair-incomplete. Each item counts once, under the first reason that holds.' }),
  artifactTest: Type.Optional(Type.Union([ArtifactTest, Type.Null()], { description: 'Null without minimal pairs; absent in benchmarks frozen before there was the test.' })),
  proxies: Type.Optional(Type.Array(Proxy, { description: 'How far one comes without reading anything, by code alone.' })),
  partialInput: Type.Optional(Type.Array(CardPartialInput, { description: 'Partial-input baselines over the reviewings behind it; empty where none was run.' })),
  notes: Type.Array(Type.String()),
  // Optional: benchmarks that were frozen before these were kept have none.
  canary: Type.Optional(Type.String({ description: 'Stands in every export, so that a training corpus that swallowed one can be told.' })),
  byDecision: Type.Optional(Counts),
  models: Type.Optional(Type.Array(Model)),
  sources: Type.Optional(Type.Array(Source)),
  banks: Type.Optional(Type.Array(Bank, { description: 'Absent without items of banks.' })),
  method: Type.Optional(Method),
  rejections: Type.Optional(Type.Record(Type.String(), Type.Integer({ minimum: 0 }), { description: 'Reason, number of drafts that became no item, over all generations behind the benchmark.' })),
  diversity: Type.Optional(Type.Object({
    ...Diversity.properties,
    selections: Type.Array(Type.Object({
      generationId: GenerationId, ...SelectionDiversity.properties
    }, closed), { description: 'What choosing among their drafts was worth to the generations behind it; empty where nothing was left out.' })
  }, { ...closed, description: 'Of the items of the benchmark that are about papers; absent where none is.' })),
  agreement: Type.Optional(Type.Union([Type.Array(CardAgreement), Type.Null()], { description: 'Of people who reviewed the same items, when it was frozen; null where no two did.' })),
  limits: Type.Optional(Type.Array(Type.String(), { description: 'What the numbers made with it do not say.' }))
}, { $id: 'DataCard', ...closed })
export type DataCard = Static<typeof DataCard>

export const Benchmark = Type.Object({
  id: BenchmarkId,
  version: Type.String({ description: 'sha256 of the canonical JSON of {name, documents: [documentHash, …], items: sha256 of items.jsonl}: the same content has the same version.' }),
  name: Type.String(),
  reviewingIds: Type.Array(ReviewingId),
  verdicts: Type.Array(Verdict),
  kinds: Type.Union([Type.Array(ItemKind), Type.Null()], { description: 'Null: every kind.' }),
  decisions: Type.Optional(Type.Array(AskedDecision, { description: 'Absent: all but rejected.' })),
  partialInputBaselineIds: Type.Optional(Type.Array(PartialInputBaselineId, { description: 'Absent: none.' })),
  leaveOut: Type.Optional(Type.Array(LeaveOut)),
  seed: Type.Integer(),
  papers: Type.Array(Type.Object({
    paperId: PaperId, documentHash: DocumentHash, title: Type.String()
  }, closed)),
  card: DataCard
}, { $id: 'Benchmark', additionalProperties: false })
export type Benchmark = Static<typeof Benchmark>
