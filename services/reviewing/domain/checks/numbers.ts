/** A wrong number is the fault that a reader is least likely to notice. */
import type { Document } from '../../../../shared/contracts/document.ts'
import type { Item } from '../../../../shared/contracts/item.ts'
import { normalised } from '../../../../shared/text/normalise.ts'
import { wordsOf } from '../../../../shared/text/tokens.ts'
import { misplacedNumber } from './number-context.ts'
import { fail, pass, type Finding, type Subject } from './finding.ts'

const dash = '[-\u2010-\u2015\u2212]'
/** Not inside a name such as CO2. A dash is a minus unless it joins two words or numbers. */
const sign = `(?:(?<![)\\]%])${dash})?`
const number = new RegExp(`(?<![\\p{L}\\p{N}.])${sign}(?:\\d[\\d,]*(?:\\.\\d+)?|\\.\\d+)`, 'gu')
const thousands = /^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/u

const mention = /(?<!\p{L})(?:figures?|figs?|tables?|tab|그림|표)[.\s]{0,2}(\d{1,4})(?![\d.]\d)/giu

/**
 * Every number, and every name with a number, of the reference answer, of the right choice, or of
 * a statement that is true by its label must stand in the evidence, with its sign, with its unit,
 * and not where the evidence has another number among the same words. Labels of the item's own
 * figures do not count. A false statement is left to the pair check: its number is the planted
 * fault.
 */
export function numbersAgree ({ item, document }: Subject): Finding | null {
  const claim = claimOf(item)
  // What is computed from cells (a difference, a count) stands in none; who computed it checked it.
  if (claim === null || item.provenance.strategy === 'tables') return null
  const inEvidence = new Set(item.evidence.flatMap(({ quote }) => numbersOf(quote)))
  const stated = withoutLabels(claim, item, document)
  const claimed = numbersOf(stated)
  const names = new Set(item.evidence.flatMap(({ quote }) => numberedNames(quote)))
  const missing = [
    ...[...new Set(claimed)].filter(value => !inEvidence.has(value)),
    ...numberedNames(stated).filter(name => !names.has(name))
  ]
  if (missing.length > 0) {
    return fail(`Not in the evidence: ${missing.slice(0, 5).join(', ')}.`)
  }
  const misplaced = misplacedNumber(stated, item.evidence.map(({ quote }) => quote))
  if (misplaced !== null) return fail(misplaced)
  return pass(claimed.length === 0
    ? 'There is no number to compare.'
    : 'Every number stands in the evidence, with its unit.')
}

/** Names that a digit tells apart, such as CO2 and HVR1, in lower case. */
function numberedNames (text: string): string[] {
  return wordsOf(normalised(text)).map(({ text }) => text.toLowerCase())
    .filter(word => /^\p{L}/u.test(word) && /\p{N}/u.test(word))
}

/** Numbers in their order, in one spelling: no thousands commas, no zeros that change nothing. */
export function numbersOf (text: string): string[] {
  return Array.from(text.matchAll(number), match => match[0])
    .flatMap(found => {
      const minus = /^[\d.]/u.test(found) ? '' : '-'
      const digits = found.slice(minus.length)
      const values = thousands.test(digits.replace(/,$/u, '')) ? [digits.replaceAll(',', '')] : digits.split(',')
      return values.filter(value => value !== '').map((value, i) => (i === 0 ? minus : '') + plain(value))
    })
}

function plain (digits: string): string {
  const [whole = '', fraction = ''] = digits.split('.')
  const kept = trimmedZeros(fraction)
  return (whole.replace(/^0+/u, '') || '0') + (kept === '' ? '' : `.${kept}`)
}

function trimmedZeros (fraction: string): string {
  let end = fraction.length
  while (end > 0 && fraction[end - 1] === '0') end--
  return fraction.slice(0, end)
}

function claimOf (item: Item): string | null {
  if (item.kind === 'binary') return item.answerIndex === 0 ? item.question : null
  if (item.kind === 'choice') return item.choices?.[item.answerIndex ?? -1]?.text ?? null
  return item.answer ?? null
}

/** The text without mentions of the item's own figures and tables, however they are spelt. */
function withoutLabels (text: string, item: Item, document: Document): string {
  const own = new Set([...item.figureIds, ...item.evidence.map(({ target }) => target.id)])
  const named = [...document.figures, ...document.tables].filter(({ id }) => own.has(id))
  const ownNumbers = new Set(named.flatMap(({ label }) => numbersOf(label)))
  return text.replace(mention, (found, digits: string) => ownNumbers.has(digits) ? ' ' : found)
}
