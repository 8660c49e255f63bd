/**
 * What the characters between two quotes mean. A model that writes LaTeX in JSON doubles its
 * backslashes, or forgets to, or both; "\nabla" is valid JSON and the wrong text. Whether a backslash
 * begins an escape is decided from the command it would begin, from how the same text and the same
 * reply treat their other backslashes, and from whether it stands in a formula. Where that leaves two
 * readings, none is taken.
 */
import { formulasIn, type Formula } from './formulas.ts'
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
  const formulaAt = inOrder(text)
  let read = text.slice(0, first)
  for (let at = first; at < text.length;) {
    const next = text.indexOf('\\', at)
    if (next < 0) { read += text.slice(at); break }
    read += text.slice(at, next)
    const piece = readRun(body, { at: next, habit, formulaAt }, notes)
    read += piece.read
    at = piece.end
  }
  return checkedText(read, start)
}

interface Place { at: number, habit: Habit, formulaAt: (at: number) => Formula | undefined }
interface Piece { read: string, end: number }

/** Reads a run of backslashes and what the last one belongs to. */
function readRun (body: Body, place: Place, notes: Note[]): Piece {
  const { at, habit } = place
  const { text, at: start } = body
  const end = endOfRun(text, at)
  const length = end - at
  if (habit.raw && isUnclearPair(text, at, end)) {
    // In a matrix or an alignment two backslashes end a row, and this text escapes nothing.
    const rows = !habit.escaped && length <= 3 && text.includes('\\begin{')
    if (!rows) throw new Unreadable('backslash-unclear', start + at)
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
function isUnclearPair (text: string, at: number, end: number): boolean {
  const length = end - at
  const next = text[end] ?? ''
  if (length % 4 < 2) return false
  if (length > 2) return true
  // No line begins like that; a command does.
  if (isLetter(next) || /^[\]),;:!%_|#$]$/.test(next)) return false
  if (next === '[' && /^[-.\d]/.test(text.slice(end + 1, end + 2))) return true
  const inRows = text.lastIndexOf('begin{', at) > text.lastIndexOf('end{', at)
  return inRows || !/^[{}([]$/.test(next)
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
function isCommand (body: Body, { at, habit, formulaAt }: Place): boolean {
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
  const formula = formulaAt(at)
  const before = text[at - 1] ?? ''
  // No formula in a line has a tab or a break in it; a display has breaks behind its signs and rows.
  const inline = formula !== undefined && (!formula.display || first !== 'n')
  if (inline || (formula !== undefined && !controls && before !== '$' && before !== '\\')) return true
  const asSource = habit.raw || formula !== undefined
  const asJson = habit.escaped || controls
  // Lines rarely end with a blank, an operator or an open bracket.
  const midLine = /[ ({[_^=+*/<]/.test(before)
  if (asSource && (!asJson || (midLine && !habit.escaped))) return true
  const json = asJson ? !asSource : reply.escaped && !reply.raw
  if (json && !midLine) return false
  if (!asSource && !asJson && reply.raw && !reply.escaped) return true
  throw new Unreadable('backslash-unclear', start + at)
}

/** Places are asked for in order, so that the formulas of a text are walked once. */
function inOrder (text: string): (at: number) => Formula | undefined {
  let formulas: Formula[] | undefined
  let next = 0
  return at => {
    formulas ??= formulasIn(text)
    while (next < formulas.length && formulas[next]!.to < at) next++
    const formula = formulas[next]
    return formula !== undefined && formula.from < at ? formula : undefined
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
