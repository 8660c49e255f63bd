/** Generation: papers and a recipe, turned into items. */
import { Type, type Static } from 'typebox'
import { exampleIds } from './example-ids.ts'
import { DocumentHash, GenerationId, PaperId } from './ids.ts'
import { ItemKind, itemKinds } from './item.ts'
import { jobResource } from './job.ts'

const closed = { additionalProperties: false }

/** How a model that makes or reviews items is asked; `maxTokens` bounds one reply. */
export const Sampling = Type.Object({
  temperature: Type.Number({ minimum: 0, maximum: 2, description: '0.7 unless asked.' }),
  topK: Type.Integer({ minimum: -1, maximum: 1000, description: '-1: all; 50 unless asked.' }),
  topP: Type.Number({ exclusiveMinimum: 0, maximum: 1, description: '0.9 unless asked.' }),
  presencePenalty: Type.Number({ minimum: -2, maximum: 2, description: '0.2 unless asked.' }),
  frequencyPenalty: Type.Number({ minimum: -2, maximum: 2, description: '0.2 unless asked.' }),
  maxTokens: Type.Integer({ minimum: 1, maximum: 32768, description: '1,024 unless asked.' })
}, { $id: 'Sampling', ...closed })
export type Sampling = Static<typeof Sampling>

/** The settings AutoPaperBench used (Llama-3.2-11B-Vision-Instruct through vLLM). */
export const usualSampling: Sampling = {
  temperature: 0.7, topK: 50, topP: 0.9, presencePenalty: 0.2, frequencyPenalty: 0.2, maxTokens: 1024
}

const SamplingAsked = Type.Optional(Type.Object(Type.Partial(Sampling).properties, {
  ...closed, description: 'Of the model; what is not given is as usual. Only with the strategy model.'
}))

const ModelName = Type.String({ minLength: 1, maxLength: 300, description: 'As inference lists it; only with the strategy model.' })
const ContextTokens = Type.Integer({ minimum: 1024, maximum: 1048576, description: 'Prompt and reply together; 8,192 unless asked. What does not fit is split or listed as left out. Only with the strategy model.' })

/** How a finished generation is reviewed; `false` leaves it to an explicit POST /reviewings. */
export const ReviewRecipe = Type.Object({
  strategy: Type.Enum(['mechanical', 'model'], { description: 'mechanical: checks without a model; the verdict stays unreviewed. model: the checks, and six criteria by a model, in rounds.' }),
  model: Type.Optional(ModelName),
  confirmModel: Type.Optional(Type.String({ minLength: 1, maxLength: 300, description: 'Gives the final verdict; the reviewer itself, in a fresh call, unless another is named.' })),
  sampling: SamplingAsked,
  contextTokens: Type.Optional(ContextTokens),
  maxRounds: Type.Optional(Type.Integer({ minimum: 0, maximum: 10, description: 'Regenerations at most; 3 unless asked.' })),
  tokensMax: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000_000_000, description: 'Budget of prompt and completion tokens of this reviewing; when it is spent the items that were not reached stay unreviewed, and unreviewedReasons counts them. None unless asked: a generation\'s own tokensMax does not hold for it. Only with the strategy model.' })),
  seed: Type.Optional(Type.Integer({ minimum: 0, maximum: 2147483647 }))
}, { $id: 'ReviewRecipe', additionalProperties: false })
export type ReviewRecipe = Static<typeof ReviewRecipe>

export const strategies = ['extractive', 'model', 'tables'] as const

const Count = (what: string, usual: number) => Type.Optional(
  Type.Integer({ minimum: 0, maximum: 50, description: `${what}; ${usual} unless asked. Only with the strategy model.` }))

/** How many items each place is to give; what does not come about is asked again, then said to be short. */
export const Counts = Type.Object({
  vqaPerFigure: Count('Open questions for each figure', 3),
  pairsPerFigure: Count('Minimal pairs for each figure', 2),
  choicesPerPlace: Count('Multiple-choice items for each section, figure, table and equation', 1),
  itemsPerPaper: Type.Optional(Type.Integer({ minimum: 1, maximum: 2000, description: 'Of all that was made of a paper, the most diverse so many, kinds in proportion; all without it. Of every strategy.' }))
}, { $id: 'Counts', ...closed })
export type Counts = Static<typeof Counts>

