/** Which sentences of a paper say its problem, its solution and its results, by keyword. */
import type { Document, Highlight, Section } from '../../../shared/contracts/document.ts'
import { splitSentences } from '../../../shared/text/sentences.ts'
import { orderAbstract, type Evidence } from './abstract-order.ts'
import {
  highlightKinds, keywordFiles, keywordFinder, labelsOf, listOf, type Hit, type HighlightKind
} from './highlight-keywords.ts'

/** Per list. Ten sentences are about 300 words: a fifth of the paper's 1,500-word content. */
export const highlightsMax = 10

/** Shorter ones are headings and labels, longer ones are tables that lost their form. */
const wordsMin = 6
/** Korean says in four words what English says in six. */
const hangulWordsMin = 4
const wordsMax = 80

type SectionKind = Section['kind'] | 'abstract'
type Places = Partial<Record<SectionKind, number>>

/** How much a place is worth for each list, the abstract above all; `elsewhere` where none is named. */
const places: Record<HighlightKind, Places> = {
  problem: {
    abstract: 1.3, introduction: 0.9, 'related-work': 0.5, limitations: 0.5, results: 0.2, methods: 0.2
  },
  solution: {
    abstract: 1.3, methods: 0.8, introduction: 0.4, conclusion: 0.3, results: 0.2, discussion: 0.2
  },
  results: { abstract: 1.3, results: 0.8, conclusion: 0.9, discussion: 0.5, methods: 0.1, introduction: 0.2 }
}
const elsewhere = 0.4
/** The same where the authors announce it ("we propose"): introductions and conclusions do. */
const announced: Partial<Record<HighlightKind, Places>> = {
  solution: { ...places.solution, introduction: 0.8, conclusion: 0.6 },
  results: { ...places.results, introduction: 0.4 }
}
const notSearched = new Set<SectionKind>(['references', 'acknowledgements', 'appendix'])

const hangul = /[\uAC00-\uD7A3]/u

const negationReach = 3
const ownReach = 3

/** What stands where in the paper says nothing of its matter. */
const roadmap = /\b(?:Sect(?:ion|\.)s?|Appendi(?:x|ces)) \S{0,3}\d|\b(?:rest|remainder) of (?:this|the) (?:paper|article)\b/u

const citation = /\bet al\b|\[\d[\d,;–\s-]{0,30}\]|\(\p{Lu}[^()]{0,80}\d{4}[a-z]?\)/u
const othersWork = /\b(?:previous|prior|earlier|existing|other|recent)(?:ly)? (?:proposed |published |reported )?(?:works?|stud(?:y|ies)|authors|research|reports|methods|approaches)\b/iu

interface Sentence {
  sectionId: string | null
  paragraphId: string | null
  kind: SectionKind
  text: string
  words: string[]
  hits: Record<HighlightKind, Hit[]>
  /** In the abstract: the list it belongs to, and the label that says so, if one does. */
  list?: HighlightKind
  label?: string | undefined
}

type Found = Highlight & { order: number }

const finders = Object.fromEntries(highlightKinds.map(kind => [kind, keywordFinder(keywordFiles, kind)])) as
  Record<HighlightKind, ReturnType<typeof keywordFinder>>
const labels = labelsOf(keywordFiles)
const ownWork = listOf(keywordFiles, 'ownWork')
const negationsBefore = listOf(keywordFiles, 'negationsBefore')
const negationsAfter = [...listOf(keywordFiles, 'negationsAfter')]

/**
 * Scores every sentence of the abstract and the body (references, acknowledgements and appendices
 * apart) for each list: the weight of its plainest keyword, plus a quarter for each further one,
 * times the worth of its place; half more where the authors speak of their own work ("we show");
 * half where others' work is spoken of, a third where the keyword is negated or the sentence only
 * tells what stands where. A sentence of the abstract belongs to one list: the one its label says
 * ("Results:"), or the one that the order of the abstract gives it. The best `highlightsMax` are
 * kept, best first, equal scores in the order of the paper; a sentence that the paper repeats counts
 * once. A sentence of the body may stand in several lists.
 */
export function findHighlights (
  sections: readonly Section[], abstract: Document['abstract']
): Document['highlights'] {
  const body = sections.filter(({ kind }) => !notSearched.has(kind)).flatMap(section =>
    section.paragraphs.flatMap(({ id, text }) =>
      sentencesOf(text, { sectionId: section.id, paragraphId: id, kind: section.kind })))
  const sentences = (abstract === null ? [] : abstractSentences(abstract.text)).concat(body)
  const list = (kind: HighlightKind) => best(sentences.flatMap((sentence, order) => {
    const found = scored(sentence, kind)
    return found === undefined ? [] : [{ ...found, order }]
  }))
  return { problem: list('problem'), solution: list('solution'), results: list('results') }
}

