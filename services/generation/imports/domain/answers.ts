/**
 * Which option an answer names: its letter, its number, its text. What a bank's numbers count from is told
 * by all of its answers together, never by one.
 */
import { normalForm } from '../../../../shared/answers/view.ts'
import { note } from './bank.ts'
import type { RowNote } from '../../../../shared/contracts/bank.ts'

/** As a number, a letter, or text; `certain` numbers count from 1 whatever the others do. */
type Named =
  { number: number, isCertain: boolean } | { letter: number } | { several: true } | Record<never, never>

const circled = '①②③④⑤⑥⑦⑧⑨⑩⑪⑫⑬⑭⑮⑯⑰⑱⑲⑳'

function labelIn (text: string): Named {
  const at = circled.indexOf(text)
  if (at >= 0 && text.length === 1) return { number: at + 1, isCertain: true }
  const plain = text.normalize('NFKC')
  const [, digits] = /^[([]?(\d{1,2})(?:\.0+)?[)\].]?(?:번)?$/.exec(plain) ?? []
  if (digits !== undefined) return { number: Number(digits), isCertain: plain.endsWith('번') }
  const [, letter] = /^[([]?([A-Ta-t])[)\].]?$/.exec(plain) ?? []
  if (letter !== undefined) return { letter: letter.toUpperCase().charCodeAt(0) - 65 }
  if (/^(?:[\d①-⑳A-Ta-t]{1,2}(?:번)?\s*(?:[,;/&+、]|또는|or|and)\s*)+[\d①-⑳A-Ta-t]{1,2}(?:번)?$/.test(text)) return { several: true }
  return {}
}

/** One answer, whatever it is wrapped in; undefined where there is none. */
function single (answer: unknown): string | number | undefined | null {
  const bare = Array.isArray(answer) && answer.length === 1 ? answer[0] as unknown : answer
  if (bare === undefined || bare === null || bare === '') return undefined
  if (typeof bare === 'number') return bare
  if (typeof bare === 'boolean') return bare ? 'True' : 'False'
  return typeof bare === 'string' ? (bare.trim() === '' ? undefined : bare.trim()) : null
}

function placesOfText (text: string, texts: readonly string[]): number[] {
  const wanted = normalForm(text)
  return wanted === '' ? [] : [...texts.keys()].filter(at => texts[at] !== '' && normalForm(texts[at]!) === wanted)
}

/** Of all rows of a bank. */
export interface BaseEvidence {
  /** Answers that are numbers which need a base. */
  numbers: number
  zeros: number
  /** As high as the number of options. */
  tops: number
  /** Answers that can only be the text of an option. */
  texts: number
}

export function noEvidence (): BaseEvidence {
  return { numbers: 0, zeros: 0, tops: 0, texts: 0 }
}

/** Adds what one row tells. */
export function gather (evidence: BaseEvidence, answer: unknown, texts: readonly string[]): void {
  const bare = single(answer)
  if (bare === undefined || bare === null || texts.length < 2) return
  const label = labelIn(String(bare))
  const isOption = typeof bare === 'string' && placesOfText(bare, texts).length > 0
  if (!('number' in label) || label.isCertain || label.number > texts.length) {
    if (isOption && !('letter' in label)) evidence.texts++
    return
  }
  evidence.numbers++
  // The text of an option that is a 0 tells nothing of what numbers count from.
  if (isOption) return
  if (label.number === 0) evidence.zeros++
  if (label.number === texts.length) evidence.tops++
}

export type Base = 0 | 1 | 'mixed' | null

export interface Reading {
  base: Base
  /** Whether the bank gives answers as text too, so that a number may be one. */
  hasTexts: boolean
}

