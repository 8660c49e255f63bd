/** A row as its file has it, before anything is believed. */
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

/** A member by its own name; text of a log is never a way into a prototype. */
export function member (value: unknown, name: string): unknown {
  if (value === null || typeof value !== 'object' || !Object.hasOwn(value, name)) return undefined
  return (value as Record<string, unknown>)[name]
}

/** What stands at a path of names and list places, `resps.0.0`; undefined where it leads nowhere. */
export function valueAt (value: unknown, path: string): unknown {
  return path.split('.').reduce(member, value)
}

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
