/** Which sentences of a paper say its problem, its solution and its results, by keyword. */
import type { Document, Highlight, Section } from '../../../shared/contracts/document.ts'
import { splitSentences } from '../../../shared/text/sentences.ts'
import { abstractLabels, highlightKeywords, type HighlightKind, type Keyword } from './highlight-keywords.ts'

/** Per list. Ten sentences are about 300 words: a fifth of the paper's 1,500-word content. */
export const highlightsMax = 10

/** Shorter ones are headings and labels, longer ones are tables that lost their form. */
const wordsMin = 6
const wordsMax = 80

type SectionKind = Section['kind'] | 'abstract'

/** How much a place is worth for each list; 0.4 where none is named. */
const places: Record<HighlightKind, Partial<Record<SectionKind, number>>> = {
  problem: {
    abstract: 1, introduction: 0.8, 'related-work': 0.5, limitations: 0.5, results: 0.2, methods: 0.2
  },
  solution: { abstract: 1, introduction: 0.8, conclusion: 0.6, methods: 0.5, results: 0.2 },
  results: { abstract: 1, results: 0.6, conclusion: 0.8, discussion: 0.5, methods: 0.2, introduction: 0.4 }
}
const notSearched = new Set<SectionKind>(['references', 'acknowledgements', 'appendix'])

/** A keyword so soon after one of these says the opposite: "did not improve", "without a lack of". */
const negations = new Set(['not', 'no', 'never', 'without', 'cannot', 'neither', 'nor', "n't"])
const negationReach = 3

/** A keyword so soon after one of these is about the paper itself: "we propose", "this paper presents". */
const ownWork = new Set(['we', 'our', 'paper', 'study', 'work', 'here'])
const ownReach = 3

/** What stands where in the paper says nothing of its matter. */
const roadmap = /\b(?:Sect(?:ion|\.)s?|Appendi(?:x|ces)) \S{0,3}\d|\b(?:rest|remainder) of (?:this|the) (?:paper|article)\b/u

const citation = /\bet al\b|\[\d[\d,;–\s-]{0,30}\]|\(\p{Lu}[^()]{0,80}\d{4}[a-z]?\)/u
const othersWork = /\b(?:previous|prior|earlier|existing|other|recent)(?:ly)? (?:proposed |published |reported )?(?:works?|stud(?:y|ies)|authors|research|reports|methods|approaches)\b/iu

interface Place {
  sectionId: string | null
  paragraphId: string | null
  kind: SectionKind
  text: string
  /** The list that the label of a structured abstract's part speaks for. */
  labelled?: HighlightKind | undefined
}

interface Found extends Highlight { order: number }

/**
 * Scores every sentence of the abstract and the body (references, acknowledgements and appendices
 * apart) for each list: the weight of its plainest keyword, plus a quarter for each further one,
 * times the worth of its place; half more where the authors speak of their own work ("we show");
 * half where others' work is spoken of, a third where the keyword is negated or the sentence only
 * tells what stands where. In a structured abstract the label ("Results:") decides the list. The
 * best `highlightsMax` are kept, best first, equal scores in the order of the paper; a sentence
 * that the paper repeats counts once. A sentence may stand in several lists.
 */
export function findHighlights (
  sections: readonly Section[], abstract: Document['abstract']
): Document['highlights'] {
  const sentences = placesOf(sections, abstract)
    .flatMap(sentencesOf)
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
    const keyword = formsOf[kind].get(word) ?? formsOf[kind].get(`${words[at - 1] ?? ''} ${word}`)
    if (keyword === undefined) return []
    const own = kind !== 'problem' && isOwn(words, at) ? 1.5 : 1
    return [{ keyword, weight: keyword.weight * own * (isNegated(words, at) ? 1 / 3 : 1) }]
  })
  // A labelled part of the abstract says by itself what it is about.
  if (sentence.labelled === kind) hits.push({ keyword: labelKeyword, weight: 3 })
  const plainest = hits.reduce<typeof hits[number] | undefined>(
    (a, b) => a === undefined || b.weight > a.weight ? b : a, undefined)
  if (plainest === undefined || (sentence.labelled ?? kind) !== kind) return undefined
  const different = new Set(hits.map(({ keyword }) => keyword.keyword)).size
  const others = kind !== 'problem' && isOfOthers(text) ? 0.5 : 1
  const place = places[kind][sentence.kind] ?? 0.4
  const score = (plainest.weight + 0.25 * (different - 1)) * others * place * (roadmap.test(text) ? 1 / 3 : 1)
  const { keyword } = plainest.keyword
  return { text, sectionId, paragraphId, keyword, score: Math.round(score * 1_000) / 1_000 }
}

/** Of the abstract with the label it stands under; a label alone is no sentence. */
function sentencesOf (place: Place): Place[] {
  const sentences = splitSentences(place.text).map(({ text }) => ({ ...place, text }))
  if (place.kind !== 'abstract') return sentences
  let labelled: HighlightKind | undefined
  return sentences.map(sentence => {
    const label = /^(\p{L}[\p{L} ]{2,24})[.:]/u.exec(sentence.text)?.[1]?.toLowerCase() ?? ''
    labelled = abstractLabels.get(label) ?? labelled
    return { ...sentence, labelled }
  })
}

function isOwn (words: readonly string[], at: number): boolean {
  return words.slice(Math.max(0, at - ownReach), at + 1).some(word => ownWork.has(word))
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

const labelKeyword: Keyword = { keyword: 'label', weight: 3, forms: [] }

const formsOf = Object.fromEntries(Object.entries(highlightKeywords).map(([kind, keywords]) =>
  [kind, new Map(keywords.flatMap(keyword => keyword.forms.map(form => [form, keyword])))]
)) as Record<HighlightKind, Map<string, Keyword>>
