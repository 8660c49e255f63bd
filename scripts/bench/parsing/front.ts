/** Title, authors, abstract and where the text begins. */
import type { Document } from '../../../shared/contracts/document.ts'
import type { Truth } from './corpus.ts'
import { sameTitle } from './headings.ts'
import { yes, type Count, type Counts } from './measures.ts'
import { bare, countsOf, similarity, tokensOf } from './text.ts'

export function scoreFront (
  document: Document, truth: Truth, misses: string[]
): Pick<Counts, 'title' | 'abstract' | 'first' | 'abstractTokens' | 'authors'> {
  return {
    title: scoreTitle(document, truth, misses),
    abstract: scoreAbstract(document, truth, misses),
    abstractTokens: scoreAbstractTokens(document, truth),
    first: scoreFirst(document, truth, misses),
    authors: scoreAuthors(document, truth, misses)
  }
}

function scoreTitle ({ title }: Document, truth: Truth, misses: string[]): Count | null {
  if (truth.title === undefined) return null
  const right = similarity(bare(title), bare(truth.title)) >= 0.97
  if (!right) misses.push(`title: ${title.slice(0, 90)}`)
  return yes(right)
}

const strayMax = 40
const edge = 25

/** First and last 25 letters are in, and fewer than 40 stray ones around them. */
function scoreAbstract ({ abstract }: Document, truth: Truth, misses: string[]): Count | null {
  const first = bare(truth.abstract_first_words ?? truth.abstract ?? '').slice(0, edge)
  const last = bare(truth.abstract_last_words ?? truth.abstract ?? '').slice(-edge)
  if (first === '') return null
  const text = bare(abstract?.text ?? '')
  const from = text.indexOf(first)
  const to = text.lastIndexOf(last)
  const right = from !== -1 && to !== -1 && from < strayMax && text.length - to - last.length < strayMax
  if (!right) misses.push(`abstract: first at ${from}, last at ${to} of ${text.length}: ${abstract?.text.slice(0, 60)} ... ${abstract?.text.slice(-60)}`)
  return yes(right)
}

/** Labels of a structured abstract may be there or not. */
function scoreAbstractTokens ({ abstract }: Document, truth: Truth): Count | null {
  if (truth.abstract === undefined || truth.abstract === '') return null
  const labels = new Set(tokensOf([...truth.abstract_labels ?? [], ...abstract?.parts?.map(({ label }) => label) ?? []].join(' ')))
  const want = countsOf(tokensOf(truth.abstract))
  const got = countsOf(tokensOf(abstract?.text ?? ''))
  const count = { hit: 0, found: 0, of: 0 }
  for (const [word, times] of want) {
    count.of += times
    count.hit += Math.min(times, got.get(word) ?? 0)
  }
  for (const [word, times] of got) {
    count.found += labels.has(word) ? Math.min(times, want.get(word) ?? 0) : times
  }
  return count
}

function scoreFirst ({ sections }: Document, truth: Truth, misses: string[]): Count | null {
  if (truth.section_headings === undefined) return null
  const want = truth.section_headings.find(({ back }) => back !== true)
  const got = sections.find(({ title }) => title !== '')
  if (want === undefined) {
    const right = sections[0]?.title === '' && sections[0].paragraphs.length > 0
    if (!right) misses.push(`first section: expected an untitled one, got ${got?.title}`)
    return yes(right)
  }
  const text = sections.slice(0, 3).some(({ paragraphs }) => paragraphs.length > 0)
  const right = got !== undefined && sameTitle(got.title, want.title) && text &&
    (want.page === undefined || want.page === got.page)
  if (!right) misses.push(`first section: expected ${want.title}, got ${got?.title}`)
  return yes(right)
}

/** By surname. */
function scoreAuthors ({ authors }: Document, truth: Truth, misses: string[]): Count | null {
  if (truth.authors === undefined || truth.authors.length === 0) return null
  const left = authors.map(({ name }) => surname(name))
  let hit = 0
  for (const name of truth.authors.map(surname)) {
    const at = left.indexOf(name)
    if (at === -1) continue
    left.splice(at, 1)
    hit++
  }
  if (hit < truth.authors.length || left.length > 0) {
    misses.push(`authors: ${hit} of ${truth.authors.length}, ${left.length} wrong: ${authors.map(({ name }) => name).join('; ').slice(0, 160)}`)
  }
  return { hit, found: authors.length, of: truth.authors.length }
}

function surname (name: string): string {
  return bare(name.trim().split(/\s+/u).at(-1) ?? name)
}
