/** The values in a text: what a bracket begins, wherever it stands; fences and prose are passed over. */
import { nextToken } from './blanks.ts'
import { Cut, Unreadable, type Note } from './notes.ts'
import { readValue, scanOf, type Frame } from './reader.ts'
import { bareKeyAt, isQuote } from './string-end.ts'

/** Offsets are UTF-16, half-open. */
export interface Candidate { from: number, to: number, value: unknown, notes: Note[] }

export interface CutValue { from: number, stack: Frame[], clean: boolean, inText: boolean, notes: Note[] }

export interface Found {
  values: Candidate[]
  /** Of what was meant as JSON and cannot be read. */
  fault: Unreadable | null
  /** What the text ends inside of. */
  cut: CutValue | null
}

export interface Sought {
  /** Names of properties in the schema. */
  keys: ReadonlySet<string>
  /** Whether the schema asks for a list of numbers, texts or truth values. */
  scalars: boolean
}

export function valuesIn (text: string, { keys, scalars }: Sought): Found {
  const found: Found = { values: [], fault: null, cut: null }
  const base = scanOf(text, keys)
  for (let at = nextBracket(text, 0); at >= 0; at = nextBracket(text, at)) {
    if (!isMeant(text, at, scalars)) { at++; continue }
    const scan = { ...base, at, notes: [], stack: [], values: 0 }
    try {
      const value = readValue(scan, 'root')
      found.values.push({ from: at, to: scan.at, value, notes: scan.notes })
      at = scan.at
    } catch (cause) {
      if (cause instanceof Unreadable) return { ...found, fault: cause }
      if (!(cause instanceof Cut)) throw cause
      const { clean, inText } = cause
      return { ...found, cut: { from: at, stack: scan.stack, clean, inText, notes: scan.notes } }
    }
  }
  return found
}

function nextBracket (text: string, from: number): number {
  for (let at = from; at < text.length; at++) if (text[at] === '{' || text[at] === '[') return at
  return -1
}

/** Whether a bracket begins JSON rather than a citation, a set or a group of LaTeX. */
function isMeant (text: string, from: number, scalars: boolean): boolean {
  const at = nextToken(text, from + 1)
  const next = text[at]
  // The reply was cut behind its first bracket.
  if (next === undefined) return from === 0 || scalars
  if (text[from] === '[') {
    return next === '{' || next === '[' || next === ']' || isQuote(next) || (scalars && /[-\d]|[tfnTFN]/.test(next))
  }
  if (isQuote(next) || next === '}') return true
  const key = bareKeyAt(text, at)
  const colon = key === '' ? undefined : text[nextToken(text, at + key.length)]
  return colon === ':' || colon === '：'
}
