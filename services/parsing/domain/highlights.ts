/** Which sentences of a paper say its problem, its solution and its results, by keyword. */
import type { Document, Highlight, Section } from '../../../shared/contracts/document.ts'
import { splitSentences } from '../../../shared/text/sentences.ts'
import { highlightKeywords, type HighlightKind, type Keyword } from './highlight-keywords.ts'

/** Per list. Ten sentences are about 300 words: a fifth of the paper's 1,500-word content. */
export const highlightsMax = 10

/** Shorter ones are headings and labels, longer ones are tables that lost their form. */
const wordsMin = 6
const wordsMax = 80

type SectionKind = Section['kind'] | 'abstract'

/** How much a place is worth for each list; 0.5 where none is named, 0 = not searched. */
const places: Record<HighlightKind, Partial<Record<SectionKind, number>>> = {
  problem: { abstract: 1, introduction: 0.9, 'related-work': 0.6, limitations: 0.6, results: 0.3, methods: 0.3 },
  solution: { abstract: 1, introduction: 0.9, conclusion: 0.7, methods: 0.6, results: 0.3 },
  results: { abstract: 1, results: 0.8, conclusion: 0.9, discussion: 0.7, methods: 0.2, introduction: 0.5 }
}
const notSearched = new Set<SectionKind>(['references', 'acknowledgements', 'appendix'])

/** A keyword so soon after one of these says the opposite: "did not improve", "without a lack of". */
const negations = new Set(['not', 'no', 'never', 'without', 'cannot', 'neither', 'nor', "n't"])
const negationReach = 3

const ownWork = new Set(['we', 'our', 'us'])
const citation = /\bet al\b|\[\d[\d,;–\s-]{0,30}\]|\(\p{Lu}[^()]{0,80}\d{4}[a-z]?\)/u
const othersWork = /\b(?:previous|prior|earlier|existing|other|recent)(?:ly)? (?:proposed |published |reported )?(?:works?|stud(?:y|ies)|authors|research|reports|methods|approaches)\b/iu

interface Place { sectionId: string | null, paragraphId: string | null, kind: SectionKind, text: string }

interface Found extends Highlight { order: number }

/**
 * Scores every sentence of the abstract and the body (references, acknowledgements and appendices
 * apart) for each list: the weight of its plainest keyword, plus a quarter for each further one,
 * times the worth of its place; a quarter more where the authors speak of their own work ("we");
 * half where others' work is spoken of, a third where the keyword is negated. The best
 * `highlightsMax` are kept, best first, equal scores in the order of the paper; a sentence that
 * the paper repeats counts once. A sentence may stand in several lists.
 */
export function findHighlights (
  sections: readonly Section[], abstract: Document['abstract']
): Document['highlights'] {
  const sentences = placesOf(sections, abstract)
    .flatMap(place => splitSentences(place.text).map(({ text }) => ({ ...place, text })))
    .map(place => ({ ...place, words: wordsOf(place.text) }))
    .filter(({ words }) => words.length >= wordsMin && words.length <= wordsMax)
  const list = (kind: HighlightKind) => best(sentences.flatMap((sentence, order) => {
    const found = scored(sentence, kind)
    return found === undefined ? [] : [{ ...found, order }]
  }))
  return { problem: list('problem'), solution: list('solution'), results: list('results') }
}

function placesOf (sections: readonly Section[], abstract: Document['abstract']): Place[] {
  const first: Place[] = abstract === null
    ? []
    : [{ sectionId: null, paragraphId: null, kind: 'abstract', text: abstract.text }]
  return first.concat(sections.filter(({ kind }) => !notSearched.has(kind)).flatMap(section =>
    section.paragraphs.map(({ id, text }) =>
      ({ sectionId: section.id, paragraphId: id, kind: section.kind, text }))))
}

function wordsOf (text: string): string[] {
  return text.toLowerCase().replaceAll('’', "'").replaceAll("n't", " n't").match(/[\p{L}\p{N}']+/gu) ?? []
}

function scored (sentence: Place & { words: string[] }, kind: HighlightKind): Highlight | undefined {
  const { sectionId, paragraphId, text, words } = sentence
  const hits = words.flatMap((word, at) => {
    const keyword = formsOf[kind].get(word)
    if (keyword === undefined) return []
    return [{ keyword, weight: keyword.weight * (isNegated(words, at) ? 1 / 3 : 1) }]
  })
  const plainest = hits.reduce<typeof hits[number] | undefined>(
    (a, b) => a === undefined || b.weight > a.weight ? b : a, undefined)
  if (plainest === undefined) return undefined
  const different = new Set(hits.map(({ keyword }) => keyword.keyword)).size
  const own = kind !== 'problem' && words.some(word => ownWork.has(word)) ? 1.25 : 1
  const others = kind !== 'problem' && isOfOthers(text) ? 0.5 : 1
  const place = places[kind][sentence.kind] ?? 0.5
  const score = (plainest.weight + 0.25 * (different - 1)) * own * others * place
  const { keyword } = plainest.keyword
  return { text, sectionId, paragraphId, keyword, score: Math.round(score * 1_000) / 1_000 }
}

function isOfOthers (text: string): boolean {
  return citation.test(text) || othersWork.test(text)
}

function isNegated (words: readonly string[], at: number): boolean {
  return words.slice(Math.max(0, at - negationReach), at).some(word => negations.has(word))
}

function best (found: Found[]): Highlight[] {
  const seen = new Set<string>()
  return found
    .filter(({ text }) => {
      const key = wordsOf(text).join(' ')
      return !seen.has(key) && seen.add(key)
    })
    .sort((a, b) => b.score - a.score || a.order - b.order)
    .slice(0, highlightsMax)
    .map(({ order: _, ...highlight }) => highlight)
}

const formsOf = Object.fromEntries(Object.entries(highlightKeywords).map(([kind, keywords]) =>
  [kind, new Map(keywords.flatMap(keyword => keyword.forms.map(form => [form, keyword])))]
)) as Record<HighlightKind, Map<string, Keyword>>
