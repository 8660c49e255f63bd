/** Descriptive answers from a paper's own sentences. */
import type { Document, Section } from '../../../shared/contracts/document.ts'
import { centralityOf } from '../../../shared/text/central.ts'
import { nearDuplicates } from '../../../shared/text/similarity.ts'
import type { PlacedSentence, SourceText } from './source-text.ts'

export const abstractAnswerCharsMax = 500
export const sectionAnswerCharsMax = 800
const sectionSentencesMax = 4
const sectionSentencesMin = 5

/** An answer and the sentences it is made of, or why there is none. */
export type Answer = { text: string, sentences: PlacedSentence[] } | { fault: string, detail: string }

export type Aspect = 'problem' | 'solution' | 'results'

const meta = /\bthis (?:section|subsection|chapter|figure|table)\b|\b(?:the (?:rest|remainder) of (?:this|the) paper|is organi[sz]ed as follows|we (?:describe|discuss|present) in section|the point is|the main takeaway)\b/iu
const hedge = /\b(?:may|might|could|likely|unlikely|probably|possibly|perhaps|seems?|appears? to|would be)\b/iu
const dangling = /^(?:It|They|These|This|Those|He|She|Such|Here|There(?:fore|by)|Thus|Hence|However|But|And|Also|The (?:former|latter|second|third|other)|On the other hand|In contrast|Both|Then|As mentioned|As described|For (?:example|instance)|Similarly|Moreover|Furthermore|In addition|Additionally|Conversely|Instead|Consequently|Accordingly|Nevertheless|Nonetheless|Another|Second(?:ly)?|Third(?:ly)?|Finally)\b/u
const broken = /[\uFFFD\uE000-\uF8FF\u{1D400}-\u{1D7FF}\u2200-\u22FF]|[{}|\\^]|\s\p{L}\s\p{L}\s\p{L}\s|\p{Ll}\p{Lu}\p{Ll}{3,}|\S{41,}|https?:|\p{L}- \p{L}/u

const boilerplate = /\b(?:copyright|creative commons|licen[sc]ed?|doi|www\.|sponsors?|funders?|competing interests?|correspondence|e-mail|received|all rights reserved|supplementary|availability|grateful|thank)\b|©|@/iu
/** It points at something else instead of saying what is there. */
const pointer = /^(?:Figs?\.?|Figures?|Tables?) ?\d+[^.]{0,12} (?:shows?|presents?|refers?|lists?|gives?|summari[sz]es?|displays?|illustrates?|depicts?|provides?)(?! that\b)|\b(?:is|are|was|were) (?:\p{Ll}+ )?(?:shown|presented|listed|given|summari[sz]ed|displayed|illustrated|depicted|described|plotted) (?:in|as|by) (?:the )?(?:Figs?|Figures?|Tables?|Sections?|Appendix|Eqs?|Equations?|following|next|previous)/iu
/** A word or a run of words set twice: the trace of two text layers. */
const doubled = /(?<!\p{L})(\p{L}{3,20}(?: \p{L}{2,20}){0,3}) \1(?!\p{L})/u

