/** Questions with their answers and the quotes that support them, and quotes that are true and do not. */
import type { Document } from '../../../shared/contracts/document.ts'
import type { Recipe } from '../../../shared/contracts/generation.ts'
import { groundworkOf, itemsFor } from '../../../services/generation/domain/extractive.ts'
import { planOf } from '../../../services/generation/domain/plan.ts'
import { isUnitSymbol, numbersIn } from '../../../shared/text/facts.ts'
import { passagesOf } from '../../../shared/text/passages.ts'
import { splitSentences } from '../../../shared/text/sentences.ts'
import { stopWords, termsOf, wordsOf } from '../../../shared/text/tokens.ts'
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

/** The same items, with half of the answer's words lost to other words: of another paper, or of this one. */
export function rewordedTriples (
  triples: readonly Triple[], words: Record<string, readonly string[]>, chance: Chance
): Triple[] {
  const answers = new Map<string, string>()
  return Object.entries(words).flatMap(([of, words]) => triples
    .filter(({ set }) => set.startsWith('extractive'))
    .map(triple => {
      const key = JSON.stringify([of, triple.answer])
      const answer = answers.get(key) ?? reworded(triple.answer, words, chance)
      answers.set(key, answer)
      return { ...triple, set: `${triple.set}, ${of}`, answer }
    }))
}

function reworded (answer: string, others: readonly string[], chance: Chance): string {
  const words = wordsOf(answer).filter(({ text }) => /^\p{L}{4,}$/u.test(text))
  const lost = new Set(chance.some(words, Math.round(words.length / 2)))
  let result = ''
  let from = 0
  for (const word of words) {
    if (!lost.has(word)) continue
    result += answer.slice(from, word.start) + chance.of(others)
    from = word.end
  }
  return result + answer.slice(from)
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

/** A measured value asked for by half of the words around it; its sentence supports it. */
export function valueTriples (document: Document, chance: Chance): Triple[] {
  const fit = sentencesOf(document).flatMap(one => {
    const values = numbersIn(one.text).filter(({ text, unit = '' }) => text.includes('.') || isUnitSymbol(unit))
    const words = wordsOf(one.text).filter(({ text }) => /^\p{L}{4,}$/u.test(text) && !stopWords.has(text.toLowerCase()))
    return one.type === 'paragraph' && one.text.length <= 400 && values.length > 0 && words.length >= 6
      ? [{ ...one, values, words }]
      : []
  })
  return chance.some(fit, 20).map(({ text, home, sectionId, values, words }) => {
    const { text: digits, unit = '' } = chance.of(values)
    const kept = new Set(chance.some(words, Math.ceil(words.length / 2)))
    const about = words.filter(word => kept.has(word)).map(({ text }) => text).join(' ')
    return {
      set: 'value to its sentence',
      question: `Which value is given for ${about}?`,
      answer: `${digits} ${unit}`.trim(),
      place: sectionId ?? 'abstract',
      quote: text,
      home,
      sectionId
    }
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

export const plantedKinds = ['elsewhere', "another item's", 'same section', 'same paragraph'] as const
export interface Irrelevant { kind: typeof plantedKinds[number], quote: string }

export interface Surroundings {
  sentences: readonly Sentence[]
  others: readonly Triple[]
  document: Document
  chance: Chance
}

/**
 * True sentences of the same paper that none of the item's supporting quotes say: at random from
 * elsewhere, the quote of another item, one of another paragraph of the section, one of the same
 * paragraph. What names the figure asked about, or follows such a sentence, is not planted.
 *
 * @param item  the triples of one item
 */
export function irrelevantFor (triple: Triple, item: readonly Triple[], of: Surroundings): Irrelevant[] {
  const { sentences, others, document, chance } = of
  const float = [...document.figures, ...document.tables]
    .find(({ id, caption }) => id === triple.place || caption === triple.answer)
  const mentions = (float?.mentions ?? []).map(({ paragraphId }) => paragraphId)
  const near = new Set([...item.map(({ home }) => home), triple.place, float?.id, ...mentions])
  const supporting = item.map(({ quote }) => new Set(termsOf(quote)))
  const fits = ({ text }: { text: string }) => text.length >= 40 && text.length <= 500 &&
    !supporting.some(terms => saysTheSame(text, terms))
  const elsewhere = (one: { home: string, sectionId: string | null, text: string }) =>
    !near.has(one.home) && one.home !== 'abstract' && one.sectionId !== triple.sectionId && one.sectionId !== triple.place &&
    fits(one)
  const foreign = others.filter(other => other.place !== triple.place && other.set !== 'cell to row' &&
    elsewhere({ ...other, text: other.quote })).map(({ quote }) => ({ text: quote }))
  const beside = sentences.filter(one => one.sectionId !== null && one.sectionId === triple.sectionId &&
    !near.has(one.home) && fits(one))
  const around = sentences.filter((one, i) => one.home === triple.home && one.type === 'paragraph' && fits(one) &&
    (float === undefined ||
      ![one, sentences[i - 1]].some(other => other?.home === one.home && anyFloat.test(other.text))))
  const pools = {
    elsewhere: sentences.filter(elsewhere),
    "another item's": foreign,
    'same section': beside,
    'same paragraph': around
  }
  return plantedKinds.filter(kind => pools[kind].length > 0)
    .map(kind => ({ kind, quote: chance.of(pools[kind]).text }))
}

function saysTheSame (text: string, b: ReadonlySet<string>): boolean {
  const a = new Set(termsOf(text))
  const shared = [...a].filter(term => b.has(term)).length
  return shared / Math.max(1, Math.min(a.size, b.size)) > 0.6
}
