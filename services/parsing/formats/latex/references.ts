/** Labels, references and citations, as marks that `resolve.ts` makes text of. */
import { argument, inParentheses, optional, skipSpaces, star } from './arguments.ts'
import { stepCounter } from './counters.ts'
import { peekToken, rawSource } from './input.ts'
import { markOf, type MarkKind } from './marks.ts'
import { numberOf } from './paragraphs.ts'
import { textOf, write, type Handler, type Reader } from './reader.ts'
import { sourceOf } from './tokens.ts'

function keysOf (reader: Reader): string[] {
  return sourceOf(argument(reader.input)).split(',').map(key => key.trim()).filter(key => key !== '').slice(0, 200)
}

function label (reader: Reader): void {
  optional(reader.input)
  const key = sourceOf(argument(reader.input))
  if (reader.labels.size < 20_000 && !reader.labels.has(key)) reader.labels.set(key, reader.current)
  const last = reader.float?.captions.at(-1)
  // After a caption it names that one, until pictures of another come.
  if (last !== undefined && reader.float?.loose.panels.flat().length === 0) last.keys.push(key)
  else reader.float?.loose.keys.push(key)
}

function reference (kind: MarkKind): Handler {
  return reader => {
    star(reader.input)
    const keys = keysOf(reader)
    reader.sink.cites.push(...keys)
    write(reader, markOf({ kind, keys, before: '', after: '' }))
  }
}

/** `\citep[see][p. 3]{a,b}`; biblatex and natbib alike. */
function citation (kind: MarkKind): Handler {
  return reader => {
    const { input } = reader
    star(input)
    const first = optional(input)
    const second = optional(input)
    const before = second === undefined ? '' : textOf(reader, first ?? [])
    const after = textOf(reader, second ?? first ?? [])
    const keys = keysOf(reader)
    for (const key of keys) reader.cited.add(key)
    write(reader, markOf({ kind, keys, before, after }))
  }
}

/** `\cites[1]{a}[2]{b}` of biblatex. */
function citations (reader: Reader): void {
  for (let i = 0; i < 30; i++) {
    skipSpaces(reader.input)
    const next = peekToken(reader.input)
    if (next === undefined || next.cs || !['[', '{', '('].includes(next.text)) return
    inParentheses(reader.input)
    citation('p')(reader)
  }
}

/** An address, whose "%" and "_" mean themselves. */
function address (reader: Reader): void {
  const raw = rawSource(reader.input)?.rawGroup()
  write(reader, (raw ?? sourceOf(argument(reader.input))).replaceAll(/\\([%#&_~$])/gu, '$1'))
}

function countBy (reader: Reader, change: (value: number, by: number) => number): void {
  const counter = sourceOf(argument(reader.input))
  const by = Number(sourceOf(argument(reader.input)))
  if (!Number.isInteger(by) || Math.abs(by) > 10_000) return
  reader.counters.values.set(counter, change(reader.counters.values.get(counter) ?? 0, by))
}

function stepped (reader: Reader): string {
  const counter = sourceOf(argument(reader.input))
  stepCounter(reader.counters, counter)
  return counter
}

function named (names: readonly string[], handler: Handler): [string, Handler][] {
  return names.map(name => [name, handler])
}

export const referenceCommands: [string, Handler][] = [
  ['label', label],
  ...named(['ref', 'labelcref', 'pageref', 'vref', 'getrefnumber', 'subref', 'refs'], reference('r')),
  ...named(['autoref', 'cref', 'vnameref', 'nameref', 'fullref'], reference('a')),
  ...named(['Cref', 'Autoref', 'vcref'], reference('A')),
  ...named(['eqref'], reference('e')),
  ...named(['cite', 'citealp', 'citealt', 'citenum', 'onlinecite', 'citeonline', 'citen', 'supercite', 'textsupercite', 'fullcite'], citation('n')),
  ...named(['citep', 'parencite', 'autocite', 'Citep', 'citeA', 'citeauthoryear', 'shortcite', 'footcite', 'smartcite', 'Parencite', 'Autocite'], citation('p')),
  ...named(['citet', 'textcite', 'Citet', 'Textcite', 'citeasnoun', 'citealtt', 'newcite', 'shortciteN', 'citeN'], citation('t')),
  ...named(['citeyear', 'citeyearpar', 'citeyearNP'], citation('y')),
  ...named(['citeauthor', 'Citeauthor', 'citeauthorNP'], citation('u')),
  ...named(['cites', 'parencites', 'textcites', 'autocites'], citations),
  ['nocite', reader => { for (const key of keysOf(reader)) reader.cited.add(key) }],
  ...named(['url', 'nolinkurl', 'path'], address),
  ['href', reader => {
    const raw = rawSource(reader.input)?.rawGroup()
    if (raw === undefined) argument(reader.input)
  }],
  ['hyperref', reader => {
    const key = optional(reader.input)
    if (key !== undefined) reader.sink.cites.push(sourceOf(key))
  }],
  ['setcounter', reader => countBy(reader, (_, by) => by)],
  ['addtocounter', reader => countBy(reader, (value, by) => value + by)],
  ['stepcounter', reader => { stepped(reader) }],
  ['refstepcounter', reader => {
    const counter = stepped(reader)
    reader.current = { counter, number: numberOf(reader, counter) }
  }],
  ['newcounter', reader => {
    const counter = sourceOf(argument(reader.input))
    const outer = optional(reader.input)
    reader.counters.values.set(counter, 0)
    if (outer !== undefined) reader.counters.within.set(counter, sourceOf(outer))
  }],
  ['value', reader => { write(reader, String(reader.counters.values.get(sourceOf(argument(reader.input))) ?? 0)) }],
  ...['section', 'subsection', 'subsubsection', 'figure', 'table', 'equation', 'chapter'].map(counter =>
    [`the${counter}`, (reader: Reader) => { write(reader, numberOf(reader, counter)) }] as [string, Handler])
]
