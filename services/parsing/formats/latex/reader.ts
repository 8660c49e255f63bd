/**
 * The state of a reading of LaTeX and its main loop: tokens come in, text goes to the sink on top,
 * commands do what their handlers say.
 */
import { emptyOutline, type Outline } from '../outline.ts'
import { argument, inParentheses, optional, skipSpaces, star } from './arguments.ts'
import { newCounters, type Counters } from './counters.ts'
import { setSwitch, type Environment } from './definitions.ts'
import { expand, expandedToken } from './expand.ts'
import { nextToken, openInput, putBack, type Input } from './input.ts'
import type { Project } from './project.ts'
import { environmentSignatures, signatures } from './signatures.ts'
import { accented, accents, mathSymbols, textSymbols } from './symbols.ts'
import { sourceOf, space, stop, type Token } from './tokens.ts'

/** Where text goes. */
export interface Sink {
  /** Of the body: blank lines make paragraphs. */
  flows: boolean
  text: string
  /** Labels that the text refers to. */
  cites: string[]
  /** Of a table: "&" and "\\" make cells and rows. */
  rows?: string[][]
}

export interface OpenEnvironment { name: string, close?: (reader: Reader) => void, end?: readonly Token[] }

/** A number that `\label` gives a name to, with the name of its counter. */
export interface Numbered { counter: string, number: string }

export type FloatKind = 'figure' | 'table'

export interface Captioned {
  kind: FloatKind
  label: string
  text: string
  keys: string[]
  /** Pictures in rows as they are set. */
  panels: string[][]
  rows: string[][] | undefined
}

export interface OpenFloat {
  kind: FloatKind
  captions: Captioned[]
  /** What has no caption yet. */
  loose: Omit<Captioned, 'kind' | 'label' | 'text'>
  subcaptions: string[]
  /** How much of the line the pictures of the row take. */
  width: number
  /** Whether it is part of a figure: its caption is lettered, not numbered. */
  isPanel: boolean
}

export type BibItem = Outline['references'][number] & { key: string }

export interface Reader {
  input: Input
  project: Project
  outline: Outline
  counters: Counters
  environments: Map<string, Environment>
  open: OpenEnvironment[]
  sink: Sink
  float: OpenFloat | undefined
  /** Of each figure of the outline, its pictures in rows as they are set. */
  panels: string[][][]
  labels: Map<string, Numbered>
  /** What `\\label` names now. */
  current: Numbered
  lists: Array<'bullet' | 'number' | 'word'>
  /** While the names of authors are read, line breaks mean something. */
  inAuthors: boolean
  front: FrontPart[]
  abstract: string[]
  /** Keys in the order in which they are cited. */
  cited: Set<string>
  /** Of each section of the outline, how deep its command is. */
  depths: number[]
  /** Whether a cell is being read: what is tabular in it is its text. */
  inCell: boolean
  bibliography: { items: BibItem[], files: string[], style: string, isDone: boolean }
  subequation: { number: string, count: number } | undefined
  names: Names
  started: boolean
  depth: number
  handlers: ReadonlyMap<string, Handler>
  environmentHandlers: Map<string, EnvironmentHandler>
}

/** As they come in the source; `marks` tie authors to affiliations. */
export interface FrontPart { kind: 'author' | 'affiliation', text: string, marks: string }

export type Handler = (reader: Reader) => void
export interface EnvironmentHandler {
  begin: (reader: Reader, name: string) => void
  end?: (reader: Reader) => void
}

/** Of commands within arguments of commands. */
const nestingMax = 60

interface Names {
  figure: string
  table: string
  inAppendix: boolean
  documentClass: string
  options: Set<string>
}

export interface Handlers {
  commands: ReadonlyMap<string, Handler>
  environments: ReadonlyMap<string, EnvironmentHandler>
}

export function newReader (project: Project, { commands, environments }: Handlers): Reader {
  return {
    input: openInput(),
    project,
    outline: emptyOutline(),
    counters: newCounters(),
    environments: new Map(),
    open: [],
    sink: { flows: true, text: '', cites: [] },
    float: undefined,
    panels: [],
    labels: new Map(),
    current: { counter: '', number: '' },
    lists: [],
    inAuthors: false,
    front: [],
    abstract: [],
    cited: new Set(),
    depths: [],
    inCell: false,
    bibliography: { items: [], files: [], style: '', isDone: false },
    subequation: undefined,
    names: { figure: 'Figure', table: 'Table', inAppendix: false, documentClass: '', options: new Set() },
    started: false,
    depth: 0,
    handlers: commands,
    environmentHandlers: new Map(environments)
  }
}

/** Reads until the end of the input, or of the tokens that end with `stop`. */
export function run (reader: Reader): void {
  for (;;) {
    const token = expandedToken(reader.input)
    if (token === undefined || token === stop) return
    step(reader, token)
  }
}

function step (reader: Reader, token: Token): void {
  if (token.cs) command(reader, token.text)
  else if (token.text === '$') reader.handlers.get('$')?.(reader)
  else if (token.text === '&' && reader.sink.rows !== undefined) endCell(reader.sink)
  else if (token.text === '~') write(reader, ' ')
  else if (token.text !== '{' && token.text !== '}') writeCharacter(reader.sink, token.text)
}

