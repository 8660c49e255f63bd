/** Descriptive answers from a paper's own sentences. */
import type { Document, Section } from '../../../shared/contracts/document.ts'
import { centralityOf } from '../../../shared/text/central.ts'
import type { PlacedSentence } from '../../../shared/text/said-sentences.ts'
import { nearDuplicates } from '../../../shared/text/similarity.ts'
import { aspectsOf, cueScore, type Aspect } from './abstract-parts.ts'
import { answerFault, leansBack } from './answer-rules.ts'
import type { SourceText } from './source-text.ts'

export const abstractAnswerCharsMax = 500
export const sectionAnswerCharsMax = 800
const sectionSentencesMax = 4
const sectionSentencesMin = 5
const standingAloneMin = 3

/** An answer and the sentences it is made of, or why there is none. */
export type Answer = { text: string, sentences: PlacedSentence[] } | { fault: string, detail: string }

/**
 * What the abstract itself says to the question; where it says nothing, a highlight of the
 * introduction or the conclusion whose words say so plainly.
 */
export function abstractAnswer (aspect: Aspect, source: SourceText): Answer {
  const own = source.sentences.filter(({ passage }) => passage.target.type === 'abstract')
  const aspects = aspectsOf(own.map(({ text }) => text))
  const telling = own.filter((_, i) => aspects[i] === aspect)
  const frame = { charsMax: abstractAnswerCharsMax, countMax: 3, all: source.sentences }
  const answer = fitting(ranked(telling, aspect), frame)
  if (!('fault' in answer)) return answer
  const located = highlightsOf(source.document, aspect).flatMap(text =>
    source.sentences.find(sentence => sentence.text === text) ?? [])
  const plain = located.filter(({ text }) => cueScore(text, aspect) >= plainCueMin)
  const elsewhere = fitting(plain, frame)
  return 'fault' in elsewhere
    ? { fault: 'no-highlight', detail: `No sentence states the ${aspect} plainly enough.` }
    : elsewhere
}

/** Less is background rather than a statement. */
const statedMin = 2

/** Two strong words. */
const plainCueMin = 4

/** What speaks most for the aspect first; without any cue a sentence is not its statement. */
function ranked (sentences: readonly PlacedSentence[], aspect: Aspect): PlacedSentence[] {
  const scored = sentences.map((sentence, index) =>
    ({ sentence, index, score: cueScore(sentence.text, aspect) }))
  const stated = scored.filter(({ sentence: { text } }) => answerFault(text, false) === undefined)
    .reduce((sum, { score }) => sum + score, 0)
  if (stated < statedMin) return []
  return scored.filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || a.index - b.index)
    .map(({ sentence }) => sentence)
}

/** Where else than in the abstract a paper says so plainly. */
const tellingKinds: Record<Aspect, readonly string[]> = {
  problem: ['introduction'], solution: ['introduction', 'conclusion'], results: ['conclusion']
}

/** Highlights of the sections that may tell, best first. */
function highlightsOf ({ highlights, sections }: Document, aspect: Aspect): string[] {
  const telling = new Set(sections
    .filter(({ kind }) => tellingKinds[aspect].includes(kind)).map(({ id }) => id))
  return highlights[aspect].map((highlight, index) => ({ ...highlight, index }))
    .filter(({ sectionId }) => sectionId !== null && telling.has(sectionId))
    .sort((a, b) => b.score - a.score || a.index - b.index)
    .map(({ text }) => text)
}

/** The section's most central sentences, in their order. */
export function sectionAnswer (section: Section, source: SourceText): Answer {
  const all = source.sentences.filter(({ passage }) =>
    passage.target.type === 'paragraph' && passage.sectionId === section.id)
  const fit = all.filter(({ text }) => answerFault(text) === undefined)
  if (all.length < sectionSentencesMin || fit.length < standingAloneMin) {
    return { fault: 'section-too-short', detail: `${fit.length} of ${all.length} sentences can stand alone; ${standingAloneMin} of ${sectionSentencesMin} are needed.` }
  }
  const weights = centralityOf(all.map(({ text }) => text))
  const weightOf = new Map(all.map((sentence, i) => [sentence, weights[i] ?? 0]))
  const ranked = [...all].sort((a, b) => (weightOf.get(b) ?? 0) - (weightOf.get(a) ?? 0))
  const frame = { charsMax: sectionAnswerCharsMax, countMax: sectionSentencesMax }
  return fitting(ranked, { ...frame, all: source.sentences })
}

interface Frame { charsMax: number, countMax: number, all: readonly PlacedSentence[] }

/**
 * As many of the best sentences as fit, near-duplicates left out, in the order of the paper. One
 * that leans on its predecessor comes in only beside it.
 */
function fitting (ranked: readonly PlacedSentence[], { charsMax, countMax, all }: Frame): Answer {
  const chosen: PlacedSentence[] = []
  let length = -1
  const take = (sentence: PlacedSentence) => {
    const added = sentence.text.length + 1
    if (chosen.length === countMax || length + added > charsMax || chosen.includes(sentence)) return
    if (chosen.some(({ text }) => nearDuplicates(text, sentence.text))) return
    chosen.push(sentence)
    length += added
  }
  const fit = ranked.filter(({ text }) => answerFault(text, false) === undefined)
  for (const sentence of fit.filter(({ text }) => !leansBack(text))) take(sentence)
  for (const sentence of fit.filter(({ text }) => leansBack(text))) {
    const before = all[all.indexOf(sentence) - 1]
    if (before !== undefined && before.passage === sentence.passage && chosen.includes(before)) take(sentence)
  }
  if (chosen.length === 0) return { fault: 'no-fit-sentence', detail: `No sentence that stands alone has at most ${charsMax} characters.` }
  const sentences = chosen.sort((a, b) => a.passage.index - b.passage.index || a.start - b.start)
  return { sentences, text: sentences.map(({ text }) => withoutReferences(text)).join(' ') }
}

const label = /^(?:Backgrounds?|Objectives?|Purpose|Aims?|Introduction|Context|Motivation|Methods?|Methodology|Materials and methods|Design|Results?|Findings?|Conclusions?)(?:\s?:|(?= \p{Lu})) (?=\p{Lu})/u

/** Citations, figures named in brackets and labels are no part of an answer; the evidence keeps them. */
function withoutReferences (text: string): string {
  return text.replaceAll(/\s+/gu, ' ')
    .replace(label, '')
    .replaceAll(/(?<=\p{L}\p{L}[)%]?),?\s?\[\d{1,4}(?:\s?[,–-]\s?\d{1,4}){0,10}\]/gu, '')
    .replaceAll(/\s?\([^()]{0,80}et al\.?[^()]{0,200}\)/gu, '')
    .replaceAll(/\s?\((?:see |see also )?(?:Figs?\.?|Figures?|Tables?|Additional files?)\s?[^()]{1,200}\)/gu, '')
    .replace(/(?<=\p{Ll}{2}\)?)\.\d{1,3}(?:[,–-]\d{1,3}){0,6}$/u, '.')
    .replaceAll(/(?<=\p{Ll}{3})\d{1,2}(?:[,–]\d{1,2}){0,4}(?=[.,;]|$)/gu, '')
}
