/** Text of a bank as text of an item: whole characters, no markup that a browser would run. */
import type { RowNote } from '../../../../shared/contracts/bank.ts'
import { note } from './bank.ts'
import { hasMarkup, withoutMarkup } from './markup.ts'

export interface Cleaned {
  text: string
  notes: RowNote[]
  /** What <img> in it names. */
  images: string[]
}

export interface Placed { field: string, charsMax: number }

/** @returns undefined for what is no text at all: an object, a list, bytes */
export function cleaned (value: unknown, { field, charsMax }: Placed): Cleaned | undefined {
  if (value === undefined || value === null) return { text: '', notes: [], images: [] }
  if (typeof value === 'number' || typeof value === 'boolean') return { text: String(value), notes: [], images: [] }
  if (typeof value !== 'string') return undefined
  if (value.length > 4 * charsMax) return tooLong(field, value.length, charsMax)
  const notes: RowNote[] = []
  const whole = wholeCharacters(value, field, notes)
  const { text, images } = hasMarkup(whole) ? withoutMarkup(whole, field, notes) : { text: whole, images: [] }
  const plain = text.trim()
  if (plain.length > charsMax) return tooLong(field, plain.length, charsMax)
  return { text: plain, notes, images }
}

function tooLong (field: string, chars: number, charsMax: number): Cleaned {
  return { text: '', notes: [note('text-too-long', field, `It has ${chars} characters, at most ${charsMax} are taken.`)], images: [] }
}

// eslint-disable-next-line no-control-regex -- removed are exactly these
const controls = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F]/gu
/** Spaces of no width and marks that turn the direction; joiners are letters to some scripts. */
const invisible = /[\u00AD\u200B\u200E\u200F\u202A-\u202E\u2060-\u2069\uFEFF]/gu

function wholeCharacters (value: string, field: string, notes: RowNote[]): string {
  const whole = value.replace(/\p{Surrogate}/gu, '\uFFFD')
  if (whole.includes('\uFFFD')) notes.push(note('damaged-text', field, 'A character is damaged; U+FFFD stands in its place. Look it up in the source.'))
  const printable = whole.replace(/\r\n?/g, '\n').replace(controls, '')
  if (controls.test(whole)) notes.push(note('control-removed', field, 'Control characters were removed.'))
  controls.lastIndex = 0
  const visible = printable.replace(invisible, '')
  if (visible !== printable) notes.push(note('invisible-removed', field, 'Characters that show nothing were removed.'))
  const composed = visible.normalize('NFC')
  if (composed !== visible) notes.push(note('unicode-normalised', field, 'Letters that stood in parts were put together (Unicode NFC).'))
  return composed
}