/** The 0-based place of the option that is meant, or why there is none. */
export function placeOf (answer: unknown, texts: readonly string[], reading: Reading): number | RowNote {
  const bare = single(answer)
  if (bare === undefined) return note('answer-missing', 'answer', 'The row has no answer.')
  if (bare === null) return note('answer-multiple', 'answer', 'The answer is a list or an object; one option is the answer of an item.')
  const text = String(bare)
  const label = labelIn(text)
  // In a bank whose answers are labels, "2" is a label though an option reads 2.
  const isLabel = 'letter' in label || ('number' in label && (typeof bare === 'number' || !reading.hasTexts))
  const named = isLabel ? [] : placesOfText(text, texts)
  if (named.length > 1) return note('duplicate-answers', 'answer', `Options ${named.map(at => at + 1).join(' and ')} read as the answer does.`)
  const byLabel = placeOfLabel(label, texts.length, reading.base)
  if (typeof byLabel === 'number') {
    const printed = printedLabels(texts)
    if (named.length === 0 && printed !== undefined && !isSameLabel(label, printed[byLabel]!)) {
      return note('answer-ambiguous', 'answer', `"${text.slice(0, 50)}" is the place of option ${byLabel + 1}, but another label is printed in it.`)
    }
    if (named.length === 0 || named[0] === byLabel) return byLabel
    return note('answer-ambiguous', 'answer', `"${text.slice(0, 50)}" is the text of option ${named[0]! + 1} and the number or letter of option ${byLabel + 1}.`)
  }
  if (named.length === 1) return named[0]!
  return byLabel ?? placeOfBoth(text, texts, reading) ??
    note('answer-not-an-option', 'answer', `"${text.slice(0, 100)}" is none of the ${texts.length} options, nor a letter or number of one.`)
}

/** "B. snow": labels that the options have in their own text; undefined unless all have one of a kind. */
function printedLabels (texts: readonly string[]): Named[] | undefined {
  const labels = texts.map(text => {
    const start = /^(?:[([]?(?:[A-Ta-t]|\d{1,2})[)\].]|[①-⑳])(?=\s)/u.exec(text.trim())?.[0]
    return start === undefined ? {} : labelIn(start)
  })
  const isOfKind = (kind: 'letter' | 'number') => labels.every(label => kind in label)
  return isOfKind('letter') || isOfKind('number') ? labels : undefined
}

/** A letter says nothing of numbers that are printed, nor a number of letters. */
function isSameLabel (said: Named, printed: Named): boolean {
  if ('letter' in said && 'letter' in printed) return said.letter === printed.letter
  if ('number' in said && 'number' in printed) return said.number === printed.number
  return true
}

function placeOfLabel (label: Named, count: number, base: Base): number | RowNote | undefined {
  if ('several' in label) return note('answer-multiple', 'answer', 'The answer names several options; one is the answer of an item.')
  if ('letter' in label) return label.letter < count ? label.letter : outOfRange(String.fromCharCode(65 + label.letter), count)
  if (!('number' in label)) return undefined
  const from = label.isCertain ? 1 : base
  if (from === 'mixed') return note('answer-base-mixed', 'answer', 'Some answers of the bank can only count from 0 and some only from 1, so this number may mean two options; declare answerBase.')
  if (from === null) return outOfRange(String(label.number), count)
  const at = label.number - from
  return at >= 0 && at < count ? at : outOfRange(`${label.number}, counted from ${from},`, count)
}

function outOfRange (named: string, count: number): RowNote {
  return note('answer-out-of-range', 'answer', `${named} is none of the ${count} options.`)
}

/** "B. Cold front" and "② 한랭전선": a label and the text of the same option. */
function placeOfBoth (
  text: string, texts: readonly string[], reading: Reading
): number | RowNote | undefined {
  const [, start = '', rest = ''] = /^([([]?(?:[A-Ta-t]|\d{1,2}|[①-⑳])[)\].:]?)\s*(\S.*)$/su.exec(text) ?? []
  const named = placesOfText(rest, texts)
  if (named.length === 0) return undefined
  const at = placeOfLabel(labelIn(start.replace(/:$/, '')), texts.length, reading.base)
  if (named.length === 1 && (at === named[0] || typeof at !== 'number')) return named[0]
  return note('answer-ambiguous', 'answer', `"${text.slice(0, 100)}" has the label of one option and the text of another.`)
}

const yesWords = new Set(['yes', 'true', '예', '네', '그렇다', '참'])
const noWords = new Set(['no', 'false', '아니오', '아니요', '거짓'])

/** 0 for yes, 1 for no. */
export function yesNo (answer: unknown): 0 | 1 | undefined {
  const word = String(single(answer) ?? '').toLowerCase().replace(/\.$/, '')
  return yesWords.has(word) ? 0 : noWords.has(word) ? 1 : undefined
}
