/**
 * Where a text ends. The first quotation mark that is not escaped ends it if something follows that
 * may follow; otherwise there are marks inside that nobody escaped, and the end is the first mark
 * behind which the object or list goes on beyond doubt.
 */
import { nextToken } from './blanks.ts'
import { Cut, Unreadable } from './notes.ts'

export type Role = 'key' | 'member' | 'element' | 'root'

export interface Opened {
  text: string
  /** Of the opening mark. */
  at: number
  role: Role
  /** Open brackets. */
  depth: number
  /** The names of properties in the schema. */
  keys: ReadonlySet<string>
}

export interface Ended {
  /** Of the closing mark. */
  end: number
  /** Marks inside that nobody escaped: the place of the first, or null. */
  innerAt: number | null
}

const closers: Record<string, string> = { '"': '"', "'": "'", '“': '”', '”': '”', '„': '“”', '‘': '’', '’': '’' }
/** Longer keys are none. */
const keyCharsMax = 200

export function isQuote (char: string | undefined): boolean {
  return char !== undefined && Object.hasOwn(closers, char)
}

/** @throws Cut when the text ends first; Unreadable when the end is unclear */
export function endOfString (opened: Opened): Ended {
  const { text, at, role } = opened
  const closing = closers[text[at]!]!
  const first = nextMark(text, at + 1, closing)
  if (first < 0) throw new Cut(false, true)
  if (role === 'key' || role === 'root') return { end: first, innerAt: null }
  const straight = text[at] === '"'
  const ends = straight && (mayFollow(opened, first + 1) || lacksComma(opened, first + 1))
  if (ends) return { end: first, innerAt: null }
  return looseEnd(opened, first, closing)
}

function looseEnd (opened: Opened, first: number, closing: string): Ended {
  const { text, at } = opened
  const straight = text[at] === '"'
  let inner = 0
  for (let mark = first; mark >= 0; mark = nextMark(text, mark + 1, closing)) {
    if (mustFollow(opened, mark + 1)) {
      // Marks come in pairs. One alone means that some text lacks its own.
      if (straight && inner % 2 === 1) throw new Unreadable('quote-unclear', first)
      return { end: mark, innerAt: straight && inner > 0 ? first : null }
    }
    // The name of a property in quotes, and a colon: here another member begins. Two marks with
    // nothing between them: a comma is missing, or the marks of a table were doubled.
    const doubled = straight && text[nextToken(text, mark + 1)] === '"'
    if (doubled || keyAt(opened, mark, true)) throw new Unreadable('quote-unclear', first)
    inner++
  }
  if (straight) throw new Unreadable('quote-unclear', first)
  throw new Cut(false, true)
}

function nextMark (text: string, from: number, closing: string): number {
  for (let at = from; at < text.length; at++) {
    if (text[at] === '\\') at++
    else if (closing.includes(text[at]!)) return at
  }
  return -1
}

/** Whether what follows a mark is what follows the end of a value. */
function mayFollow (opened: Opened, from: number): boolean {
  const { text, role } = opened
  const at = nextToken(text, from)
  const next = text[at]
  if (next === undefined) return true
  if (next === ',' || next === '，') return role === 'element' || goesOn(opened, at + 1)
  return role === 'element' ? next === ']' : next === '}'
}

/** The same, but a closing bracket must in turn be followed by what may follow it. */
function mustFollow (opened: Opened, from: number): boolean {
  const { text, role, depth } = opened
  const at = nextToken(text, from)
  const next = text[at]
  if (next === undefined) return true
  if (next === ',' || next === '，') return goesOn(opened, at + 1)
  if (next !== (role === 'element' ? ']' : '}')) return false
  const then = nextToken(text, at + 1)
  const after = text[then]
  if (after === undefined) return true
  if (depth > 1) return after === ',' || after === '}' || after === ']'
  return text.slice(at, then).includes('\n') || text.startsWith('```', then) || after === '{' ||
    (after === ',' && text[nextToken(text, then + 1)] === '{')
}

/** Whether another member or element begins behind a comma, or the list or object ends there. */
function goesOn (opened: Opened, from: number): boolean {
  const { text, role } = opened
  const at = nextToken(text, from)
  const next = text[at]
  if (next === undefined) return true
  if (role === 'element') {
    const quote = text[opened.at]
    return next === ']' || next === quote || (quote === '\'' && next === '"')
  }
  return next === '}' || keyAt(opened, at, false)
}

/** Whether a key and a colon stand there; `known`: in quotes, and named in the schema. */
function keyAt ({ text, keys }: Opened, at: number, known: boolean): boolean {
  let end: number
  let name: string
  if (isQuote(text[at])) {
    end = nextMark(text.slice(0, at + keyCharsMax), at + 1, closers[text[at]!]!)
    if (end < 0) return text.length <= at + keyCharsMax && !known
    name = text.slice(at + 1, end)
    end++
  } else {
    if (known) return false
    name = bareKeyAt(text, at)
    end = at + name.length
    if (name === '') return false
  }
  const colon = text[nextToken(text, end)]
  if (colon === undefined) return !known
  return (colon === ':' || colon === '：') && (!known || keys.has(name))
}

/** A key without quotes, as in JavaScript; empty text where there is none. */
export function bareKeyAt (text: string, at: number): string {
  let end = at
  while (end < at + keyCharsMax && /[\p{L}\p{N}_$-]/u.test(text[end] ?? '')) end++
  return /^[\p{L}_$]/u.test(text[at] ?? '') ? text.slice(at, end) : ''
}

/** Whether a member with a name from the schema, or on a line of its own, follows without a comma. */
function lacksComma (opened: Opened, from: number): boolean {
  const { text, role } = opened
  if (role !== 'member') return false
  const at = nextToken(text, from)
  if (text[at] !== '"') return false
  return keyAt(opened, at, true) || (text.slice(from, at).includes('\n') && keyAt(opened, at, false))
}