function sentencesOf (text: string, place: Pick<Sentence, 'sectionId' | 'paragraphId' | 'kind'>): Sentence[] {
  return splitSentences(text).map(({ text }) => {
    const words = wordsOf(text)
    const find = (kind: HighlightKind) => isSentence(text, words) ? finders[kind](words) : []
    const hits = { problem: find('problem'), solution: find('solution'), results: find('results') }
    return { ...place, text, words, hits }
  })
}

function isSentence (text: string, words: readonly string[]): boolean {
  const least = hangul.test(text) ? hangulWordsMin : wordsMin
  return words.length >= least && words.length <= wordsMax
}

function wordsOf (text: string): string[] {
  return text.toLowerCase().replaceAll('’', "'").replaceAll("n't", " n't").match(/[\p{L}\p{N}']+/gu) ?? []
}

/** Each with the list it belongs to; a label alone is no sentence, but those after it are under it. */
function abstractSentences (text: string): Sentence[] {
  const sentences = sentencesOf(text, { sectionId: null, paragraphId: null, kind: 'abstract' })
  let label: string | undefined
  const labelled = sentences.map(sentence => {
    const own = /^(\p{L}[\p{L} ]{1,32})[.:]/u.exec(sentence.text)?.[1]?.toLowerCase() ?? ''
    if (labels.has(own)) label = own
    return { ...sentence, label }
  })
  if (label !== undefined) {
    return labelled.map(sentence =>
      sentence.label === undefined ? sentence : { ...sentence, list: labels.get(sentence.label)! })
  }
  const lists = orderAbstract(sentences.map(evidenceOf))
  return sentences.map((sentence, i) => ({ ...sentence, list: lists[i]! }))
}

function evidenceOf (sentence: Sentence): Evidence {
  const of = (kind: HighlightKind) => strengthOf(sentence, kind)?.strength ?? 0
  return { problem: of('problem'), solution: of('solution'), results: of('results') }
}

interface Strength { keyword: string, strength: number, isAnnounced: boolean }

/** Of the keywords alone; undefined without one. */
function strengthOf (sentence: Sentence, kind: HighlightKind): Strength | undefined {
  const { words, hits, list, label } = sentence
  const found = hits[kind].map(({ keyword, at }) => {
    const own = kind !== 'problem' && isOwn(words, at)
    const weight = keyword.weight * (own ? 1.5 : 1) * (isNegated(words, at) ? 1 / 3 : 1)
    return { keyword: keyword.keyword, weight, own }
  })
  // A label says by itself what its part is about.
  if (list === kind && label !== undefined && isSentence(sentence.text, words)) {
    found.push({ keyword: label, weight: 3, own: false })
  }
  const plainest = found.reduce<typeof found[number] | undefined>(
    (a, b) => a === undefined || b.weight > a.weight ? b : a, undefined)
  if (plainest === undefined) return undefined
  const different = new Set(found.map(({ keyword }) => keyword)).size
  const strength = plainest.weight + 0.25 * (different - 1)
  return { keyword: plainest.keyword, strength, isAnnounced: plainest.own }
}

function scored (sentence: Sentence, kind: HighlightKind): Highlight | undefined {
  const { sectionId, paragraphId, text, list } = sentence
  const found = strengthOf(sentence, kind)
  if (found === undefined || (list ?? kind) !== kind) return undefined
  const others = kind !== 'problem' && isOfOthers(text) ? 0.5 : 1
  const worth = found.isAnnounced ? announced[kind] ?? places[kind] : places[kind]
  const place = worth[sentence.kind] ?? elsewhere
  const score = found.strength * others * place * (roadmap.test(text) ? 1 / 3 : 1)
  return { text, sectionId, paragraphId, keyword: found.keyword, score: Math.round(score * 1_000) / 1_000 }
}

function isOwn (words: readonly string[], at: number): boolean {
  // Korean ends with its verb: "본 논문에서는 … 제안한다".
  const reach = hangul.test(words[at] ?? '') ? at : ownReach
  return words.slice(Math.max(0, at - reach), at + 1).some(word => ownWork.has(word))
}

function isOfOthers (text: string): boolean {
  return citation.test(text) || othersWork.test(text)
}

function isNegated (words: readonly string[], at: number): boolean {
  return words.slice(Math.max(0, at - negationReach), at).some(word => negationsBefore.has(word)) ||
    words.slice(at, at + 2).some(word => negationsAfter.some(stem => word.startsWith(stem)))
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
