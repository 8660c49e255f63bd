/** A row as its file has it, before anything is believed. */
import { member, valueAt } from '../../../../shared/text/member.ts'
import type { Mapping } from '../../../../shared/contracts/run-import.ts'

/** What an adapter found where; anything may be of any type, or not there. */
export interface Fields {
  id?: unknown
  reply?: unknown
  gold?: unknown
  choices?: unknown
  verdict?: unknown
  label?: unknown
  cluster?: unknown
  finishReason?: unknown
  /** What failed in the harness; null or absent where nothing did. */
  error?: unknown
  /** Instead of a reply: one log-likelihood an option. */
  likelihoods?: unknown[]
  /** Whether a gold that is a number counts from 0 or 1, where the format says so. */
  goldBase?: number
  choiceCount?: number
}

export interface RawRow { row: number, value: unknown }

/** `flat`: a path is the name of a column, dots and all. */
export interface Placed { mapping?: Mapping | undefined, flat: boolean }

/** The fields of an adapter with those that the caller places elsewhere. */
export function mapped (fields: Fields, value: unknown, { mapping = {}, flat }: Placed): Fields {
  const read = (path: string) => flat ? member(value, path) : valueAt(value, path)
  const placed = Object.entries(mapping).map(([name, path]) =>
    [name, Array.isArray(path) ? path.map(read) : read(path as string)])
  // A reply that the caller points at is what is read, whatever likelihoods there are.
  const isRead = mapping.reply !== undefined && { likelihoods: undefined }
  return { ...fields, ...Object.fromEntries(placed), ...isRead } as Fields
}
