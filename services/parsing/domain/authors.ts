/**
 * Authors: lists of names below the title, in one style, with the addresses that their marks name,
 * that stand under them, or that all of them share.
 */
import { cleanText, joinLines } from './clean-text.ts'
import { overlapX, type Line } from './line.ts'
import { institution, readMarkedNames, type MarkedName } from './names.ts'

export interface FoundAuthor { name: string, affiliations: string[] }

const authorsMax = 300
const addressMax = 400

interface Block { lines: Line[] }

interface Byline { names: MarkedName[], lines: Line[], rest: Line[] }

/**
 * @param front lines between the title and the abstract, from the top
 * @param notes other lines of that page: addresses at its foot or in its margin
 */
export function findAuthors (front: readonly Line[], notes: readonly Line[]): FoundAuthor[] {
  const blocks = buildBlocks(front)
  const bylines: Byline[] = []
  const others: Line[][] = []
  for (const { lines } of blocks) {
    const byline = readByline(lines)
    const first = bylines[0]?.lines[0]
    if (byline !== undefined && (first === undefined || sameStyle(byline.lines[0]!, first, 1.3))) {
      bylines.push(byline)
      if (byline.rest.length > 0) others.push(byline.rest)
    } else others.push(lines)
  }
  const anyMarked = bylines.some(({ names }) => names.some(({ marks }) => marks.length > 0))
  const marked = readAddresses([...others.flat(), ...notes.filter(line => !front.includes(line))])
  const seen = new Map<string, FoundAuthor>()
  for (const byline of bylines) {
    for (const { name, marks } of byline.names) {
      const own = [...new Set(marks)].flatMap(mark => marked.get(mark) ?? [])
      const affiliations = anyMarked ? own : addressBelow(byline, others, bylines)
      if (!seen.has(name)) seen.set(name, { name, affiliations })
    }
  }
  return [...seen.values()].slice(0, authorsMax)
}

function sameStyle (a: Line, b: Line, tolerance: number): boolean {
  return Math.abs(a.size - b.size) < tolerance && (a.font === b.font || a.bold === b.bold)
}

/** Lines of one style below each other. */
function buildBlocks (lines: readonly Line[]): Block[] {
  const blocks: Block[] = []
  for (const line of lines) {
    const block = blocks.find(({ lines: own }) => {
      const last = own.at(-1)!
      const step = line.baseline - last.baseline
      return line.font === last.font && Math.abs(line.size - last.size) < 0.5 && step > 0.5 * line.size &&
        step < 2.2 * line.size && overlapX(line.box, last.box) > 0
    })
    if (block === undefined) blocks.push({ lines: [line] })
    else block.lines.push(line)
  }
  return blocks
}

/** The longest run of a block's first lines that is a list of names. */
function readByline (lines: readonly Line[]): Byline | undefined {
  for (let count = Math.min(lines.length, 60); count > 0; count--) {
    const own = lines.slice(0, count)
    const names = readMarkedNames(joinNames(own))
    if (names.length > 0) return { names, lines: own, rest: lines.slice(count) }
  }
  return undefined
}

/** Lists wrap anywhere, also inside a name; names without a list stand one a line. */
function joinNames (lines: readonly Line[]): string {
  const texts = lines.map(marksInBraces)
  const listed = texts.some(text => /[,;|\u00B7&{]|\sand\s/.test(text.trim().slice(0, -1)))
  return texts.join(listed ? ' ' : ' ; ')
}

function marksInBraces ({ spans }: Line): string {
  return spans.map(({ raised, text }) =>
    raised && text.trim() !== '' ? `{${text.replace(/[{}]/g, '').trim()}}` : text.replace(/[{}]/g, ' ')).join('')
    .replace(/\}\s*,?\s*\{/g, ',')
}

const opening = /^\s*([\d]{1,2}|[a-z](?=\s?[\p{Lu}])|[*\u2020\u2021\u00A7\u00B6\u2016#\u2217]{1,3})[.)]?\s*(?=\p{L})/u

/** Address of each mark: lines that open with one, and those that follow without. */
function readAddresses (lines: readonly Line[]): Map<string, string> {
  const found = new Map<string, Line[]>()
  let mark: string | undefined
  for (const line of lines) {
    const match = opening.exec(line.text)
    const last = mark === undefined ? undefined : found.get(mark)!.at(-1)
    if (match !== null && (institution.test(line.text) || line.spans[0]!.raised || last !== undefined)) {
      mark = match[1]!
      if (found.has(mark)) mark = undefined
      else found.set(mark, [line])
    } else if (mark !== undefined && last !== undefined && continues(last, line)) found.get(mark)!.push(line)
    else mark = undefined
  }
  const addresses = new Map<string, string>()
  for (const [key, own] of found) {
    const texts = joinLines(own, new Map()).replace(opening, '')
    splitInline(key, texts, addresses)
  }
  return addresses
}

/** "1 One University; 2 Two Institute" on one line holds two addresses. */
function splitInline (key: string, text: string, addresses: Map<string, string>): void {
  const next = /^\d+$/.test(key) ? String(Number(key) + 1) : ''
  const at = next === '' ? -1 : text.search(new RegExp(`[;,.]\\s?${next}\\s?(?=\\p{Lu}\\p{L})`, 'u'))
  const own = address(at === -1 ? text : text.slice(0, at))
  if (/\p{L}{3}/u.test(own) && !notAddress.test(own)) addresses.set(key, own)
  if (at !== -1) splitInline(next, text.slice(at + 1).trim().slice(next.length), addresses)
}

const notAddress = /^(?:author|correspond|equal|these authors|both authors|contribut|e-?mail|lead contact|to whom|joint|deceased|email|tel)/i

function address (text: string): string {
  return cleanText(text).replace(/\s*(?:e-?mail|tel|fax|phone)\b.*$/i, '')
    .replace(/[;,]?\s*\{?[\w.+-]{1,64}@[\w.-]{1,120}.*$/, '').replace(/^[\s,;.]+|[\s,;.]+$/g, '').slice(0, addressMax)
}

const endsAddress = /^(?:\*|correspond|e-?mail|received|abstract|keywords|editor|citation|copyright|\u00A9)/i

function continues (last: Line, line: Line): boolean {
  const step = line.baseline - last.baseline
  const near = line.page === last.page && step > 0 && step < 2 * line.size
  return near && Math.abs(line.size - last.size) < 0.6 && overlapX(last.box, line.box) > 0 &&
    !endsAddress.test(line.text.trim())
}

const noAddress = /@|https?:|^(?:received|accepted|dated|\(dated|\d)/i

/** Without marks: what stands between these names and the next in their column. */
function addressBelow ({ lines }: Byline, others: readonly Line[][],
  bylines: readonly Byline[]): string[] {
  const last = lines.at(-1)!
  const under = others.flat().filter(line =>
    line.baseline > last.baseline - 1 && overlapX(line.box, last.box) > 0)
  const next = Math.min(...bylines.map(other => other.lines[0]!).filter(line =>
    line.baseline > last.baseline + 1 && overlapX(line.box, last.box) > 0).map(({ baseline }) => baseline))
  const own = under.filter(line => line.baseline < next - 1 && !noAddress.test(line.text.trim()))
    .sort((a, b) => a.baseline - b.baseline)
  const near: Line[] = []
  for (const line of own) {
    if (line.baseline - (near.at(-1) ?? last).baseline > 2.6 * line.size || near.length >= 6) break
    near.push(line)
  }
  const text = address(near.map(line => line.text.trim()).join(', ').replace(/,,/g, ','))
  return text.length > 8 ? [text] : []
}