export function command (reader: Reader, name: string): void {
  const handler = reader.handlers.get(name)
  if (handler !== undefined) return handler(reader)
  const symbol = textSymbols.get(name)
  if (symbol !== undefined) return write(reader, symbol)
  const mark = accents.get(name)
  if (mark !== undefined) return write(reader, accented(mark, textOf(reader, argument(reader.input))))
  if (setSwitch(reader.input, name)) return
  const signature = signatures.get(name)
  if (signature !== undefined) return takeArguments(reader, signature)
  const math = mathSymbols.get(name)
  if (math !== undefined) write(reader, math)
}

/** Takes what a signature says; text among it is put back to be read. */
export function takeArguments (reader: Reader, signature: string): void {
  const { input } = reader
  const kept: Token[] = []
  for (const kind of signature) {
    if (kind === 's') star(input)
    else if (kind === 'o') optional(input)
    else if (kind === 'p') inParentheses(input)
    else if (kind === 'd') argument(input)
    else if (kind === 't') kept.push(...argument(input))
    else if (kind === 'c') nextToken(input)
    else skipLength(input)
  }
  putBack(input, kept)
}

/** "=-1.5pt plus 2fil", in braces or not. */
function skipLength (input: Input): void {
  skipSpaces(input)
  for (let i = 0; i < 60; i++) {
    const token = nextToken(input)
    if (token === undefined) return
    const form = token.cs ? /(?:width|height|skip|indent|sep|unit)$/u : /^[=\-+.\d a-z*]$/u
    if (!form.test(token.text) || token === stop || (token === space && i > 1)) {
      if (token !== space) putBack(input, [token])
      return
    }
  }
}

/** Text of tokens, read apart from what surrounds them. */
export function textOf (reader: Reader, tokens: readonly Token[]): string {
  return sinkOf(reader, tokens).text.replaceAll(/\s+/gu, ' ').trim()
}

/** As `textOf`, with all that came with it. */
export function sinkOf (reader: Reader, tokens: readonly Token[], rows?: string[][]): Sink {
  const { sink: outer, open } = reader
  const sink: Sink = { flows: false, text: '', cites: [], ...(rows && { rows }) }
  if (reader.depth >= nestingMax) {
    sink.text = sourceOf(tokens.slice(0, 2_000))
    return sink
  }
  reader.depth++
  reader.open = []
  reader.sink = sink
  putBack(reader.input, [...tokens, stop])
  run(reader)
  closeAll(reader)
  reader.sink = outer
  reader.open = open
  reader.depth--
  outer.cites.push(...sink.cites)
  sink.text = typeset(sink.text)
  return sink
}

/** Ends what is still open, innermost first. */
export function closeAll (reader: Reader): void {
  for (let last = reader.open.pop(); last !== undefined; last = reader.open.pop()) last.close?.(reader)
}

export function write (reader: Reader, text: string): void {
  reader.sink.text += text
}

export function endCell (sink: Sink): void {
  sink.rows?.at(-1)?.push(typeset(sink.text).replaceAll(/\s+/gu, ' ').trim())
  sink.text = ''
}

/**
 * Quotes and dashes of the source are kept apart from those that are meant as they stand (formulas,
 * addresses, listings) until their text is whole.
 */
const typed = new Map([['-', '\uE020'], ['`', '\uE021'], ["'", '\uE022']])

function writeCharacter (sink: Sink, text: string): void {
  sink.text += typed.get(text) ?? text
}

/** Quotes and dashes as TeX's fonts join them. */
export function typeset (text: string): string {
  return text
    .replaceAll('\uE020\uE020\uE020', '\u2014').replaceAll('\uE020\uE020', '\u2013').replaceAll('\uE020', '-')
    .replaceAll('\uE021\uE021', '\u201C').replaceAll('\uE021', '\u2018')
    .replaceAll('\uE022\uE022', '\u201D').replaceAll('\uE022', '\u2019')
}

/** `\begin{name}`; what is not known is transparent. */
export function beginEnvironment (reader: Reader): void {
  const name = sourceOf(argument(reader.input))
  const own = reader.environments.get(name)
  if (own !== undefined && !reader.environmentHandlers.has(name)) {
    reader.open.push({ name, end: own.end })
    expand(reader.input, own.begin)
    return
  }
  const handler = reader.environmentHandlers.get(name)
  takeArguments(reader, environmentSignatures.get(name) ?? '')
  reader.open.push({ name, ...(handler?.end !== undefined && { close: handler.end }) })
  handler?.begin(reader, name)
}

/** `\end{name}`: ends that environment and those left open in it; others are passed over. */
export function endEnvironment (reader: Reader): void {
  const name = sourceOf(argument(reader.input))
  if (!reader.open.some(open => open.name === name)) return
  for (let last = reader.open.pop(); last !== undefined; last = reader.open.pop()) {
    last.close?.(reader)
    if (last.name !== name) continue
    if (last.end !== undefined) putBack(reader.input, last.end)
    return
  }
}

export function warn (reader: Reader, code: string, detail: string): void {
  const { warnings } = reader.outline
  if (warnings.length < 100 && !warnings.some(other => other.detail === detail)) {
    warnings.push({ code, detail })
  }
}
