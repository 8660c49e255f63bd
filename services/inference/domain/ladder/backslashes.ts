/**
 * What the characters between two quotes mean. A model that writes LaTeX in JSON doubles its
 * backslashes, or forgets to, or both; "\nabla" is valid JSON and the wrong text. Whether a backslash
 * begins an escape is decided from the command it would begin, from how the same text and the same
 * reply treat their other backslashes, and from whether it stands in a formula. Where that leaves two
 * readings, none is taken.
 */
import { commandAt } from './latex-commands.ts'
import { Unreadable, type Note } from './notes.ts'

/** How backslashes are treated: as JSON wants it, or as in a LaTeX source. */
export interface Habit {
  /** A single backslash before a command. */
  raw: boolean
  /** Two before a command. */
  escaped: boolean
  /** \n and \t that can be nothing but line break and tab. */
  lines: boolean
  tabs: boolean
}

export interface Body {
  text: string
  /** Offset of `text` in the reply, for the notes. */
  at: number
  /** The character that opened the text. */
  quote: string
  /** Of the whole reply. */
  reply: Habit
}

const escapes: Record<string, string> = { '"': '"', '\\': '\\', '/': '/', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }

/** Reads the backslashes of a text, or of a whole reply, for the habit they show. */
export function habitOf (text: string): Habit {
  const habit = { raw: false, escaped: false, lines: false, tabs: false }
  for (let at = text.indexOf('\\'); at >= 0; at = text.indexOf('\\', at)) {
    const end = endOfRun(text, at)
    const letter = text[end] ?? ''
    if (isLetter(letter)) {
      if ((end - at) % 2 === 0) habit.escaped = true
      else noteSingle(habit, lettersAt(text, end))
    }
    at = end + 1
  }
  return habit
}

function noteSingle (habit: Habit, run: string): void {
  const first = run[0]!
  if (!(first in escapes) && first !== 'u') { habit.raw ||= run.length > 1; return }
  const command = commandAt(run)
  if (first === 'b' || first === 'f' || command === 'sure') habit.raw ||= command === 'sure'
  else if (first === 'n' && command === 'no') habit.lines = true
  else if (first === 't' && command === 'no') habit.tabs = true
}

/**
 * @returns the text as the model meant it
 * @throws  Unreadable where a backslash can be read in two ways
 */
export function readBody (body: Body, notes: Note[]): string {
  const { text, at: start } = body
  noteControls(body, notes)
  const first = text.indexOf('\\')
  if (first < 0) return checkedText(text, start)
  const habit = habitOf(text)
  const isMath = formulas(text)
  let read = text.slice(0, first)
  for (let at = first; at < text.length;) {
    const next = text.indexOf('\\', at)
    if (next < 0) { read += text.slice(at); break }
    read += text.slice(at, next)
    const piece = readRun(body, { at: next, habit, isMath }, notes)
    read += piece.read
    at = piece.end
  }
  return checkedText(read, start)
}

interface Place { at: number, habit: Habit, isMath: (at: number) => boolean }
interface Piece { read: string, end: number }

/** Reads a run of backslashes and what the last one belongs to. */
function readRun (body: Body, place: Place, notes: Note[]): Piece {
  const { at, habit } = place
  const { text, at: start } = body
  const end = endOfRun(text, at)
  const length = end - at
  const next = text[end] ?? ''
  if (habit.raw && isUnclearPair(length, next, habit)) {
    // In a matrix or an alignment two backslashes end a row, and this text escapes nothing.
    if (habit.escaped || length > 3 || !text.includes('\\begin{')) throw new Unreadable('backslash-unclear', start + at)
    notes.push({ step: 'latex-backslash', at: start + at })
    if (length === 2) return { read: '\\\\', end }
    const last = readEscape(body, { ...place, at: end - 1 }, notes)
    return { read: '\\\\' + last.read, end: last.end }
  }
  const pairs = '\\'.repeat(Math.floor(length / 2))
  if (length % 2 === 0) return { read: pairs, end }
  const last = readEscape(body, { ...place, at: end - 1 }, notes)
  return { read: pairs + last.read, end: last.end }
}

