/** Figures and tables: captions, numbers, pictures, panels. */
import { argument, optional, star } from './arguments.ts'
import { stepCounter } from './counters.ts'
import { numberOf, sectionNow, endParagraph } from './paragraphs.ts'
import {
  sinkOf, takeArguments, textOf, typeset,
  type Captioned, type EnvironmentHandler, type FloatKind, type Handler,
  type OpenFloat, type Reader
} from './reader.ts'
import { sourceOf, type Token } from './tokens.ts'

const panelsMax = 60
const panelNames = 'abcdefghijklmnopqrstuvwxyz'

function floating (kind: FloatKind, signature = 'o'): EnvironmentHandler {
  return {
    begin (reader) {
      takeArguments(reader, signature)
      reader.counters.values.set('panel', 0)
      const outer = { sink: reader.sink, float: reader.float }
      reader.sink = { flows: false, text: '', cites: [] }
      reader.float = newFloat(kind)
      reader.open.at(-1)!.close = () => {
        const { float, sink } = reader
        Object.assign(reader, outer)
        if (float !== undefined) endFloat(reader, float, sink.text)
      }
    }
  }
}

export function newFloat (kind: FloatKind): OpenFloat {
  const loose = { keys: [], panels: [[]], rows: undefined }
  return { kind, captions: [], loose, subcaptions: [], width: 0, isPanel: false }
}

/** Puts what a float held into the outline; `text` is what stood in it outside of captions. */
function endFloat (reader: Reader, float: OpenFloat, text: string): void {
  share(float)
  const { loose, captions } = float
  const notes = typeset(text).replaceAll(/\s+/gu, ' ').trim()
  const named = float.subcaptions.filter(caption => /[\p{L}\p{N}]/u.test(caption))
  for (const [i, caption] of captions.entries()) {
    const { label, keys, panels } = caption
    const isLast = i === captions.length - 1
    const more = isLast ? [...named, ...(caption.kind === 'table' ? [notes] : [])] : []
    const head = { keys, label, caption: [caption.text, ...more].join(' ').trim(), section: sectionNow(reader) }
    if (caption.kind === 'figure') {
      reader.outline.figures.push({ ...head, pictures: panels.flat().map(href => ({ href })) })
      reader.panels.push(panels.filter(row => row.length > 0))
    } else reader.outline.tables.push({ ...head, ...(caption.rows !== undefined && { rows: caption.rows }) })
  }
  if (captions.length > 0) return
  if (loose.rows !== undefined) {
    const { keys, rows } = loose
    reader.outline.tables.push({ keys, label: '', caption: notes, section: sectionNow(reader), rows })
  } else if (/[\p{L}\p{N}]/u.test(notes) && loose.panels.flat().length === 0) {
    // No picture and no caption: text in a box.
    reader.sink.text += notes
    endParagraph(reader)
  }
}

/** Pictures and cells without a caption go to the one they stand with: below them, or else above. */
function share ({ loose, captions }: OpenFloat): void {
  const last = captions.at(-1)
  if (last === undefined) return
  last.panels.push(...loose.panels)
  last.rows ??= loose.rows
  last.keys.push(...loose.keys)
  // Captions above: each took what stood above it, so that the first has none and the last has two.
  if (captions.length > 1 && captions[0]!.panels.flat().length === 0 && captions[0]!.rows === undefined) {
    for (let i = 0; i + 1 < captions.length; i++) {
      const [to, from] = [captions[i]!, captions[i + 1]!]
      const ownRest = i + 2 === captions.length ? loose.panels : []
      to.panels = from.panels.filter(row => !ownRest.includes(row))
      from.panels = ownRest
    }
  }
}

function caption (reader: Reader, given?: FloatKind): void {
  const starred = star(reader.input)
  optional(reader.input)
  const tokens = argument(reader.input)
  const { float } = reader
  const kind = given ?? float?.kind
  if (kind === undefined) return
  if (float?.isPanel === true) stepPanel(reader, kind)
  else if (!starred) {
    stepCounter(reader.counters, kind)
    reader.current = { counter: kind, number: numberOf(reader, kind) }
  }
  const text = textOf(reader, tokens)
  const name = reader.names[kind]
  const entry: Captioned = {
    kind,
    label: starred ? '' : `${name} ${reader.current.number}`,
    text,
    keys: [...float?.loose.keys ?? [], ...labelsIn(tokens)],
    panels: [],
    rows: undefined
  }
  if (float === undefined) {
    // Outside of any float, such as \captionof: what comes before is text already.
    const head = { keys: entry.keys, label: entry.label, caption: text, section: sectionNow(reader) }
    if (kind === 'figure') {
      reader.outline.figures.push({ ...head, pictures: [] })
      reader.panels.push([])
    } else reader.outline.tables.push(head)
    return
  }
  entry.panels = float.loose.panels
  entry.rows = float.loose.rows
  float.loose = { keys: [], panels: [[]], rows: undefined }
  float.width = 0
  float.captions.push(entry)
}

function labelsIn (tokens: readonly Token[]): string[] {
  return tokens.flatMap((token, i) => {
    if (!token.cs || token.text !== 'label') return []
    const end = tokens.findIndex((other, at) => at > i && !other.cs && other.text === '}')
    return end === -1 ? [] : [sourceOf(tokens.slice(i + 2, end))]
  })
}

/** A part of a figure with a caption of its own: "(a) …". */
function subfloat (reader: Reader): void {
  const first = optional(reader.input)
  const second = optional(reader.input)
  const body = argument(reader.input)
  subcaption(reader, second ?? first ?? [])
  const sink = sinkOf(reader, body)
  reader.sink.text += ` ${sink.text}`
}

