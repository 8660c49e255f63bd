/**
 * Curation: items of an import, or of another curation, taken through steps in order. Items are never
 * changed: what a step changes is another item with its parent's id, and what it drops is listed.
 */
import { Type, type Static } from 'typebox'
import { BankImportId, CurationId, ItemId } from './ids.ts'
import { Item } from './item.ts'
import { jobResource } from './job.ts'

const closed = { additionalProperties: false }
const whole = Type.Integer({ minimum: 0 })
const model = Type.String({ minLength: 1, maxLength: 300 })

const Deduplicate = Type.Object({
  step: Type.Literal('deduplicate'),
  ratioMin: Type.Number({ minimum: 0.3, maximum: 1, default: 0.6, description: 'difflib\'s SequenceMatcher.ratio, as Python computes it, at which two items are the same.' }),
  autojunk: Type.Boolean({ default: true }),
  compare: Type.Enum(['question', 'question-and-choices'], { default: 'question-and-choices' }),
  keep: Type.Enum(['first', 'last'], { default: 'first' })
}, closed)
const ShuffleChoices = Type.Object({ step: Type.Literal('shuffle-choices') }, closed)
const Paraphrase = Type.Object({
  step: Type.Literal('paraphrase'), model, protectedTerms: Type.Array(Type.String({ minLength: 1, maxLength: 200 }), { default: [], maxItems: 5000 })
}, closed)
const TranscribeFormulas = Type.Object({ step: Type.Literal('transcribe-formulas'), model: Type.Optional(model) }, closed)
const Tag = Type.Object({
  step: Type.Literal('tag'),
  dimensions: Type.Array(Type.Enum(['modality', 'figureType', 'skill', 'difficulty', 'subdomain']), { minItems: 1, uniqueItems: true, default: ['modality', 'figureType', 'skill', 'difficulty'] }),
  model: Type.Optional(model),
  subdomains: Type.Array(Type.String({ minLength: 1, maxLength: 200 }), { default: [], maxItems: 100 })
}, closed)
const FindRegional = Type.Object({
  step: Type.Literal('find-regional'),
  regionPack: Type.String({ pattern: '^[a-z][a-z0-9-]{0,39}$' }),
  models: Type.Array(model, { maxItems: 5, uniqueItems: true, default: [], description: 'Whose finds are united; two give an estimate of what both missed. The pack\'s own words are always looked for.' }),
  sampleRejected: Type.Integer({ minimum: 0, maximum: 1000, default: 50, description: 'Items that nobody found, put to people all the same.' })
}, closed)
const RewriteExplicit = Type.Object({
  step: Type.Literal('rewrite-explicit'),
  regionPack: Type.String({ pattern: '^[a-z][a-z0-9-]{0,39}$' }),
  model: Type.Optional(model)
}, closed)
const WriteRationales = Type.Object({
  step: Type.Literal('write-rationales'),
  model,
  critic: Type.Optional(model),
  attemptsMax: Type.Integer({ minimum: 1, maximum: 10, default: 4 }),
  count: Type.Optional(Type.Integer({ minimum: 1, maximum: 100000, description: 'Items, spread over the values of `stratifyBy`; left out: all.' })),
  stratifyBy: Type.Array(Type.String({ pattern: '^[a-z][A-Za-z0-9-]{0,39}$' }), { default: [], maxItems: 5 }),
  terms: Type.Array(Type.Object({ wrong: Type.String({ minLength: 1, maxLength: 200 }), right: Type.String({ minLength: 1, maxLength: 200 }) }, closed), { default: [], maxItems: 5000 })
}, closed)

export const CurationStep = Type.Union([
  Deduplicate, ShuffleChoices, Paraphrase, TranscribeFormulas, Tag, FindRegional, RewriteExplicit, WriteRationales
], { $id: 'CurationStep' })
export type CurationStep = Static<typeof CurationStep>

export const CurationSource = Type.Union([
  Type.Object({ importId: BankImportId }, closed), Type.Object({ curationId: CurationId }, closed)
])
export type CurationSource = Static<typeof CurationSource>

export const CurationRequest = Type.Object({
  source: CurationSource,
  steps: Type.Array(CurationStep, { minItems: 1, maxItems: 20 }),
  except: Type.Array(Type.Object({
    itemId: ItemId, step: Type.Integer({ minimum: 0, maximum: 19, description: 'Place of the step in `steps`, from 0.' })
  }, closed), { default: [], maxItems: 10000, description: 'Items, by the id they have in the source, that a step leaves as they are: how a change is undone.' }),
  seed: Type.Integer({ minimum: 0, maximum: 2147483647, default: 1 })
}, { $id: 'CurationRequest', ...closed })
export type CurationRequest = Static<typeof CurationRequest>

/** What a step did to one item. */
export const CurationChange = Type.Object({
  step: Type.Integer({ minimum: 0 }),
  rootId: ItemId,
  action: Type.Enum(['changed', 'dropped', 'flagged'], { description: 'flagged: left for a person to decide, the item goes on as it was.' }),
  reason: Type.String({ description: 'Kebab-case.' }),
  detail: Type.String(),
  before: Item,
  after: Type.Union([Item, Type.Null()], { description: 'Null where it was dropped or only flagged.' }),
  relatedIds: Type.Array(ItemId, { description: 'Of duplicates: the item that is kept.' })
}, { $id: 'CurationChange', ...closed })
export type CurationChange = Static<typeof CurationChange>

export const Curation = jobResource('Curation', {
  id: CurationId,
  ...CurationRequest.properties,
  itemCount: whole,
  steps: Type.Array(CurationStep),
  stepCounts: Type.Array(Type.Object({ changed: whole, dropped: whole, flagged: whole }, closed), { description: 'In the order of the steps.' }),
  findings: Type.Array(Type.Object({ step: Type.Integer({ minimum: 0 }), name: Type.String(), value: Type.Unknown() }, closed), { description: 'Estimates that a step makes, for example how many regional items both models missed.' })
})
export type Curation = Static<typeof Curation>
