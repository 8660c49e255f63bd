/** Which options an item has, and which of them a gold or a label of a log names. */
import { labelOf, type Question } from '../../../../shared/answers/lenient.ts'
import { normalForm } from '../../../../shared/answers/view.ts'
import { limits } from './limits.ts'
import { member } from '../../../../shared/text/member.ts'
import type { Fields } from './raw-row.ts'

/** What a log's row asks, with the place of our index in the log's order. */
export interface Options {
  question: Question
  /** Texts in the log's order; empty where it has none. */
  texts: string[]
  /** order[i] is the log's place of our i-th option. */
  order: number[]
}

export interface Fault { reason: string, detail: string }

const yesWords = new Set(['yes', 'true', '예', '네', '그렇다', '참'])
const noWords = new Set(['no', 'false', '아니오', '아니요', '거짓'])

function yesNo (text: string): number | undefined {
  const word = text.trim().toLowerCase().replace(/\.$/, '')
  return yesWords.has(word) ? 0 : noWords.has(word) ? 1 : undefined
}

export function optionsOf (fields: Fields, choiceCount: number | undefined): Options | Fault {
  const texts = textsOf(fields.choices)
  if ('reason' in texts) return texts
  if (texts.length === 0) {
    if (yesNo(String(fields.gold ?? '')) !== undefined) return { question: { kind: 'binary' }, texts: ['Yes', 'No'], order: [0, 1] }
    const count = fields.choiceCount ?? choiceCount
    if (count === undefined) return { reason: 'no-choices', detail: 'The row has no options and its gold is neither Yes nor No; give mapping.choices or choiceCount. Open answers are for POST /v1/metrics/rouge.' }
    return choice(Array<string>(count).fill(''))
  }
  const sides = texts.map(yesNo)
  if (texts.length === 2 && sides.includes(0) && sides.includes(1)) {
    return { question: { kind: 'binary' }, texts, order: [sides.indexOf(0), sides.indexOf(1)] }
  }
  return choice(texts)
}

function choice (texts: string[]): Options {
  return { question: { kind: 'choice', choices: texts }, texts, order: [...texts.keys()] }
}

function textsOf (choices: unknown): string[] | Fault {
  const list = typeof choices === 'string' ? parsed(choices) : choices
  if (list === undefined || list === null) return []
  const bad = (detail: string): Fault => ({ reason: 'bad-choices', detail })
  if (!Array.isArray(list)) return bad('The options are no list.')
  const texts = list.map(entry => typeof entry === 'number' ? String(entry) : typeof entry === 'string' ? entry : member(entry, 'text'))
  if (!texts.every(text => typeof text === 'string')) return bad('An option is no text.')
  if (texts.length < 2 || texts.length > limits.choices) return bad(`There are ${texts.length} options; 2 to ${limits.choices} have letters.`)
  if (texts.some(text => text.length > limits.optionChars)) return bad(`An option is longer than ${limits.optionChars} characters.`)
  return texts
}

/** A CSV cell. */
function parsed (cell: string): unknown {
  if (cell.trim() === '') return undefined
  try { return JSON.parse(cell) as unknown } catch { return cell }
}

/**
 * The place in our order that a gold or a label names: a letter, Yes or No, an option's text, or a number
 * counted from `base`.
 *
 * @returns undefined where it names none; a fault where it may name two
 */
export function placeOf (
  named: unknown, { question, texts, order }: Options, base: number | undefined
): number | undefined | Fault {
  if (typeof named !== 'string' && typeof named !== 'number') return undefined
  const text = String(named).trim()
  const found = new Set([
    ...byText(text, texts), ...byLetter(text, texts.length), ...byNumber(text, texts.length, base)
  ].map(at => order.indexOf(at)))
  if (question.kind === 'binary' && yesNo(text) !== undefined) return yesNo(text)
  if (found.size > 1) return { reason: 'ambiguous-gold', detail: `"${text.slice(0, 50)}" is the text of one option and the letter or number of another.` }
  return [...found][0]
}

function byText (text: string, texts: readonly string[]): number[] {
  if (text === '') return []
  const same = normalForm(text)
  const at = [...texts.keys()].filter(index => texts[index] !== '' && normalForm(texts[index]!) === same)
  return at.length === 1 ? at : []
}

function byLetter (text: string, count: number): number[] {
  const [, letter] = /^[(["']?([A-Za-z])[)\]"']?[.)]?$/.exec(text) ?? []
  if (letter === undefined) return []
  const at = letter.toUpperCase().charCodeAt(0) - 65
  return at < count ? [at] : []
}

function byNumber (text: string, count: number, base: number | undefined): number[] {
  if (base === undefined || !/^\d{1,2}$/.test(text)) return []
  const at = Number(text) - base
  return at >= 0 && at < count ? [at] : []
}

export function letterAt (options: Options, at: number): string {
  return labelOf(options.question, at)
}
