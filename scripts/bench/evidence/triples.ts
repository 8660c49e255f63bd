/** Questions with their answers and the quotes that support them, and quotes that are true and do not. */
import type { Document } from '../../../shared/contracts/document.ts'
import type { Recipe } from '../../../shared/contracts/generation.ts'
import { groundworkOf, itemsFor } from '../../../services/generation/domain/extractive.ts'
import { planOf } from '../../../services/generation/domain/plan.ts'
import { numbersIn } from '../../../shared/text/facts.ts'
import { passagesOf } from '../../../shared/text/passages.ts'
import { splitSentences } from '../../../shared/text/sentences.ts'
import { termsOf, wordsOf } from '../../../shared/text/tokens.ts'
import type { Chance } from './chance.ts'

export interface Triple {
  set: string
  question: string
  answer: string
  place: string
  /** A quote that supports the answer, where it stands, and its section. */
  quote: string
  home: string
  sectionId: string | null
}

export interface Sentence { text: string, home: string, sectionId: string | null, type: string }

export function sentencesOf (document: Document): Sentence[] {
  return passagesOf(document).flatMap(({ text, target, sectionId }) => splitSentences(text).map(({ text }) =>
    ({ text, home: target.id ?? 'abstract', sectionId, type: target.type })))
}

const recipe: Recipe = { strategy: 'extractive', kinds: ['qa', 'binary'], pairsPerFigureMax: 3, seed: 1, review: false }

/** Items of the extractive strategy: their answers are the quotes, nearly word for word. */
export function extractiveTriples (document: Document): Triple[] {
  const groundwork = groundworkOf({ document, recipe, generationId: `gen_${'0'.repeat(32)}` })
  return planOf(document, recipe).flatMap(place => itemsFor(place, groundwork).items).flatMap(item =>
    item.evidence.map(({ quote, target, sectionId }) => ({
      set: item.kind === 'qa' ? (item.place === 'abstract' ? 'extractive, abstract' : 'extractive, section') : 'figure pairs',
      question: item.question,
      answer: item.answer ?? item.choices?.[item.answerIndex ?? 0]?.text ?? '',
      place: item.place,
      quote,
      home: target.id ?? 'abstract',
      sectionId: sectionId ?? null
    })))
}

/** The same, with half of the answer's words lost to other wording. */
export function rewordedTriples (
  triples: readonly Triple[], foreign: readonly string[], chance: Chance
): Triple[] {
  return triples.filter(({ set }) => set.startsWith('extractive')).map(triple => {
    const words = wordsOf(triple.answer).filter(({ text }) => /^\p{L}{4,}$/u.test(text))
    const lost = new Set(chance.some(words, Math.round(words.length / 2)))
    let answer = ''
    let from = 0
    for (const word of words) {
      if (!lost.has(word)) continue
      answer += triple.answer.slice(from, word.start) + chance.of(foreign)
      from = word.end
    }
    return { ...triple, set: `${triple.set}, reworded`, answer: answer + triple.answer.slice(from) }
  })
}

const anyFloat = /(?:Fig(?:ure)?s?\.?|FIGS?\.?|Tables?|TABLE|그림|표)\s?S?\d/u

/** The caption answers what a figure or table shows; a sentence of the text that names it supports that. */
export function captionTriples (document: Document): Triple[] {
  const sentences = sentencesOf(document).filter(({ type }) => type === 'paragraph')
  const floats = [
    ...document.figures.map(one => ({ ...one, kind: 'figure' })),
    ...document.tables.map(one => ({ ...one, kind: 'table' }))
  ]
  return floats.flatMap(({ kind, id, label, caption, mentions }) => {
    const number = /\d{1,2}|[IVX]{1,4}/u.exec(label)?.[0]
    if (number === undefined || caption.length < 40) return []
    const word = kind === 'figure' ? '(?:Fig(?:ure)?s?\\.?|FIGS?\\.?|그림)' : '(?:Tables?|TABLE|표)'
    const names = new RegExp(`${word}\\s?${number}(?![\\d])`, 'u')
    const homes = new Set(mentions.map(({ paragraphId }) => paragraphId))
    const fit = (one: Sentence) => one.text.length >= 80 && one.text.length <= 500
    const naming = sentences
      .filter(one => homes.has(one.home) && names.test(one.text) && fit(one))
      .slice(0, 3)
    const after = sentences.filter((one, i) => {
      const before = sentences[i - 1]
      return fit(one) && !anyFloat.test(one.text) && before?.home === one.home && names.test(before.text)
    }).slice(0, 2)
    const question = `What does ${label.replace(/\.$/u, '')} show?`
    const asking = (set: string, { text, home, sectionId }: Sentence) =>
      ({ set, question, answer: caption, place: id, quote: text, home, sectionId })
    return [
      ...naming.map(one => asking(`caption to mention, ${kind}`, one)),
      ...naming.map(one => ({
        ...asking('caption to mention, label and place unsaid', one),
        question: `What does the ${kind} show?`,
        place: 'unsaid'
      })),
      ...after.map(one => asking('caption to the sentence after a mention', one))
    ]
  })
}

