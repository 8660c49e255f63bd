/** Whether other words ask the same question: what a paraphrase may not change. */
import { differenceOf, wordingOf } from './deduplicate/word-difference.ts'
import { denials } from './deduplicate/word-lists.ts'
import type { Item } from '../../../../shared/contracts/item.ts'
import { isUnitSymbol, numbersIn } from '../../../../shared/text/facts.ts'

/** Why it may not stand in the question's place; undefined where nothing speaks against it. */
export function paraphraseFault (
  { question: original, choices = [] }: Pick<Item, 'question' | 'choices'>, question: string, protectedTerms: readonly string[]
): string | undefined {
  const [before, after] = [wordingOf(original), wordingOf(question)]
  if (question.trim() === '' || before.squashed === after.squashed) return 'It says it in the same words.'
  if (question.length > 2 * original.length + 100) return 'It is more than twice as long.'
  const missing = termsToKeep(original, protectedTerms).find(term => !folded(question).includes(folded(term)))
  if (missing !== undefined) return `It does not have "${missing}", which must stay.`
  if (measuresOf(original) !== measuresOf(question)) return `Its numbers and units are ${measuresOf(question) || 'none'}, not ${measuresOf(original) || 'none'}.`
  if (before.signs !== after.signs) return `Its signs are ${after.signs || 'none'}, not ${before.signs || 'none'}.`
  if (denials(before.words) !== denials(after.words)) return 'It denies what the question does not, or the other way round.'
  const difference = differenceOf(before, after)
  if (difference.kind === 'turned' && difference.reason !== 'number-differs') return `It may ask something else: ${difference.detail}.`
  const holds = (whole: string, part: string) => folded(whole).includes(folded(part))
  const told = choices.find(({ text }) => text.length > 7 && holds(question, text) && !holds(original, text))
  return told === undefined ? undefined : 'It holds the words of a choice.'
}

/** Protected words that stand in the question, and what is a name, a symbol or a formula by its form. */
function termsToKeep (question: string, protectedTerms: readonly string[]): string[] {
  const named = question.match(/\$[^$]{1,200}\$|(?<![\p{L}\p{N}])(?=[\p{L}\p{N}-]{0,30}(?:\p{Lu}[\p{L}\p{N}-]{0,30}\p{Lu}|\p{L}\p{N}))[\p{L}\p{N}-]{2,40}/gu) ?? []
  return [...protectedTerms.filter(term => folded(question).includes(folded(term))), ...named]
}

function measuresOf (text: string): string {
  return numbersIn(text).map(({ value, unit = '' }) => `${value}${isUnitSymbol(unit) ? ` ${unit}` : ''}`).sort().join(', ')
}

function folded (text: string): string {
  return text.normalize('NFKC').toLowerCase().replaceAll(/\s+/gu, ' ')
}
