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

const RegionPack = Type.String({ pattern: '^[a-z][a-z0-9-]{0,39}$', description: 'A folder\'s file of region-packs, for example korea.' })

const Deduplicate = Type.Object({
  step: Type.Literal('deduplicate'),
  ratioMin: Type.Optional(Type.Number({ minimum: 0.3, maximum: 1, description: 'difflib\'s SequenceMatcher.ratio, as Python computes it, below which two items are not the same. Usual: 0.6.' })),
  autojunk: Type.Optional(Type.Boolean({ description: 'As Python\'s switch, which is on there. Usual: false, for with it a text of 200 characters and one that differs in a word may have a ratio near 0.' })),
  compare: Type.Optional(Type.Enum(['question', 'question-and-choices'], { description: 'What the ratio is of; choices are sorted first. Usual: question-and-choices.' })),
  keep: Type.Optional(Type.Enum(['first', 'last'], { description: 'Usual: first.' }))
}, closed)
const ShuffleChoices = Type.Object({ step: Type.Literal('shuffle-choices') }, closed)
const Paraphrase = Type.Object({
  step: Type.Literal('paraphrase'),
  model,
  protectedTerms: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 200 }), { maxItems: 5000, description: 'Words that a paraphrase keeps as they are.' })),
  attemptsMax: Type.Optional(Type.Integer({ minimum: 1, maximum: 10, description: 'Replies asked for until one keeps all it must. Usual: 3.' }))
}, closed)
const TranscribeFormulas = Type.Object({ step: Type.Literal('transcribe-formulas') }, closed)
const dimensions = ['modality', 'figureType', 'skill', 'difficulty', 'subdomain'] as const
const Tag = Type.Object({
  step: Type.Literal('tag'),
  dimensions: Type.Optional(Type.Array(Type.Enum([...dimensions]), { minItems: 1, maxItems: 5, uniqueItems: true, description: 'Usual: modality, figureType, skill, difficulty.' })),
  subdomains: Type.Optional(Type.Array(Type.Object({
    name: Type.String({ minLength: 1, maxLength: 200 }),
    words: Type.Array(Type.String({ minLength: 1, maxLength: 200 }), { minItems: 1, maxItems: 200 })
  }, closed), { maxItems: 100, description: 'With the words that tell them; an item that has words of none, or as many of two, is left untagged.' }))
}, closed)
const FindRegional = Type.Object({
  step: Type.Literal('find-regional'),
  regionPack: RegionPack,
  models: Type.Optional(Type.Array(model, { maxItems: 5, uniqueItems: true, description: 'Whose finds are united; two give an estimate of what both missed. The pack\'s own words are always looked for. Usual: none.' })),
  sampleRejected: Type.Optional(Type.Integer({ minimum: 0, maximum: 1000, description: 'Items that nobody found, put to people all the same. Usual: 50.' }))
}, closed)
const RewriteExplicit = Type.Object({ step: Type.Literal('rewrite-explicit'), regionPack: RegionPack }, closed)
const WriteRationales = Type.Object({
  step: Type.Literal('write-rationales'),
  model,
  critic: Type.Optional(model),
  attemptsMax: Type.Optional(Type.Integer({ minimum: 1, maximum: 10, description: 'Drafts until the answer is the key. Usual: 4.' })),
  count: Type.Optional(Type.Integer({ minimum: 1, maximum: 100000, description: 'Items, spread over the values of `stratifyBy`; left out: all.' })),
  stratifyBy: Type.Optional(Type.Array(Type.String({ pattern: '^[a-z][A-Za-z0-9-]{0,39}$' }), { maxItems: 5, description: 'Slices, for example part, modality, regional.' })),
  terms: Type.Optional(Type.Array(Type.Object({ wrong: Type.String({ minLength: 1, maxLength: 200 }), right: Type.String({ minLength: 1, maxLength: 200 }) }, closed), { maxItems: 5000, description: 'A term base: what a rationale must not say, and what it says instead.' }))
}, closed)

export const CurationStep = Type.Union([
  Deduplicate, ShuffleChoices, Paraphrase, TranscribeFormulas, Tag, FindRegional, RewriteExplicit,
  WriteRationales
], { $id: 'CurationStep' })
export type CurationStep = Static<typeof CurationStep>

export const CurationSource = Type.Union([
  Type.Object({ importId: BankImportId }, closed), Type.Object({ curationId: CurationId }, closed)
])
export type CurationSource = Static<typeof CurationSource>

export const CurationRequest = Type.Object({
  source: CurationSource,
  steps: Type.Array(CurationStep, { minItems: 1, maxItems: 20 }),
  except: Type.Optional(Type.Array(Type.Object({
    itemId: ItemId, step: Type.Integer({ minimum: 0, maximum: 19, description: 'Place of the step in `steps`, from 0.' })
  }, closed), { maxItems: 10000, description: 'Items, by the id they have in the source, that a step leaves as they are: how a change is undone.' })),
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

/** An item of a curation that a step of it left for a person to decide. */
export const CurationFlag = Type.Object({
  itemId: ItemId,
  step: Type.Integer({ minimum: 0 }),
  reason: Type.String({ description: 'Kebab-case.' }),
  detail: Type.String()
}, { $id: 'CurationFlag', ...closed })
export type CurationFlag = Static<typeof CurationFlag>

export const Curation = jobResource('Curation', {
  id: CurationId,
  ...CurationRequest.properties,
  sourceCount: whole,
  itemCount: whole,
  steps: Type.Array(CurationStep, { description: 'With what the request left out.' }),
  stepCounts: Type.Array(Type.Object({ changed: whole, dropped: whole, flagged: whole }, closed), { description: 'In the order of the steps; empty until the end.' }),
  findings: Type.Array(Type.Object({ step: Type.Integer({ minimum: 0 }), name: Type.String(), value: Type.Unknown() }, closed), { description: 'Estimates that a step makes, for example how many regional items both models missed.' })
})
export type Curation = Static<typeof Curation>
