/**
 * Plain text: paragraphs are set apart by blank lines; headings are believed only where a line cannot
 * well be anything else, for a missed heading costs less than a sentence made one.
 */
import { countWords, joinLines } from '../domain/clean-text.ts'
import { isKnownTitle, kindOf } from '../domain/section-kind.ts'
import { splitNumber } from '../domain/heading-number.ts'
import { readNames } from '../domain/names.ts'
import { emptyOutline, type Outline } from './outline.ts'
import { closeLevels, decodeText, isAbstractTitle, isReferenceLabel, readReference } from './plain.ts'
import type { Reader } from './reader.ts'

const headingMax = 90
const blocksMax = 50_000

export const readText: Reader = bytes => ({ outline: outlineOf(decodeText(bytes)) })

function outlineOf (text: string): Outline {
  const outline = emptyOutline()
  const blocks = blocksOf(text)
  const words = countWords(blocks.flat().map(line => ({ text: line, hyphen: false })))
  const joined = (lines: readonly string[]) =>
    joinLines(lines.map(line => ({ text: line, hyphen: false })), words)
  const start = readFront(outline, blocks, joined)
  /** What the blocks under the last heading are. */
  let part: 'body' | 'abstract' | 'references' = 'body'
  const abstract: string[] = []
  for (const block of blocks.slice(start)) {
    const { heading, rest } = splitHeading(block)
    if (heading !== undefined) {
      part = isAbstractTitle(heading.title) ? 'abstract' : kindOf(heading.title) === 'references' ? 'references' : 'body'
      if (part !== 'abstract') outline.sections.push({ ...heading, paragraphs: [] })
    }
    if (rest.length === 0) continue
    const labelled = /^(?:abstract|summary|요약|초록)\s*[.:\u2014-]\s*(?=\S)/iu.exec(rest[0]!)
    if (labelled !== null && abstract.length === 0 && outline.sections.length === 0) {
      abstract.push(joined([rest[0]!.slice(labelled[0].length), ...rest.slice(1)]))
    } else if (part === 'abstract' && abstract.length < 6) abstract.push(joined(rest))
    else if (part === 'references') outline.references.push(...referencesOf(rest, joined))
    else addParagraph(outline, joined(rest))
  }
  if (abstract.length > 0) outline.abstract = { text: abstract.join(' ') }
  closeLevels(outline.sections)
  return outline
}

/** Lines between blank ones; where no line is blank, each long line is a paragraph of its own. */
function blocksOf (text: string): string[][] {
  const lines = text.replaceAll('\f', '\n').split('\n').map(line => line.trimEnd())
  const blocks: string[][] = [[]]
  for (const line of lines) {
    if (line.trim() !== '') blocks.at(-1)!.push(line)
    else if (blocks.at(-1)!.length > 0 && blocks.length < blocksMax) blocks.push([])
  }
  return blocks.filter(block => block.length > 0)
    .flatMap(block => isUnwrapped(block) ? block.map(line => [line]) : [block])
}

function isUnwrapped (block: readonly string[]): boolean {
  return block.length > 1 && block.filter(line => line.length > 160).length > block.length / 2
}

type Joined = (lines: readonly string[]) => string

/** @returns how many blocks are title and authors */
function readFront (outline: Outline, blocks: readonly string[][], joined: Joined): number {
  const [first, second] = blocks
  if (first === undefined) return 0
  const title = first.slice(0, 4).filter(line => !/^\s*[=*_-]{3,}\s*$/u.test(line))
  // A title is short; what is not is the beginning of the text.
  if (first.length > 4 || title.join(' ').length > 300) {
    outline.title = joined(first.slice(0, 1)).slice(0, 300)
    return 0
  }
  outline.title = joined(title)
  const isList = second !== undefined && second.length <= 6 && splitHeading(second).heading === undefined
  const names = !isList ? [] : second.flatMap(readNames)
  outline.authors = names.map(name => ({ name }))
  return names.length > 0 ? 2 : 1
}

function splitHeading (block: readonly string[]): { heading?: Outline['sections'][number], rest: readonly string[] } {
  const [first = '', second = ''] = block
  const line = first.trim()
  const underlined = /^\s*(?:={3,}|-{3,}|~{3,})\s*$/u.exec(second)
  const { number, title } = splitNumber(line)
  const isShort = line.length <= headingMax && !/[.,;:?!]$/u.test(line) && /\p{L}{2}/u.test(title)
  const capital = /^[\p{Lu}\p{Lo}"']/u.test(title)
  const level = number === '' ? (/-|~/u.test(second) ? 2 : 1) : number.split('.').length
  const section = { number, title, level, paragraphs: [] }
  if (underlined !== null && line.length <= headingMax) return { heading: section, rest: block.slice(2) }
  const known = isShort && (isKnownTitle(title) || isAbstractTitle(title))
  const capitals = isShort && /\p{Lu}{4}/u.test(title) && title === title.toUpperCase() && !/\d/u.test(title)
  const numbered = isShort && number !== '' && capital && title.split(' ').length <= 12
  // Text on the next line belongs to a heading only if nothing else can be meant.
  const alone = block.length === 1
  const headed = alone ? known || capitals || numbered : (known || capitals) && capital
  return headed ? { heading: section, rest: block.slice(1) } : { rest: block }
}

function addParagraph (outline: Outline, text: string): void {
  if (text === '') return
  if (outline.sections.length === 0) outline.sections.push({ number: '', title: '', level: 1, paragraphs: [] })
  outline.sections.at(-1)!.paragraphs.push({ text })
}

/** Entries by their labels; without labels a block is one, or each line that ends like an entry. */
function referencesOf (block: readonly string[], joined: Joined): Outline['references'] {
  const starts = block.flatMap((line, i) => isReferenceLabel(line) ? [i] : [])
  const whole = starts.length === 0 || starts[0] !== 0
    ? block.length > 2 && block.every(line => /[.\d)]$/u.test(line) && line.length > 40) ? block.map(line => [line]) : [block]
    : starts.map((from, i) => block.slice(from, starts[i + 1] ?? block.length))
  return whole.map(lines => readReference(joined(lines))).filter(({ text }) => text.length > 12)
}