const Kinds = Type.Array(ItemKind, { minItems: 1, maxItems: itemKinds.length, uniqueItems: true, description: 'qa and binary unless asked, with the strategy tables choice and binary. extractive makes qa and binary, tables choice and binary, model all.' })

/** What to make, and how. Everything has a default; the resolved recipe is stored and hashed. */
export const Recipe = Type.Object({
  strategy: Type.Enum([...strategies], { default: 'extractive', description: 'extractive: from the paper\'s own sentences, without a model. model: written by a model. tables: executed from the cells of tables, without a model.' }),
  kinds: Kinds,
  pairsPerFigureMax: Type.Optional(Type.Integer({ minimum: 0, maximum: 20, description: 'Minimal pairs for each figure or table, at most; 3 unless asked. With the strategy model no more than counts.pairsPerFigure either way.' })),
  model: Type.Optional(ModelName),
  sampling: SamplingAsked,
  contentMode: Type.Optional(Type.Enum(['full', 'sections', 'semantic'], { description: 'What the model reads beside the abstract; sections unless asked. Only with the strategy model.' })),
  contextTokens: Type.Optional(ContextTokens),
  language: Type.Optional(Type.String({ pattern: '^[a-z]{2,3}$', description: 'ISO 639 code; the paper\'s unless asked. Only with the strategy model. binary and choice are made in the paper\'s language alone (400 for another); of qa and vqa in another only those come about whose numbers, names and terms tie the quotes, which stay in the paper\'s, to the answer.' })),
  counts: Type.Optional(Type.Object(Counts.properties, closed)),
  samplesMax: Type.Optional(Type.Integer({ minimum: 1, maximum: 20, description: 'Replies asked for one place and kind until its count is reached; 3 unless asked. Only with the strategy model.' })),
  unanswerableShare: Type.Optional(Type.Number({ minimum: 0, maximum: 0.5, description: 'Of the descriptive and multiple-choice items of each paper, marked so; 0 unless asked. Only with the strategy model.' })),
  falsePremiseShare: Type.Optional(Type.Number({ minimum: 0, maximum: 0.5, description: 'Likewise.' })),
  tokensMax: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000_000_000, description: 'Budget of prompt and completion tokens; when it is spent the generation ends short and says where. Only with the strategy model.' })),
  release: Type.Optional(Type.String({ pattern: '^[\\w.-]{1,64}$', description: 'Name of a release: each question gets a table of its own with the same headings and other numbers, new with each name. Only with the strategy tables.' })),
  seed: Type.Integer({ minimum: 0, maximum: 2147483647, default: 1 }),
  review: Type.Optional(Type.Union([Type.Literal(false), Type.Object(ReviewRecipe.properties, closed)], {
    description: 'mechanical unless asked; with the strategy model by the same model.'
  }))
}, { $id: 'Recipe', additionalProperties: false })
export type Recipe = Static<typeof Recipe>

/** Without a default in the schema: what was asked for is told from what is usual. */
export const RecipeAsked = Type.Object({
  ...Recipe.properties, kinds: Type.Optional(Kinds)
}, { ...closed, default: {} })
export type RecipeAsked = Static<typeof RecipeAsked>

export const GenerationRequest = Type.Object({
  paperIds: Type.Array(PaperId, { minItems: 1, maxItems: 200, uniqueItems: true }),
  recipe: RecipeAsked
}, { $id: 'GenerationRequest', ...closed, examples: [{ paperIds: [exampleIds.paper] }] })
export type GenerationRequest = Static<typeof GenerationRequest>

const whole = Type.Integer({ minimum: 0 })

const counts = (what: string) => Type.Record(Type.String(), whole, { description: what })
const share = Type.Number({ minimum: 0, maximum: 1 })

