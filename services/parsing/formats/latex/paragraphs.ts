/** Paragraphs and sections of the outline that is being made. */
import { argument, optional, star } from './arguments.ts'
import { formatted, stepCounter } from './counters.ts'
import { sinkOf, textOf, write, type Handler, type Reader } from './reader.ts'
import { sourceOf } from './tokens.ts'

/** Ends a paragraph of the body; in other text a blank line is a space. */
export function endParagraph (reader: Reader): void {
  const { sink } = reader
  if (!sink.flows) {
    write(reader, ' ')
    return
  }
  const text = sink.text.replaceAll(/\s+/gu, ' ').trim()
  const cites = [...new Set(sink.cites)]
  sink.text = ''
  sink.cites = []
  if (!reader.started || !/[\p{L}\p{N}]/u.test(text)) return
  if (reader.outline.sections.length === 0) openSection(reader, { number: '', title: '', level: 1 })
  reader.outline.sections.at(-1)!.paragraphs.push({ text, ...(cites.length > 0 && { cites }) })
}

type Opening = Pick<Reader['outline']['sections'][number], 'number' | 'title' | 'level' | 'kind' | 'runIn'>

/** @param depth as LaTeX counts: a part 0, a chapter 1, a section 2 */
export function openSection (reader: Reader, opening: Opening, depth = 2): void {
  reader.depths.push(depth)
  reader.outline.sections.push({ ...opening, paragraphs: [] })
}

/** Index of the section that is being read; null before the first. */
export function sectionNow ({ outline }: Reader): number | null {
  return outline.sections.length === 0 ? null : outline.sections.length - 1
}

/** A counter as `\the…` prints it, with what it counts within. */
export function numberOf (reader: Reader, counter: string): string {
  const macro = reader.input.macros.get(`the${counter}`)
  if (macro !== undefined && reader.depth < 20) return textOf(reader, [{ cs: true, text: `the${counter}` }])
  const value = String(reader.counters.values.get(counter) ?? 0)
  const outer = reader.counters.within.get(counter)
  return outer === undefined || outer === 'chapter*' ? value : `${numberOf(reader, outer)}.${value}`
}

const headings = ['part', 'chapter', 'section', 'subsection', 'subsubsection', 'paragraph', 'subparagraph']

function heading (name: string): Handler {
  return reader => {
    const { input } = reader
    const starred = star(input)
    optional(input)
    const { text, cites } = sinkOf(reader, argument(input))
    if (!reader.started) return
    endParagraph(reader)
    const depth = headings.indexOf(name)
    const isNumbered = !starred && depth <= 1 + (reader.counters.values.get('secnumdepth') ?? 3)
    if (isNumbered) {
      stepCounter(reader.counters, name)
      reader.current = { counter: name, number: numberOf(reader, name) }
    }
    const runIn = depth >= 5
    openSection(reader, {
      number: isNumbered ? shownNumber(reader.current.number) : '',
      title: text.replaceAll(/\s+/gu, ' ').trim(),
      level: levelOf(reader, depth),
      ...(runIn && { runIn }),
      ...(reader.names.inAppendix && { kind: 'appendix' as const })
    }, depth)
    reader.sink.cites.push(...cites)
  }
}

/** "II-B" is what a reference to it says; the heading itself says "B". */
function shownNumber (number: string): string {
  return number.replace(/^.*[-](?=[^-]+$)/u, '')
}

/** One below the section it stands in: classes leave levels out. */
function levelOf ({ outline, depths }: Reader, depth: number): number {
  const outer = depths.findLastIndex(other => other < depth)
  return outer === -1 ? 1 : outline.sections[outer]!.level + 1
}

/** A section that its place names, such as the references. */
export function namedSection (reader: Reader, title: string, kind: NonNullable<Opening['kind']>): void {
  endParagraph(reader)
  openSection(reader, { number: '', title, level: 1, kind })
}

function counterForm (form: string): Handler {
  return reader => {
    const counter = sourceOf(argument(reader.input))
    write(reader, formatted(reader.counters.values.get(counter) ?? 0, form))
  }
}

export const paragraphCommands: [string, Handler][] = [
  ['par', endParagraph],
  ['endgraf', endParagraph],
  ...headings.map(name => [name, heading(name)] as [string, Handler]),
  ...['arabic', 'roman', 'Roman', 'alph', 'Alph', 'fnsymbol'].map(form => [form, counterForm(form)] as [string, Handler]),
  ...['acknowledgments', 'acknowledgements', 'acknowledgement', 'acknowledgment', 'ack', 'acks'].map(name =>
    [name, (reader: Reader) => namedSection(reader, 'Acknowledgments', 'acknowledgements')] as [string, Handler]),
  ['appendix', reader => {
    endParagraph(reader)
    reader.names.inAppendix = true
    const counter = reader.counters.within.get('section') === 'chapter' ? 'chapter' : 'section'
    stepCounter(reader.counters, counter)
    reader.counters.values.set(counter, 0)
    reader.input.macros.set(`the${counter}`, {
      delimiters: [[]], body: [{ cs: true, text: 'Alph' }, ...[...`{${counter}}`].map(text => ({ cs: false, text }))]
    })
  }]
]
