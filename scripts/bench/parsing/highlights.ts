/** Highlights against what structured abstracts and sections call their passages. */
import type { Document, Highlight } from '../../../shared/contracts/document.ts'
import { splitSentences } from '../../../shared/text/sentences.ts'
import { keywordFiles, keywordFinder } from '../../../services/parsing/domain/highlight-keywords.ts'
import { findHighlights } from '../../../services/parsing/domain/highlights.ts'
import type { XmlTruth } from './jats.ts'
import { kindOfTitle, type ListKind } from './kinds.ts'
import type { Count, Counts } from './measures.ts'
import { bare } from './text.ts'

type HighlightMeasure = 'abstractHighlights' | 'abstractKeywords' |
  'sectionHighlights' | 'sectionKeywords' | 'sentenceHighlights' | 'sentenceKeywords'

const lists: readonly ListKind[] = ['problem', 'solution', 'results']

const unknown: Record<HighlightMeasure, null> = {
  abstractHighlights: null,
  abstractKeywords: null,
  sectionHighlights: null,
  sectionKeywords: null,
  sentenceHighlights: null,
  sentenceKeywords: null
}

interface Claim { list: ListKind, text: string }

/**
 * Three views, each beside the plain baseline (every sentence with a keyword of a list is a
 * highlight of that list):
 * - abstract: pairs of sentence and list in structured abstracts. The labels are the truth, so they
 *   are taken away before highlights are looked for.
 * - sections: pairs of list and top section. True are those whose heading speaks for the list
 *   (Introduction: problem, Methods: solution, Results, Conclusions: results).
 * - sentences: share of the highlights in such sections that stand under their own list's heading.
 */
export function scoreHighlights (document: Document, xml: XmlTruth | null): Pick<Counts, HighlightMeasure> {
  if (xml === null) return unknown
  const text = (xml.abstract ?? []).map(part => part.text).join(' ')
  const blind = text === '' ? null : { text, page: 1 }
  const found = claimsOf(findHighlights(document.sections, blind), highlight => highlight.sectionId === null)
  const inBody = claimsOf(document.highlights, highlight => highlight.sectionId !== null)
  const body = document.sections
    .filter(({ kind }) => !['references', 'acknowledgements', 'appendix'].includes(kind))
    .flatMap(({ paragraphs }) => paragraphs.flatMap(paragraph => sentencesOf(paragraph.text)))
  const plain = plainKeywords(body)
  const [sections, keywords] = [scoreSections(inBody, xml), scoreSections(plain, xml)]
  return {
    abstractHighlights: scoreAbstract(found, xml),
    abstractKeywords: scoreAbstract(plainKeywords(sentencesOf(text)), xml),
    sectionHighlights: sections?.pairs ?? null,
    sectionKeywords: keywords?.pairs ?? null,
    sentenceHighlights: sections?.sentences ?? null,
    sentenceKeywords: keywords?.sentences ?? null
  }
}

function sentencesOf (text: string): string[] {
  return splitSentences(text).map(sentence => sentence.text)
}

function claimsOf (highlights: Document['highlights'], chosen: (highlight: Highlight) => boolean): Claim[] {
  return lists.flatMap(list => highlights[list].filter(chosen).map(({ text }) => ({ list, text })))
}

/** Any sentence with any form of any keyword. */
function plainKeywords (sentences: readonly string[]): Claim[] {
  return lists.flatMap(list => {
    const find = keywordFinder(keywordFiles, list)
    return sentences.filter(text => find(wordsOf(text)).length > 0).map(text => ({ list, text }))
  })
}

function wordsOf (text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}']+/gu) ?? []
}

function scoreAbstract (claims: readonly Claim[], { abstract }: XmlTruth): Count | null {
  const parts = (abstract ?? []).flatMap(({ label, text }) => ({ kind: kindOfTitle(label), text }))
  if (parts.every(({ kind }) => kind === null)) return null
  const want = parts.flatMap(({ kind, text }) =>
    sentencesOf(text).map(sentence => ({ kind, key: bare(sentence) })))
  const truths = want.filter(({ kind }) => kind !== null)
  // A sentence under a label that speaks for no list is neither right nor wrong.
  const judged = claims.filter(({ text }) => want.find(({ key }) => key === bare(text))?.kind !== null)
  const hit = truths.filter(({ kind, key }) =>
    judged.some(({ list, text }) => list === kind && bare(text) === key)).length
  return { hit, found: judged.length, of: truths.length }
}

function scoreSections (claims: readonly Claim[], { paragraphs, sections }: XmlTruth) {
  const passages = paragraphs.map(({ text, section }) =>
    ({ text: bare(text), section: section === null ? undefined : sections[section] }))
  const truths = new Set(sections.flatMap(({ kind, back, top }, i) => kind === null || back || top !== i ? [] : [`${kind} ${top}`]))
  if (truths.size === 0) return null
  const pairs = new Set<string>()
  const sentences = { hit: 0, found: 0, of: 0 }
  for (const { list, text } of claims) {
    const section = passages.find(passage => passage.text.includes(bare(text)))?.section
    if (section === undefined || section.kind === null) continue
    pairs.add(`${list} ${section.top}`)
    sentences.found++
    sentences.of++
    if (section.kind === list) sentences.hit++
  }
  const hit = [...pairs].filter(pair => truths.has(pair)).length
  return { pairs: { hit, found: pairs.size, of: truths.size }, sentences }
}
