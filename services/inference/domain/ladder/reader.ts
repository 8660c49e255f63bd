/**
 * Reads one value of JSON, or of what models write for JSON, and notes everything that JSON does not
 * have. What means two things is a fault, what ends too early is a cut that leaves the open brackets
 * on the stack.
 */
import { habitOf, readBody, type Habit } from './backslashes.ts'
import { skipBlanks } from './blanks.ts'
import { equal } from './equal.ts'
import { Cut, Unreadable, type Note } from './notes.ts'
import { numberAt } from './numbers.ts'
import { bareKeyAt, endOfString, isQuote, type Role } from './string-end.ts'

const depthMax = 64
/** Values in one reply, and hence elements of one list. */
const valuesMax = 50_000

export type Frame =
  | { kind: 'list', value: unknown[] }
  | { kind: 'object', value: Record<string, unknown>, key: string | null }

export interface Scan {
  text: string
  at: number
  notes: Note[]
  /** What is open, outermost first. */
  stack: Frame[]
  /** Names of properties in the schema: they tell a member from a text about members. */
  keys: ReadonlySet<string>
  habit: Habit
  values: number
}

export function scanOf (text: string, keys: ReadonlySet<string>): Scan {
  return { text, at: 0, notes: [], stack: [], keys, habit: habitOf(text), values: 0 }
}

/**
 * The value that begins at `scan.at`, which is moved behind it.
 *
 * @throws Unreadable, Cut
 */
export function readValue (scan: Scan, role: Exclude<Role, 'key'>): unknown {
  scan.at = skipBlanks(scan.text, scan.at, scan.notes)
  if (++scan.values > valuesMax) throw new Unreadable('too-large', scan.at)
  const char = scan.text[scan.at]
  if (char === undefined) throw new Cut(false)
  if (char === '{') return readObject(scan)
  if (char === '[') return readList(scan)
  if (isQuote(char)) return readString(scan, role)
  if (/[-+.\d]/.test(char)) return readNumber(scan)
  return readWord(scan)
}

function open (scan: Scan, frame: Frame): void {
  if (scan.stack.length >= depthMax) throw new Unreadable('too-deep', scan.at)
  scan.stack.push(frame)
  scan.at++
}

function readObject (scan: Scan): Record<string, unknown> {
  const frame = { kind: 'object' as const, value: {} as Record<string, unknown>, key: null as string | null }
  const from = scan.at
  open(scan, frame)
  for (let members = 0; ; members++) {
    const behind = between(scan, members > 0, '}')
    if (behind === 'end') break
    const keyAt = scan.at
    const key = readKey(scan)
    if (key === '__proto__') throw new Unreadable('forbidden-key', keyAt)
    scan.at = skipBlanks(scan.text, scan.at, scan.notes)
    const colon = scan.text[scan.at]
    if (colon === undefined) throw new Cut(false)
    if (colon === '：') scan.notes.push({ step: 'wide-punctuation', at: scan.at })
    else if (colon !== ':') throw new Unreadable('syntax', scan.at)
    scan.at++
    frame.key = key
    const value = readValue(scan, 'member')
    frame.key = null
    if (Object.hasOwn(frame.value, key)) {
      if (!equal(frame.value[key], value)) throw new Unreadable('duplicate-key', keyAt)
      scan.notes.push({ step: 'repeated-key', at: keyAt })
    }
    frame.value[key] = value
  }
  if (scan.stack.pop() !== frame) throw new Unreadable('bracket-mismatch', from)
  return frame.value
}

function readList (scan: Scan): unknown[] {
  const frame = { kind: 'list' as const, value: [] as unknown[] }
  open(scan, frame)
  for (;;) {
    if (between(scan, frame.value.length > 0, ']') === 'end') break
    frame.value.push(readValue(scan, 'element'))
  }
  scan.stack.pop()
  return frame.value
}

/** Passes the comma between two members or elements, or the closing bracket. */
function between (scan: Scan, comma: boolean, closing: '}' | ']'): 'end' | 'more' {
  const { text, notes } = scan
  scan.at = skipBlanks(text, scan.at, notes)
  const char = text[scan.at]
  if (char === undefined) throw new Cut(comma)
  if (char === closing) { scan.at++; return 'end' }
  if (char === '}' || char === ']') throw new Unreadable('bracket-mismatch', scan.at)
  if (!comma) {
    if (char === ',') throw new Unreadable('missing-element', scan.at)
    return 'more'
  }
  if (char !== ',' && char !== '，') {
    // Behind a value that has ended, an object or the name of a member can only be the next one.
    const next = closing === '}' ? isQuote(char) : char === '{'
    if (!next) throw new Unreadable('syntax', scan.at)
    notes.push({ step: 'missing-comma', at: scan.at })
    return 'more'
  }
  const at = scan.at
  if (char === '，') notes.push({ step: 'wide-punctuation', at })
  scan.at = skipBlanks(text, at + 1, notes)
  const after = text[scan.at]
  if (after === undefined) throw new Cut(false)
  if (after === ',' || text.startsWith('...', scan.at) || after === '…') throw new Unreadable('missing-element', scan.at)
  if (after !== closing) return 'more'
  notes.push({ step: 'trailing-comma', at })
  scan.at++
  return 'end'
}

function readKey (scan: Scan): string {
  if (isQuote(scan.text[scan.at])) return readString(scan, 'key')
  const key = bareKeyAt(scan.text, scan.at)
  if (key === '') throw new Unreadable(scan.text.startsWith('...', scan.at) ? 'missing-element' : 'syntax', scan.at)
  scan.notes.push({ step: 'unquoted-key', at: scan.at })
  scan.at += key.length
  return key
}

function readString (scan: Scan, role: Role): string {
  const { text, at, keys, notes, stack } = scan
  const { end, innerAt } = endOfString({ text, at, role, keys, depth: stack.length })
  const quote = text[at]!
  if (quote === "'") notes.push({ step: 'single-quoted', at })
  else if (quote !== '"') notes.push({ step: 'smart-quoted', at })
  if (innerAt !== null) {
    // Over a line's end it is more likely that the end of this text was missed.
    if (text.slice(at, end).includes('\n')) throw new Unreadable('quote-unclear', innerAt)
    notes.push({ step: 'inner-quote', at: innerAt })
  }
  scan.at = end + 1
  return readBody({ text: text.slice(at + 1, end), at: at + 1, quote, reply: scan.habit }, notes)
}

function readNumber (scan: Scan): number {
  const { value, end } = numberAt(scan.text, scan.at, scan.notes)
  // What ends with the text may have had more digits.
  if (end === scan.text.length && scan.stack.length > 0) throw new Cut(false)
  scan.at = end
  return value
}

const literals: Record<string, boolean | null> = {
  true: true, false: false, null: null, True: true, False: false, None: null, NaN: null
}

function readWord (scan: Scan): boolean | null {
  const { text, at, notes } = scan
  const word = bareKeyAt(text, at)
  const value = Object.hasOwn(literals, word) ? literals[word] : undefined
  if (value === undefined) {
    if (word !== '' && at + word.length === text.length && scan.stack.length > 0) throw new Cut(false)
    throw new Unreadable(text.startsWith('...', at) || text[at] === '…' ? 'missing-element' : 'syntax', at)
  }
  if (word === 'NaN') notes.push({ step: 'not-a-number', at })
  else if (/^[TFN]/.test(word)) notes.push({ step: 'python-literal', at })
  scan.at = at + word.length
  return value
}