/** A sentence of the abstract asked about; one of the body with one of its less usual numbers supports it. */
export function numberTriples (document: Document): Triple[] {
  const all = sentencesOf(document)
  const body = all.filter(({ type, text }) => type === 'paragraph' && text.length >= 40)
  const telling = (text: string) => new Set(numbersIn(text)
    .filter(({ text, unit }) => (unit !== '' || text.includes('.')) && text.length >= 2)
    .map(({ text, unit }) => `${text} ${unit}`))
  return all.filter(({ type }) => type === 'abstract').flatMap(({ text }) => {
    const numbers = telling(text)
    const found = body
      .filter(one => one.text !== text && [...telling(one.text)].some(number => numbers.has(number)))
      .slice(0, 2)
    return numbers.size === 0
      ? []
      : found.map(one => ({
        set: 'abstract to body by number',
        question: 'What are the main findings and contributions of this paper?',
        answer: text,
        place: 'abstract',
        quote: one.text,
        home: one.home,
        sectionId: one.sectionId
      }))
  })
}

/** A cell asked about by the names of its row and column; the row supports it. */
export function cellTriples (document: Document, chance: Chance): Triple[] {
  return document.tables.flatMap(({ id, rows = [], sectionId, caption }) => {
    const [header = [], ...rest] = rows
    const fit = rest.filter(row => /\p{L}{2}/u.test(row[0] ?? '') &&
      row.filter(cell => cell.trim() !== '').length >= 3 && row.join(' ').length < 300)
    return chance.some(fit, 3).flatMap(row => {
      const columns = row.map((_, i) => i).filter(i => i > 0 && row[i]?.trim() !== '' && header[i]?.trim() !== '')
      if (columns.length === 0) return []
      const column = chance.of(columns)
      return [{
        set: 'cell to row',
        question: `What is the ${header[column]} of ${row[0]}?`,
        answer: row[column] ?? '',
        place: id,
        quote: row.filter(cell => cell.trim() !== '').join(' | '),
        home: id,
        sectionId
      }]
    })
  })
}

export const plantedKinds = ['elsewhere', "another item's", 'same section'] as const
export interface Irrelevant { kind: typeof plantedKinds[number], quote: string }

export interface Surroundings {
  sentences: readonly Sentence[]
  others: readonly Triple[]
  document: Document
  chance: Chance
}

/** True sentences of the same paper from elsewhere, at random and the quote of another item. */
export function irrelevantFor (triple: Triple, of: Surroundings): Irrelevant[] {
  const { sentences, others, document, chance } = of
  const float = [...document.figures, ...document.tables]
    .find(({ id, caption }) => id === triple.place || caption === triple.answer)
  const mentions = (float?.mentions ?? []).map(({ paragraphId }) => paragraphId)
  const near = new Set([triple.home, triple.place, ...mentions])
  const elsewhere = (one: { home: string, sectionId: string | null, text: string }) =>
    !near.has(one.home) && one.home !== 'abstract' && one.sectionId !== triple.sectionId && one.sectionId !== triple.place &&
    one.text.length >= 40 && one.text.length <= 500 && !saysTheSame(one.text, triple)
  const fit = sentences.filter(elsewhere)
  const foreign = others.filter(other => other.place !== triple.place && other.set !== 'cell to row' &&
    elsewhere({ ...other, text: other.quote }))
  const beside = sentences.filter(one => one.sectionId !== null && one.sectionId === triple.sectionId &&
    one.home !== triple.home && one.text.length >= 40 && one.text.length <= 500)
  return [
    ...fit.length === 0 ? [] : [{ kind: 'elsewhere' as const, quote: chance.of(fit).text }],
    ...foreign.length === 0 ? [] : [{ kind: "another item's" as const, quote: chance.of(foreign).quote }],
    ...beside.length === 0 ? [] : [{ kind: 'same section' as const, quote: chance.of(beside).text }]
  ]
}

function saysTheSame (text: string, { quote }: Triple): boolean {
  const [a, b] = [new Set(termsOf(text)), new Set(termsOf(quote))]
  const shared = [...a].filter(term => b.has(term)).length
  return shared / Math.max(1, Math.min(a.size, b.size)) > 0.6
}
