/** The running text: its words against the publisher's, its order by probes and by paragraphs. */
import type { Document } from '../../../shared/contracts/document.ts'
import type { Truth } from './corpus.ts'
import type { XmlTruth } from './jats.ts'
import type { Counts } from './measures.ts'
import { bare, countsOf, pairsInOrder, shinglesOf, tokensOf, uniqueShingles } from './text.ts'

const probeStrayMax = 60

/** The end of one column, page or float's forerun, and how the text goes on after it. */
export function scoreProbes (document: Document, truth: Truth, misses: string[]): Pick<Counts, 'probes'> {
  const probes = truth.reading_order_probes
  if (probes === undefined) return { probes: null }
  const text = bare([document.abstract?.text ?? '', ...document.sections.flatMap(({ title, number, paragraphs }) =>
    [number, title, ...paragraphs.map(paragraph => paragraph.text)])].join(' '))
  let hit = 0
  for (const probe of probes) {
    const between = gapBetween(text, bare(probe.tail).slice(-24), bare(probe.head).slice(0, 24))
    if (between !== undefined && between <= probeStrayMax) hit++
    else misses.push(`order p${probe.page} (${probe.kind}): ${between ?? 'no'} between: ${probe.tail.slice(-40)} | ${probe.head.slice(0, 40)}`)
  }
  return { probes: { hit, found: probes.length, of: probes.length } }
}

/** Fewest characters between a `tail` and the next `head`; a tail may occur more than once. */
function gapBetween (text: string, tail: string, head: string): number | undefined {
  let best: number | undefined
  for (let from = text.indexOf(tail); from !== -1; from = text.indexOf(tail, from + 1)) {
    const to = text.indexOf(head, from + tail.length)
    if (to !== -1) best = Math.min(best ?? Infinity, to - from - tail.length)
  }
  return best
}

const shingleSize = 5
/** Of a paragraph's shingles; less is another text. */
const missedShare = 0.7
const extraShare = 0.4

/**
 * Recall: of the words of the publisher's paragraphs, those that our paragraphs have, each as often
 * as it occurs. Precision: of our words, those that the publisher has, in the body or optionally
 * (citation numbers, formulas, notes, back matter). Headings, captions, tables and displayed
 * formulas are on neither side. Order: Kendall's tau over the publisher's paragraphs, each placed at
 * the median of its five-word runs that occur once in both texts; one with fewer than three such
 * runs is not placed.
 */
export function scoreBody (
  document: Document, xml: XmlTruth | null, misses: string[]
): Pick<Counts, 'body' | 'bodyFound' | 'order' | 'located'> {
  if (xml === null || xml.paragraphs.length === 0) {
    return { body: null, bodyFound: null, order: null, located: null }
  }
  const paragraphs = document.sections.flatMap(section => section.paragraphs)
  const found = paragraphs.map(({ text }) => tokensOf(text))
  const got = countsOf(found.flat())
  const want = countsOf(xml.paragraphs.flatMap(({ required }) => required))
  const allowed = countsOf(xml.optional.concat(xml.paragraphs.flatMap(({ required, optional }) =>
    [...required, ...optional])))
  nameParagraphs({ xml, found, pages: paragraphs.map(({ page }) => page) }, misses)
  return {
    body: { hit: shared(want, got), found: total(want), of: total(want) },
    bodyFound: { hit: shared(allowed, got), found: total(got), of: total(got) },
    ...scoreOrder(xml, found.flat(), misses)
  }
}

function total (counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((a, b) => a + b, 0)
}

function shared (a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): number {
  let sum = 0
  for (const [word, times] of a) sum += Math.min(times, b.get(word) ?? 0)
  return sum
}

interface Compared { xml: XmlTruth, found: readonly string[][], pages: readonly number[] }

/** Which paragraphs are not in the document, and which of the document are not in the paper. */
function nameParagraphs ({ xml, found, pages }: Compared, misses: string[]): void {
  const ours = new Set(shinglesOf(found.flat(), 3).map(([shingle]) => shingle))
  for (const { text, required } of xml.paragraphs) {
    if (required.length >= 8 && shareIn(required, ours) < missedShare) misses.push(`body missed: ${text.slice(0, 100)}`)
  }
  const theirs = new Set([...xml.paragraphs.map(({ required }) => required), xml.optional]
    .flatMap(tokens => shinglesOf(tokens, 3).map(([shingle]) => shingle)))
  for (const [i, tokens] of found.entries()) {
    if (tokens.length >= 8 && shareIn(tokens, theirs) < extraShare) misses.push(`body extra p${pages[i]}: ${tokens.slice(0, 16).join(' ')}`)
  }
}

function shareIn (tokens: readonly string[], known: ReadonlySet<string>): number {
  const shingles = shinglesOf(tokens, 3)
  return shingles.filter(([shingle]) => known.has(shingle)).length / Math.max(1, shingles.length)
}

function scoreOrder (xml: XmlTruth, tokens: readonly string[], misses: string[]): Pick<Counts, 'order' | 'located'> {
  const ours = uniqueShingles(tokens, shingleSize)
  const theirs = uniqueShingles(xml.paragraphs.flatMap(({ required }) => required), shingleSize)
  const long = xml.paragraphs.filter(({ required }) => required.length >= shingleSize + 2)
  const placed = long.flatMap(({ required, text }) => {
    const places = shinglesOf(required, shingleSize)
      .flatMap(([shingle]) => theirs.has(shingle) ? ours.get(shingle) ?? [] : [])
      .sort((a, b) => a - b)
    return places.length < 3 ? [] : [{ text, place: places[places.length >> 1]! }]
  })
  for (const [i, { text, place }] of placed.entries()) {
    const before = placed[i - 1]
    if (before !== undefined && before.place > place) misses.push(`paragraph out of order: ${text.slice(0, 80)}`)
  }
  const pairs = pairsInOrder(placed.map(({ place }) => place))
  return {
    order: { hit: pairs.hit, found: pairs.of, of: pairs.of },
    located: { hit: placed.length, found: long.length, of: long.length }
  }
}