function subcaption (reader: Reader, tokens: readonly Token[]): void {
  stepPanel(reader, reader.float?.kind ?? 'figure')
  const text = textOf(reader, tokens)
  if (text !== '') reader.float?.subcaptions.push(`(${panelName(reader)}) ${text}`)
}

/** A panel is named after the number that its figure gets, or has when its caption stands above. */
function stepPanel (reader: Reader, kind: FloatKind): void {
  const { counters, float } = reader
  const isNumbered = float?.isPanel !== true && (float?.captions.length ?? 0) > 0
  stepCounter(counters, 'panel')
  const now = counters.values.get(kind) ?? 0
  counters.values.set(kind, isNumbered ? now : now + 1)
  reader.current = { counter: kind, number: `${numberOf(reader, kind)}${panelName(reader)}` }
  counters.values.set(kind, now)
}

function panelName ({ counters }: Reader): string {
  return panelNames[(counters.values.get('panel') ?? 1) - 1] ?? ''
}

function panel (kind: FloatKind): EnvironmentHandler {
  return {
    begin (reader) {
      optional(reader.input)
      optional(reader.input)
      optional(reader.input)
      widen(reader, sourceOf(argument(reader.input)))
      const outer = reader.float
      if (outer === undefined) return
      const loose = { ...outer.loose, keys: [] }
      // Widths of pictures in it are shares of the panel.
      const inner: OpenFloat = { kind, captions: [], subcaptions: [], loose, width: -Infinity, isPanel: true }
      reader.float = inner
      reader.open.at(-1)!.close = () => {
        reader.float = outer
        endPanel(outer, inner, panelName(reader))
      }
    }
  }
}

/** What a panel held goes to its figure: pictures into the row, its caption after the figure's. */
function endPanel (outer: OpenFloat, inner: OpenFloat, name: string): void {
  const panels = [...inner.captions.flatMap(({ panels }) => panels), ...inner.loose.panels]
  const known = new Set(outer.loose.panels)
  outer.loose.panels.push(...panels.filter(row => row.length > 0 && !known.has(row)))
  outer.loose.rows ??= inner.captions.find(({ rows }) => rows !== undefined)?.rows ?? inner.loose.rows
  outer.loose.keys.push(...inner.loose.keys, ...inner.captions.flatMap(({ keys }) => keys))
  for (const { text } of inner.captions) if (text !== '') outer.subcaptions.push(`(${name}) ${text}`)
  outer.subcaptions.push(...inner.subcaptions)
}

/** Notes that a picture or panel takes so much of the line; a full line begins another row. */
function widen (reader: Reader, width: string): void {
  const { float } = reader
  if (float === undefined) return
  const share = /(\d*\.?\d+)\s*\\(?:text|line|column)width/u.exec(width)?.[1]
  const own = share !== undefined ? Number(share) : /\\(?:text|line|column)width/u.test(width) ? 1 : 0.3
  if (float.width + own > 1.05 && float.loose.panels.at(-1)!.length > 0) {
    float.loose.panels.push([])
    float.width = 0
  }
  float.width += own
}

function picture (reader: Reader): void {
  star(reader.input)
  const options = sourceOf(optional(reader.input) ?? [])
  optional(reader.input)
  const name = sourceOf(argument(reader.input))
  const { float } = reader
  if (float === undefined || float.loose.panels.flat().length >= panelsMax) return
  widen(reader, options)
  float.loose.panels.at(-1)!.push(name)
}

/** `\psfig{figure=x.eps,width=…}`, `\epsfig{file=x.eps}`. */
function oldPicture (reader: Reader): void {
  const options = sourceOf(argument(reader.input))
  const name = /(?:figure|file)\s*=\s*([^,}\s]+)/u.exec(options)?.[1]
  if (name !== undefined) reader.float?.loose.panels.at(-1)!.push(name)
}

export const floatEnvironments: [string, EnvironmentHandler][] = [
  ...['figure', 'figure*', 'sidewaysfigure', 'sidewaysfigure*', 'SCfigure', 'floatingfigure', 'teaserfigure', 'marginfigure', 'figwindow', 'scheme', 'chart']
    .map(name => [name, floating('figure')] as [string, EnvironmentHandler]),
  ...['table', 'table*', 'sidewaystable', 'sidewaystable*', 'SCtable', 'margintable']
    .map(name => [name, floating('table')] as [string, EnvironmentHandler]),
  ['wrapfigure', floating('figure', 'odod')],
  ['wraptable', floating('table', 'odod')],
  ['subfigure', panel('figure')],
  ['subtable', panel('table')]
]

export const floatCommands: [string, Handler][] = [
  ['caption', reader => caption(reader)],
  ['captionof', reader => {
    star(reader.input)
    caption(reader, sourceOf(argument(reader.input)) === 'table' ? 'table' : 'figure')
  }],
  ['tablecaption', reader => caption(reader, 'table')],
  ['subfloat', subfloat],
  ['subfigure', subfloat],
  ['subcaptionbox', reader => {
    star(reader.input)
    const text = argument(reader.input)
    optional(reader.input)
    const body = argument(reader.input)
    subcaption(reader, text)
    reader.sink.text += ` ${sinkOf(reader, body).text}`
  }],
  ['subcaption', reader => subcaption(reader, argument(reader.input))],
  ['includegraphics', picture],
  ['plotone', reader => { reader.float?.loose.panels.at(-1)!.push(sourceOf(argument(reader.input))) }],
  ['plottwo', reader => {
    for (let i = 0; i < 2; i++) reader.float?.loose.panels.at(-1)!.push(sourceOf(argument(reader.input)))
  }],
  ['epsfig', oldPicture],
  ['psfig', oldPicture],
  ['epsffile', picture],
  ['epsfbox', picture]
]
