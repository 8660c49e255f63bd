/** What a published format calls its fields. */
import type { BankFormat } from '../../../../../shared/contracts/bank.ts'
import { member } from '../../../../../shared/text/member.ts'
import type { Fields } from '../bank.ts'

export interface Format {
  name: BankFormat
  /** What its answers count from, by its own documents; absent where they disagree or say nothing. */
  base?: 0 | 1
  /** Whether a row with these keys is one of it. */
  matches: (keys: ReadonlySet<string>, value: unknown) => boolean
  fields: (value: unknown) => Fields
}

export function keysOf (value: unknown): Set<string> {
  return value !== null && typeof value === 'object' && !Array.isArray(value) ? new Set(Object.keys(value)) : new Set()
}

/** The first of the names that the row has with something in it. */
export function firstOf (value: unknown, names: readonly string[]): unknown {
  for (const name of names) {
    const found = member(value, name)
    if (found !== undefined && found !== null && found !== '') return found
  }
  return undefined
}

/** One column an option: A, B, C, … as far as the row goes; undefined where it has no A. */
export function lettered (
  value: unknown, nameOf: (letter: string, number: number) => string
): unknown[] | undefined {
  const names = Array.from({ length: 20 }, (_, at) => nameOf(String.fromCharCode(65 + at), at + 1))
  const found = names.map(name => member(value, name))
  const last = found.findLastIndex(each => each !== undefined && each !== null && each !== '')
  return last < 1 ? undefined : found.slice(0, last + 1)
}

export function slicesOf (value: unknown, dimensions: Record<string, string>): NonNullable<Fields['slices']> {
  return Object.entries(dimensions).map(([dimension, name]) => ({ dimension, value: member(value, name) }))
}