/** Whether two backslashes, in a text that does not double all of its own, may be an end of line. */
function isUnclearPair (length: number, next: string, { escaped }: Habit): boolean {
  if (length % 4 < 2) return false
  if (length === 2 && isLetter(next)) return false
  return !(escaped && /^[{}%_,;:!()#$|]$/.test(next))
}

/** Reads a single backslash at `at` and what follows it. */
function readEscape (body: Body, place: Place, notes: Note[]): Piece {
  const { text, at: start } = body
  const { at } = place
  const next = text[at + 1] ?? ''
  const literally = (step: 'latex-backslash' | 'literal-backslash'): Piece => {
    notes.push({ step, at: start + at })
    return { read: `\\${next}`, end: at + 2 }
  }
  if (next === 'u') {
    const hex = text.slice(at + 2, at + 6)
    if (/^[0-9a-fA-F]{4}$/.test(hex)) return { read: String.fromCharCode(parseInt(hex, 16)), end: at + 6 }
    if (commandAt(lettersAt(text, at + 1)) !== 'no') return literally('latex-backslash')
    throw new Unreadable('escape-invalid', start + at)
  }
  if (next === '"' || next === "'" || next === '`') return readMark(body, place, notes)
  if ('bfnrt'.includes(next) && next !== '') {
    return isCommand(body, place) ? literally('latex-backslash') : { read: escapes[next]!, end: at + 2 }
  }
  const plain = escapes[next]
  if (plain !== undefined) return { read: plain, end: at + 2 }
  // \x41, \0, \U0001f600 and a broken line mean something in other languages.
  const foreign = next === '' || /[0-9\n\r]/.test(next) || /^x[0-9a-fA-F]{2}/.test(text.slice(at + 1, at + 4)) ||
    /^U[0-9a-fA-F]{8}/.test(text.slice(at + 1, at + 10))
  if (foreign) throw new Unreadable('escape-invalid', start + at)
  return literally(isLetter(next) ? 'latex-backslash' : 'literal-backslash')
}

/** \" and \' end no text; between letters they may be the accents of LaTeX, as in Schr\"odinger. */
function readMark ({ text, at: start }: Body, { at, habit }: Place, notes: Note[]): Piece {
  const mark = text[at + 1]!
  const accent = /[A-Za-z]/.test(text[at - 1] ?? '') && /[aeiouyAEIOUY]/.test(text[at + 2] ?? '')
  if (accent && habit.raw && !habit.escaped) {
    notes.push({ step: 'latex-backslash', at: start + at })
    return { read: `\\${mark}`, end: at + 2 }
  }
  if (accent || mark === '`') throw new Unreadable('backslash-unclear', start + at)
  if (mark === "'") notes.push({ step: 'escaped-apostrophe', at: start + at })
  return { read: mark, end: at + 2 }
}

/** Whether \b, \f, \n, \r or \t begins a command here. */
function isCommand (body: Body, { at, habit, isMath }: Place): boolean {
  const { text, at: start, reply } = body
  const run = lettersAt(text, at + 1)
  const command = commandAt(run)
  if (command === 'sure') return true
  const first = run[0]!
  // No text of ours holds a backspace; a form feed may begin a page.
  if (first === 'b') return true
  if (command === 'no') {
    if (first === 'f' && run.length > 1) throw new Unreadable('backslash-unclear', start + at)
    return false
  }
  const controls = first === 'n' ? habit.lines : first === 't' && habit.tabs
  const asSource = habit.raw || isMath(at)
  const asJson = habit.escaped || controls
  if (asSource && !asJson) return true
  if (asJson && !asSource) return false
  // Lines rarely end with a blank, an operator or an open bracket.
  if (habit.raw && !habit.escaped && /[ ({[_^=+\-*/$,<>|]/.test(text[at - 1] ?? '')) return true
  if (!asSource && !asJson && reply.raw !== reply.escaped) return reply.raw
  throw new Unreadable('backslash-unclear', start + at)
}

/**
 * Whether an odd number of dollar signs, $$ counted as one, stands before a place and one behind it.
 * Places are asked for in order, so that a text is walked once.
 */
function formulas (text: string): (to: number) => boolean {
  const last = text.lastIndexOf('$')
  let at = 0
  let inside = false
  return to => {
    for (; at < to; at++) {
      if (text[at] !== '$' || text[at - 1] === '\\') continue
      if (text[at + 1] === '$') at++
      inside = !inside
    }
    return inside && last >= to
  }
}

function noteControls ({ text, at }: Body, notes: Note[]): void {
  for (let i = 0; i < text.length; i++) {
    if (text.charCodeAt(i) >= 0x20) continue
    notes.push({ step: 'raw-control', at: at + i })
    return
  }
}

function checkedText (text: string, at: number): string {
  if (/\p{Surrogate}/u.test(text)) throw new Unreadable('half-character', at)
  if (text.includes('\0')) throw new Unreadable('nul-character', at)
  return text
}

function endOfRun (text: string, at: number): number {
  let end = at
  while (text[end] === '\\') end++
  return end
}

function isLetter (char: string): boolean {
  return /^[A-Za-z]$/.test(char)
}

/** The letters that begin at a place; no command is longer than 40. */
function lettersAt (text: string, at: number): string {
  let end = at
  while (end < at + 40 && isLetter(text[end] ?? '')) end++
  return text.slice(at, end)
}
