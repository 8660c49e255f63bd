/** Authors with their affiliations, from what the front matter of the common classes says. */
import type { Document } from '../../../../shared/contracts/document.ts'
import { readNames } from '../../domain/names.ts'
import type { FrontPart } from './reader.ts'

type Author = Document['authors'][number]
interface Found { name: string, marks: string[], affiliations: string[] }

const lineBreak = '\uE010'
const and = '\uE011'
/** Begins a line that its command says is an affiliation. */
const place = '\uE016'
const institution = /universit|institut|department|dept\.|laborator|school|college|faculty|cent(?:er|re)\b|hospital|academy|division|\binc\b|\bltd\b|corporation|research|google|microsoft|observator|대학|학과|연구/iu
const authorsMax = 3_000

export function readAuthors (front: readonly FrontPart[]): Author[] {
  const authors: Found[] = []
  const byMark = new Map<string, string>()
  /** Those that a following affiliation without marks belongs to. */
  let waiting: Found[] = []
  let last: FrontPart['kind'] | undefined
  for (const part of front.map(own => ({ ...own, text: withRaised(own.text) }))) {
    if (part.kind === 'author') {
      if (last === 'affiliation') waiting = []
      const found = ofBlocks(part)
      authors.push(...found)
      waiting.push(...found)
    } else addAffiliations(part, { byMark, waiting, all: authors })
    last = part.kind
  }
  const seen = new Map<string, Found>()
  for (const author of authors.slice(0, authorsMax)) if (!seen.has(author.name)) seen.set(author.name, author)
  return [...seen.values()].map(({ name, marks, affiliations }) => {
    const own = [...affiliations, ...marks.flatMap(mark => byMark.get(mark) ?? [])]
    return { name, ...(own.length > 0 && { affiliations: [...new Set(own)] }) }
  })
}

/** Raised digits as marks, like those that commands raise. */
function withRaised (text: string): string {
  return text.replaceAll(/[⁰¹²³⁴⁵⁶⁷⁸⁹](?:,?[⁰¹²³⁴⁵⁶⁷⁸⁹]){0,20}/gu, digits => `\uE012${digits.normalize('NFKC')}\uE013`)
}

interface Affiliating { byMark: Map<string, string>, waiting: readonly Found[], all: readonly Found[] }

function addAffiliations ({ text, marks }: FrontPart, { byMark, waiting, all }: Affiliating): void {
  const blocks = text.split(and)
  const given = marksOf(marks)
  for (const [i, block] of blocks.entries()) {
    // A raised mark at its start, or its place in \institute{A \and B}.
    const own = /^\s*\uE012([^\uE013]*)\uE013/u.exec(block)
    const affiliation = tidy(block)
    if (affiliation === '') continue
    const places = blocks.length > 1 ? [String(i + 1)] : []
    const labels = given.length > 0 ? given : own !== null ? marksOf(own[1]!) : places
    for (const label of labels) byMark.set(label, affiliation)
    const isMarked = labels.length > 0 && all.some(author => author.marks.some(mark => labels.includes(mark)))
    if (isMarked) continue
    if (labels.length > 0 && (given.length > 0 || own !== null)) continue
    for (const author of waiting) {
      if (author.marks.length === 0 || blocks.length === 1) author.affiliations.push(affiliation)
    }
  }
}

/** One `\author`: blocks with a line of names and lines of affiliations each. */
function ofBlocks ({ text, marks }: FrontPart): Found[] {
  const shared = marksOf(marks)
  const blocks = text.split(and).filter(block => /\p{L}/u.test(block))
  return blocks.flatMap(block => {
    const lines = block.split(lineBreak).map(line => line.trim()).filter(line => /\p{L}/u.test(line))
    const found: Found[] = []
    const rest: string[] = []
    for (const [i, line] of lines.entries()) {
      const plain = withoutMarks(line)
      const goesOn = /(?:,|\band|&)\s*$/u.test(withoutMarks(lines[i - 1] ?? ''))
      const mayName = i === 0 ||
        (rest.length === 0 && (goesOn || blocks.length === 1) && isNames(plain, goesOn))
      const names = mayName && !line.startsWith(place) ? namesOf(line) : []
      if (names.length > 0 && !(found.length > 0 && institution.test(plain))) found.push(...names)
      else if (!/@/u.test(plain)) rest.push(line)
    }
    for (const author of found) author.marks.push(...shared)
    affiliate(found, rest)
    return found
  })
}

function affiliate (found: readonly Found[], lines: readonly string[]): void {
  const marked = lines.map(line => ({ mark: /^\uE012([^\uE013]*)\uE013/u.exec(line)?.[1], text: tidy(line) }))
  if (marked.some(({ mark }) => mark !== undefined)) {
    for (const { mark, text } of marked) {
      const own = found.filter(({ marks }) => mark !== undefined && marks.includes(mark.trim()))
      for (const author of own) author.affiliations.push(text)
    }
    return
  }
  const affiliation = marked.map(({ text }) => text).filter(text => text !== '').join(', ')
  if (affiliation !== '') for (const author of found) author.affiliations.push(affiliation)
}

/** @param goesOn the line before ended in the middle of a list */
function isNames (plain: string, goesOn: boolean): boolean {
  if (institution.test(plain)) return false
  const parts = plain.split(',').map(part => part.trim()).filter(part => part !== '')
  return (goesOn && parts.every(part => /^\p{Lu}\S{0,30}(?: \S{1,30}){1,5}$/u.test(part))) || readNames(plain).length > 0
}

function namesOf (line: string): Found[] {
  return line.split(/[,;](?![^\uE012]{0,40}\uE013)|\s(?:and|&)\s/u).flatMap(piece => {
    const marks = [...piece.matchAll(/\uE012([^\uE013]*)\uE013/gu)].flatMap(([, text]) => marksOf(text!))
    const name = withoutMarks(piece).replaceAll(/[*†‡§¶∗]|\$[^$]{0,40}\$|\([^()]{0,30}\)/gu, '')
      .replace(/^\s*and\s+/u, '').replaceAll(/\s+/gu, ' ').replace(/[\s,.:]+$/u, match => match.includes('.') && /\p{Lu}\.?$/u.test(piece.trim()) ? '.' : '').trim()
    const isName = /\p{L}{2}/u.test(name) && name.split(' ').length <= 7 && !/[@\d]|^(?:Jr|Sr|PhD|MD|II|III|Member|Fellow|IEEE|Senior Member|Student Member)\.?$/u.test(name)
    return isName ? [{ name, marks, affiliations: [] }] : []
  })
}

function marksOf (text: string): string[] {
  return text.replaceAll(/[$^{}\s]/gu, ' ').split(/[,\s]+/u).filter(mark => mark !== '')
}

function withoutMarks (text: string): string {
  return text.replaceAll(/\uE012[^\uE013]*\uE013/gu, '')
}

function tidy (text: string): string {
  return withoutMarks(text).replaceAll(place, '').replaceAll(lineBreak, ', ').replaceAll(/\b(?:organization|addressline|city|postcode|state|country|department)\s*=\s*/gu, ' ')
    .replaceAll(/\S{1,100}@\S{1,100}/gu, '').replaceAll(/\s+/gu, ' ').replaceAll(/(?:\s*,)+/gu, ',').replace(/^[\s,.;]+|[\s,;]+$/gu, '').trim()
}