/** Why a sentence cannot be part of an answer, or undefined; `first` has no sentence before it. */
export function answerFault (text: string, first = true): string | undefined {
  if (!/[.。!]["”’)]?$|\[\d[^\]]{0,20}\]\.?$/u.test(text)) return 'not-a-sentence'
  // A Hangul syllable says as much as two or three letters.
  if (text.length < (/[\uAC00-\uD7A3]/u.test(text) ? 12 : 30)) return 'too-short'
  if (!/^["“(]?[\p{Lu}\p{Lo}\d]/u.test(text)) return 'not-a-sentence'
  if (broken.test(text) || text.replaceAll(/[^\p{L}\s]/gu, '').length / text.length < 0.75) return 'broken-text'
  if (boilerplate.test(text)) return 'boilerplate'
  if (doubled.test(text)) return 'broken-text'
  if (pointer.test(text)) return 'points-elsewhere'
  if (meta.test(text)) return 'meta'
  if (hedge.test(text)) return 'hedged'
  return first && dangling.test(text) ? 'dangling-reference' : undefined
}

/** The abstract's sentences first; a highlight serves the question it scores highest for. */
export function abstractAnswer (aspect: Aspect, source: SourceText): Answer {
  const best = new Map<string, { aspect: Aspect, score: number }>()
  for (const each of ['problem', 'solution', 'results'] as const) {
    for (const { text, score } of source.document.highlights[each]) {
      const known = best.get(text)
      if (known === undefined || score > known.score) best.set(text, { aspect: each, score })
    }
  }
  const wanted = highlightsOf(source.document, aspect).filter(({ text }) => best.get(text)?.aspect === aspect)
  const located = wanted.flatMap(({ text }) =>
    source.sentences.find(sentence => sentence.text === text) ?? [])
  const fit = located.filter(({ text }) => answerFault(text) === undefined)
  if (fit.length === 0) return { fault: 'no-highlight', detail: `No sentence states the ${aspect} plainly enough.` }
  return fitting(fit, abstractAnswerCharsMax, 3)
}

/** Where else than in the abstract a paper says so plainly. */
const tellingKinds: Record<Aspect, readonly string[]> = {
  problem: ['introduction'], solution: ['introduction', 'conclusion'], results: ['conclusion']
}

/** Of the abstract, best first, then of the sections that may tell. */
function highlightsOf ({ highlights, sections }: Document, aspect: Aspect) {
  const telling = new Set(sections
    .filter(({ kind }) => tellingKinds[aspect].includes(kind)).map(({ id }) => id))
  const ranked = highlights[aspect].map((highlight, index) => ({ ...highlight, index }))
    .filter(({ sectionId }) => sectionId === null || telling.has(sectionId))
  return ranked.sort((a, b) =>
    Number(a.sectionId !== null) - Number(b.sectionId !== null) || b.score - a.score || a.index - b.index)
}

/** The section's most central sentences, in their order. */
export function sectionAnswer (section: Section, source: SourceText): Answer {
  const all = source.sentences.filter(({ passage }) =>
    passage.target.type === 'paragraph' && passage.sectionId === section.id)
  const fit = all.filter(({ text }) => answerFault(text) === undefined)
  if (fit.length < sectionSentencesMin) {
    return { fault: 'section-too-short', detail: `${fit.length} sentences can stand alone; ${sectionSentencesMin} are needed.` }
  }
  const weights = centralityOf(all.map(({ text }) => text))
  const weightOf = new Map(all.map((sentence, i) => [sentence, weights[i] ?? 0]))
  const ranked = [...fit].sort((a, b) => (weightOf.get(b) ?? 0) - (weightOf.get(a) ?? 0))
  return fitting(ranked, sectionAnswerCharsMax, sectionSentencesMax)
}

/** As many of the best sentences as fit, near-duplicates left out, in the order of the paper. */
function fitting (ranked: readonly PlacedSentence[], charsMax: number, countMax: number): Answer {
  const chosen: PlacedSentence[] = []
  let length = -1
  for (const sentence of ranked) {
    const added = sentence.text.length + 1
    if (chosen.length === countMax || length + added > charsMax) continue
    if (chosen.some(({ text }) => nearDuplicates(text, sentence.text))) continue
    chosen.push(sentence)
    length += added
  }
  if (chosen.length === 0) return { fault: 'too-long', detail: `No sentence has at most ${charsMax} characters.` }
  const sentences = chosen.sort((a, b) => a.passage.index - b.passage.index || a.start - b.start)
  return { sentences, text: sentences.map(({ text }) => withoutCitations(text)).join(' ') }
}

/** Whom a sentence cites is no part of an answer; the evidence keeps it. */
function withoutCitations (text: string): string {
  return text.replaceAll(/\s+/gu, ' ')
    .replaceAll(/(?<=\p{L}\p{L}[)%]?),?\s?\[\d{1,4}(?:\s?[,–-]\s?\d{1,4}){0,10}\]/gu, '')
    .replaceAll(/\s?\([^()]{0,80}et al\.?[^()]{0,200}\)/gu, '')
}
