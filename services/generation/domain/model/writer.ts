/**
 * How items of one kind are written by a model: where it is asked, what it is given, what it must
 * reply, and what keeps a draft from being an item. A writer is data and pure functions; the loop
 * that asks, counts and asks again (handlers/write-items.ts) is the same for all.
 */
import type { Document } from '../../../../shared/contracts/document.ts'
import type { Item, ItemKind } from '../../../../shared/contracts/item.ts'
import type { EvidenceSource } from '../../../../shared/text/evidence.ts'
import type { Place } from '../plan.ts'
import type { ModelRecipe } from '../recipe.ts'
import type { SourceText } from '../source-text.ts'

/** One paper as writers see it. */
export interface Material {
  document: Document
  /** Made when first used: they cost some tenths of a second. */
  readonly source: SourceText
  readonly evidence: EvidenceSource
  recipe: ModelRecipe
  /** ISO 639 code of the items to write. */
  language: string
  /** Whether the model sees images. */
  vision: boolean
}

/** What a prompt has room for: tokens for the values that hold text of the paper. */
export interface Room { tokens: number }

/** A prompt to put until its count of drafts is reached. */
export interface Ask {
  /** Of the prompt's variables, but `count` and `earlier`, which change from sample to sample. */
  values: Record<string, string>
  /** Drafts wanted; the two members of a minimal pair are one. */
  count: number
  /** Figures whose images go along. */
  figureIds: readonly string[]
  /** What the prompt had no room for. */
  leftOut: readonly string[]
  /** Of each item. */
  slices: Readonly<Record<string, string>>
  /** Where the question is given and not written. */
  question?: string
  /** Of a part of what one item is about: its draft goes into the ask that merges, and is no item. */
  interim?: true
  /** Put after the interim ones, by `Writer.mergePrompt`, with what they gave, in so many tokens. */
  merges?: Room
}

/** What a draft becomes; the loop adds id, source, place and provenance. */
export type ItemDraft = Pick<Item, 'question' | 'evidence' | 'checks'> & Partial<Pick<Item,
  'answer' | 'choices' | 'answerIndex' | 'rationale' | 'answerability' | 'slices'>>

/** One item, or the two members of a minimal pair, which share a pair id; or why not. */
export type Judged = { items: ItemDraft[] } | Fault
/** Reason in kebab-case, as rejections have it. */
export interface Fault { reason: string, detail: string }

export interface Subject {
  place: Place
  ask: Ask
  material: Material
  /** Items of this place accepted before, whoever wrote them. */
  accepted: readonly ItemDraft[]
}

export interface Writer {
  /** Unique; stands in item ids, in `provenance.rule` and in the purpose of its calls. */
  name: string
  kind: ItemKind
  /** File of its prompt, without `.md`: variables are its values, `count` and `earlier`. */
  prompt: string
  /** JSON Schemas of what a draft has: all of it, and nothing else; a reply is `{items: [draft, …]}`. */
  draftProperties: Readonly<Record<string, object>>
  placesOf: (document: Document, recipe: ModelRecipe) => Place[]
  asksOf: (place: Place, material: Material, room: Room) => Ask[] | Fault
  /** Where a place may be too long for one prompt: how the drafts of its parts become one. */
  mergePrompt?: string
  merge?: (ask: Ask, parts: readonly ItemDraft[]) => Ask
  /** `draft` matches the schema. */
  judge: (draft: never, subject: Subject) => Judged
}

export function isFault (value: object): value is Fault {
  return 'reason' in value
}