export const PairForms = Type.Object({
  pairs: Type.Integer({ minimum: 1, description: 'Minimal pairs that a model wrote and that became items.' }),
  trueForms: counts('What their true members state: how many of each class.'),
  falseForms: counts('What their false members misstate: how many of each class.'),
  quotas: Type.Object({ trueForm: share, falseForm: share }, { ...closed, description: 'Share of the pairs that was asked for, of each class.' }),
  lookUps: Type.Integer({ minimum: 0, description: 'Pairs whose words nearly all stand in one sentence, so that a search answers them.' })
}, { $id: 'PairForms', ...closed })
export type PairForms = Static<typeof PairForms>

/** What a generation with a model came to: known once it has ended. */
export const Outcome = Type.Object({
  wanted: Type.Integer({ minimum: 0, description: 'Items asked for at all places; a minimal pair is one. Places that gave none for a reason of their own (no picture) are not counted, nor, of a generation that failed or was cancelled, those that were not reached.' }),
  made: Type.Integer({ minimum: 0, description: 'Likewise; less than wanted is a generation that ended short, and its rejections `short` and `budget` say where.' }),
  calls: Type.Integer({ minimum: 0, description: 'Replies of the model, those from the record among them.' }),
  promptTokens: whole,
  completionTokens: whole,
  callsWithoutUsage: Type.Integer({ minimum: 0, description: 'Calls whose server did not say its tokens, as of a reply that was ended for being too long: they are not in the sums.' }),
  pairForms: Type.Optional(PairForms)
}, { $id: 'GenerationOutcome', ...closed })
export type Outcome = Static<typeof Outcome>

export const Generation = jobResource('Generation', {
  id: GenerationId,
  paperIds: Type.Array(PaperId),
  documentHashes: Type.Array(DocumentHash, { description: 'In the order of paperIds.' }),
  recipe: Recipe,
  vision: Type.Optional(Type.Boolean({ description: 'Whether the model was shown figures; with the strategy model.' })),
  prompts: Type.Optional(Type.Array(Type.Object({ name: Type.String(), hash: Type.String() }, closed), { description: 'With the strategy model.' })),
  outcome: Type.Optional(Type.Union([Outcome, Type.Null()], { description: 'With the strategy model; null until it has ended.' })),
  itemCount: whole,
  rejectionCount: whole,
  heldBack: Type.Optional(Type.Array(PaperId, { description: 'Papers of a failed generation whose drafts wait to become items until the rest is written: POST …/retry writes it, POST …/cancel makes items of what there is.' }))
})
export type Generation = Static<typeof Generation>

export const CallsCounted = (description: string) => Type.Object({
  modelCalls: whole, promptTokens: whole, completionTokensMax: whole
}, { ...closed, description })

/** What a generation would do, without doing it. */
export const Estimate = Type.Object({
  tasks: Type.Integer({ minimum: 0, description: 'Abstracts, sections and figures to write items for.' }),
  modelCalls: Type.Integer({ minimum: 0, description: 'About: at 1.5 replies to each prompt, as measured with a stand-in; models differ. least and most are bounds.' }),
  promptTokens: Type.Integer({ minimum: 0, description: 'Of modelCalls: text by its bytes, images by their size.' }),
  completionTokensMax: Type.Integer({ minimum: 0, description: 'Likewise.' }),
  secondsMax: Type.Optional(Type.Union([Type.Number(), Type.Null()], { description: 'If each reply is as long as it may be, at the pace inference saw lately; null while it does not know.' })),
  least: CallsCounted('If the first reply to each prompt holds all that is asked.'),
  most: CallsCounted('If each prompt needs recipe.samplesMax replies, and each of these a repair turn, whose tokens are counted with the reply.'),
  review: Type.Union([Type.Object({
    least: CallsCounted('If every item that is asked for is made and good at once: two reviews of each. Fewer items cost less.'),
    most: CallsCounted('If each is rewritten in every one of maxRounds, shortened, and every reply unusable but the last, with a repair turn.')
  }, closed), Type.Null()], { description: 'What recipe.review adds once the generation has ended; 0 where it asks no model. Null, not known: a review by a model of items from the strategies extractive and tables, whose number is not known before. recipe.tokensMax does not hold for it; recipe.review.tokensMax does.' })
}, { $id: 'Estimate', ...closed })
export type Estimate = Static<typeof Estimate>
