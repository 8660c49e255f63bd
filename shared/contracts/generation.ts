/** Generation: papers and a recipe, turned into items. */
import { Type, type Static } from 'typebox'
import { exampleIds } from './example-ids.ts'
import { DocumentHash, GenerationId, PaperId } from './ids.ts'
import { ItemKind, itemKinds } from './item.ts'
import { jobResource } from './job.ts'

const closed = { additionalProperties: false }

/** How a finished generation is reviewed; `false` leaves it to an explicit POST /reviewings. */
export const ReviewRecipe = Type.Object({
  strategy: Type.Enum(['mechanical'], { description: 'mechanical: checks without a model; the verdict stays unreviewed.' })
}, { $id: 'ReviewRecipe', additionalProperties: false })
export type ReviewRecipe = Static<typeof ReviewRecipe>

/** What to make, and how. Everything has a default; the resolved recipe is stored and hashed. */
export const Recipe = Type.Object({
  strategy: Type.Enum(['extractive'], { default: 'extractive', description: 'extractive: from the paper\'s own sentences, without a model.' }),
  kinds: Type.Array(ItemKind, { default: ['qa', 'binary'], minItems: 1, maxItems: itemKinds.length, uniqueItems: true }),
  pairsPerFigureMax: Type.Integer({ minimum: 0, maximum: 20, default: 3, description: 'Minimal pairs for each figure, at most.' }),
  seed: Type.Integer({ minimum: 0, maximum: 2147483647, default: 1 }),
  review: Type.Union([Type.Literal(false), ReviewRecipe], { default: { strategy: 'mechanical' } })
}, { $id: 'Recipe', additionalProperties: false })
export type Recipe = Static<typeof Recipe>

export const GenerationRequest = Type.Object({
  paperIds: Type.Array(PaperId, { minItems: 1, maxItems: 200, uniqueItems: true }),
  recipe: Type.Object(Recipe.properties, { ...closed, default: {} })
}, { $id: 'GenerationRequest', ...closed, examples: [{ paperIds: [exampleIds.paper] }] })
export type GenerationRequest = Static<typeof GenerationRequest>

export const Generation = jobResource('Generation', {
  id: GenerationId,
  paperIds: Type.Array(PaperId),
  documentHashes: Type.Array(DocumentHash, { description: 'In the order of paperIds.' }),
  recipe: Recipe,
  itemCount: Type.Integer({ minimum: 0 }),
  rejectionCount: Type.Integer({ minimum: 0 })
})
export type Generation = Static<typeof Generation>

/** What a generation would do, without doing it. */
export const Estimate = Type.Object({
  tasks: Type.Integer({ minimum: 0, description: 'Abstracts, sections and figures to write items for.' }),
  modelCalls: Type.Integer({ minimum: 0 }),
  promptTokens: Type.Integer({ minimum: 0 }),
  completionTokensMax: Type.Integer({ minimum: 0 })
}, { $id: 'Estimate', ...closed })
export type Estimate = Static<typeof Estimate>
