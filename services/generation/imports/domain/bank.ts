/** A bank as its reader gives it, before anything is believed. */
import type { Container, RowNote } from '../../../../shared/contracts/bank.ts'

export interface RawRow {
  /** From 1, in the order of the file. */
  row: number
  /** Cells by column, or a tree; bytes where the file holds them. */
  value: unknown
  /** What the reader saw in it. */
  notes: RowNote[]
  /** Why nothing can be read of it. */
  fault?: RowNote
  /** What the file calls it, where its rows are members by name. */
  key?: string
}

export interface Bank {
  container: Container
  /** Whether rows are cells by column, so that a dot in a name is no way into an object. */
  flat: boolean
  /** Can be gone through again, and gives the same. */
  rows: () => AsyncIterable<RawRow> | Iterable<RawRow>
}

/** What a format found where; anything may be of any type, or not there. */
export interface Fields {
  sourceId?: unknown
  question?: unknown
  images?: unknown[]
  imageTimes?: unknown
  imageCaptions?: unknown
  /** Text, or an object with text and image. */
  choices?: unknown
  choiceImages?: unknown
  answer?: unknown
  rationale?: unknown
  originalQuestion?: unknown
  explicitQuestion?: unknown
  explicitChoices?: unknown
  slices?: Array<{ dimension: string, value: unknown }>
}

export function note (code: string, field: string | null, detail: string): RowNote {
  return { code, field, detail }
}
