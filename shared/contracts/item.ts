/** Item: one question asked of one paper, with its answer and the evidence for it. */
import { Type, type Static } from 'typebox'
import { DocumentHash, ItemId, PaperId } from './ids.ts'

const closed = { additionalProperties: false }

export const itemKinds = ['qa', 'vqa', 'binary', 'choice'] as const
export const ItemKind = Type.Enum([...itemKinds], { description: 'qa: descriptive; vqa: descriptive about a figure; binary: yes or no; choice: multiple choice.' })
export type ItemKind = Static<typeof ItemKind>

/** Offsets count code points, half-open, in the text of the target; `quote` equals that slice. */
export const Evidence = Type.Object({
  quote: Type.String({ minLength: 1, description: 'Verbatim from the paper, and checked.' }),
  target: Type.Object({
    type: Type.Enum(['paragraph', 'figure', 'table', 'equation', 'abstract']),
    id: Type.Optional(Type.String({ description: 'Absent for the abstract.' }))
  }, closed),
  cell: Type.Optional(Type.Object({ row: Type.Integer(), column: Type.Integer() }, closed)),
  sectionId: Type.Optional(Type.String()),
  page: Type.Integer({ minimum: 1 }),
  charStart: Type.Integer({ minimum: 0 }),
  charEnd: Type.Integer({ minimum: 1 })
}, { $id: 'Evidence', additionalProperties: false })
export type Evidence = Static<typeof Evidence>

export const Check = Type.Object({
  name: Type.String(), passed: Type.Boolean(), detail: Type.String()
}, { $id: 'Check', additionalProperties: false })
export type Check = Static<typeof Check>

/** How a thing came to be: enough to make it again. Model fields are null where no model took part. */
export const Provenance = Type.Object({
  strategy: Type.String({ description: 'For example "extractive".' }),
  strategyVersion: Type.String(),
  seed: Type.Integer(),
  rule: Type.Optional(Type.String({ description: 'The rule that wrote the item.' })),
  arguments: Type.Optional(Type.Record(Type.String(), Type.Unknown(), { description: 'What the rule worked on, in words of the paper: enough to execute the answer again.' })),
  prompt: Type.Union([Type.String(), Type.Null()]),
  promptHash: Type.Union([Type.String(), Type.Null()]),
  model: Type.Union([Type.String(), Type.Null()]),
  upstreamVersion: Type.Union([Type.String(), Type.Null()]),
  sampling: Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()]),
  requestHash: Type.Union([Type.String(), Type.Null()]),
  sampleIndex: Type.Optional(Type.Integer({ minimum: 0, description: 'Which sample of the same request.' })),
  leftOut: Type.Optional(Type.Array(Type.String(), { description: 'What the context had no room for.' })),
  bytesPerToken: Type.Optional(Type.Number({ exclusiveMinimum: 0, description: 'What the prompt was filled by where the model counts more than a token for 4 bytes.' }))
}, { $id: 'Provenance', additionalProperties: false })
export type Provenance = Static<typeof Provenance>

/** Of provenance, where no model took part. */
export const withoutModel = {
  prompt: null,
  promptHash: null,
  model: null,
  upstreamVersion: null,
  sampling: null,
  requestHash: null
} as const satisfies Partial<Provenance>

/**
 * An image by the sha256 of its bytes, whose first ones tell PNG, JPEG, GIF or WebP; `time` is when it
 * shows, for sequences.
 */
export const ItemImage = Type.Object({
  imageId: Type.String({ pattern: '^[0-9a-f]{64}$' }),
  time: Type.Optional(Type.String({ minLength: 1, maxLength: 40, description: 'As its source has it, for example 2026-07-01T09:00+09:00.' })),
  caption: Type.Optional(Type.String({ minLength: 1, maxLength: 2000, description: 'What is printed with it; for a condition that has words in place of the image.' }))
}, { $id: 'ItemImage', additionalProperties: false })
export type ItemImage = Static<typeof ItemImage>

export const Item = Type.Object({
  id: ItemId,
  kind: ItemKind,
  source: Type.Union([
    Type.Object({ paperId: PaperId, documentHash: DocumentHash }, closed),
    Type.Object({ bankId: Type.String(), row: Type.Integer() }, closed)
  ]),
  place: Type.String({ description: 'abstract, or the id of the section or figure it asks about.' }),
  figureIds: Type.Array(Type.String()),
  images: Type.Optional(Type.Array(ItemImage, { minItems: 1, maxItems: 16, description: 'Of the question of an item from an item bank, in the order in which they are shown. Two or more that all have a time are a sequence.' })),
  question: Type.String({ minLength: 1 }),
  answer: Type.Optional(Type.String({ minLength: 1, description: 'Reference answer of a descriptive item.' })),
  explicitWording: Type.Optional(Type.Object({
    question: Type.String({ minLength: 1 }),
    choices: Type.Optional(Type.Array(Type.String({ minLength: 1 }), { minItems: 2, maxItems: 20, description: 'In the order of `choices`; absent: the same.' }))
  }, { ...closed, description: 'The same item with names in place of what only its setting makes plain ("the Republic of Korea" for "our country").' })),
  choices: Type.Optional(Type.Array(Type.Object({
    text: Type.String({ description: 'Empty only where the choice is an image.' }), imageId: Type.Optional(Type.String())
  }, closed), { minItems: 2, maxItems: 20 })),
  answerIndex: Type.Optional(Type.Integer({ minimum: 0, description: '0-based index into choices; binary items have Yes, No.' })),
  pairId: Type.Optional(Type.String({ description: 'Shared by the two members of a minimal pair.' })),
  evidence: Type.Array(Evidence),
  longAnswer: Type.Optional(Type.String({ minLength: 1, description: 'What `answer` was before it was shortened.' })),
  answerability: Type.Optional(Type.Enum(['unanswerable', 'false-premise'], { description: 'Absent for items that the paper answers.' })),
  originalQuestion: Type.Optional(Type.String({ minLength: 1, description: 'The question as its source has it, where it was paraphrased.' })),
  parentId: Type.Optional(Type.String({ description: 'The item that a curation made this one of.' })),
  rationale: Type.Optional(Type.String({ description: 'Why the answer is right; never shown to an evaluated model.' })),
  language: Type.String(),
  slices: Type.Record(Type.String(), Type.String(), { description: 'Reported dimensions, for example aspect.' }),
  checks: Type.Array(Check),
  provenance: Provenance
}, { $id: 'Item', additionalProperties: false })
export type Item = Static<typeof Item>

/** Whether its images show how something goes on in time. */
export function isSequence ({ images = [] }: Pick<Item, 'images'>): boolean {
  return images.length > 1 && images.every(({ time }) => time !== undefined)
}

/** An item that cannot be made: why, and where. */
export const Rejection = Type.Object({
  paperId: PaperId,
  place: Type.String(),
  kind: ItemKind,
  reason: Type.String({ description: 'Kebab-case, for example "no-checkable-fact".' }),
  detail: Type.String()
}, { $id: 'Rejection', additionalProperties: false })
export type Rejection = Static<typeof Rejection>
