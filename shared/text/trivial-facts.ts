/**
 * What stands in a text and is no fact of the paper: marks and years of citations, and the numbers that
 * name its sections, list entries, figures, tables and equations. Who knows them has understood nothing.
 */
import { numbersIn } from './facts.ts'
import { normalised } from './normalise.ts'

type Pattern = readonly [RegExp, ((found: string, before: string) => boolean)?]

const bracketed = String.raw`\d{1,4}[a-z]?(?:\s?[,;–—-]\s?\d{1,4}[a-z]?){0,20}`
const part = 'figures?|figs?\\.?|tables?|tabs?\\.|equations?|eqs?\\.?|eqns?\\.?|sections?|sects?\\.?|secs?\\.|chapters?|chaps?\\.|appendix|appendices|algorithms?|theorems?|lemmas?|listings?|schemes?|references?|refs?\\.?|그림|표|수식|식|참고문헌|알고리즘|부록'
const partNumber = String.raw`[[(]?(?:S?\d{1,4}(?:[.-]\d{1,3}){0,3}[a-z]?|[IVX]{1,5}\b|[A-H]\b)[\])]?`

/** "(Klavans and Boyack, 2006; Small 1973a)": each part has a name and ends in a year. */
function citesByYear (found: string): boolean {
  return found.slice(1, -1).split(/[;]/u).every(each =>
    /(?:^|[\p{L}.,] ?)(?:19|20)\d\d[a-z]?(?:, ?(?:(?:19|20)\d\d)?[a-z]?){0,5}$/u.test(each.trim()) &&
    /\p{Lu}\p{L}|[\uAC00-\uD7A3]{2}/u.test(each) && !monthBefore.test(each.trim()))
}
const monthBefore = /\b(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)\p{Ll}{0,6}\.?,? \d{4}$/u

/** Whether a bracket opened in `before` is still open: "(n = 3)" closes one, "3)" numbers an entry. */
function isInBracket (before: string): boolean {
  return before.lastIndexOf('(') > before.lastIndexOf(')')
}

/** In the order in which they are taken out; every quantifier is bounded. */
const patterns: readonly Pattern[] = [
  [new RegExp(String.raw`(?<![\p{L}\p{N}])(?:${part})\s?${partNumber}(?:\s?(?:,|&|–|-|and|to|및|과|와)\s?${partNumber}){0,6}`, 'giu')],
  [/(?<![\p{L}\p{N}])제?\s?\d{1,2}(?:[.-]\d{1,2}){0,3}\s?(?:장|절)(?![\uAC00-\uD7A3]{3})/gu],
  // Not "[0, 1]", and not the bounds of an interval.
  [new RegExp(String.raw`\[${bracketed}\]`, 'gu'), (found, before) =>
    !/[[\s,]0[\],]/u.test(found) && !/(?:\bCI|\bIQR|intervals?|ranges?|∈)[\s:,=]{0,3}$/iu.test(before)],
  // [Smith06], [KB06; XY12]
  [/\[\p{Lu}[\p{L}+]{0,12}\d{2,4}[a-z]?(?:[,;]\s?\p{Lu}[\p{L}+]{0,12}\d{2,4}[a-z]?){0,9}\]/gu],
  [/\([^()]{4,300}\)/gu, citesByYear],
  [/\p{L}[\p{L}'’-]{0,30} (?:et al\.?|등),? ?[[(]?(?:19|20)\d\d[a-z]?[\])]?/gu],
  // "Boyack (2006)", "홍길동(2006)"
  [/(?<=\p{Lu}[\p{L}'’-]{1,30} ?|[\uAC00-\uD7A3] ?)\((?:19|20)\d\d[a-z]?(?:, ?(?:19|20)\d\d[a-z]?){0,5}\)/gu],
  // "(3)", "(12, 13)": an equation, an entry of a list, citations; not what follows an amount.
  [/\(\d{1,3}(?:\s?[,;–-]\s?\d{1,3}){0,9}\)/gu, (_, before) => !/[\d%]\s?$/u.test(before)],
  [/(?<![^\s“"])\d{1,2}(?:[.-]\d{1,2}){0,3}\)(?![^\s])/gu, (_, before) => !isInBracket(before)],
  // "4-1 Setup", "3.2.1": no amount is written so; "4-1" falls, so that it is no range either.
  [/(?<![^\s“"(])\d{1,2}(?:\.\d{1,2}){2,4}\.?(?![^\s])/gu],
  [/(?<![^\s“"(])\d{1,2}-\d{1,2}\.?(?= \p{Lu}\p{Ll}| [\uAC00-\uD7A3]{2}|[?.,”"]?$)/gu, found => {
    const [from = 0, to = 0] = found.split('-').map(Number.parseFloat)
    return to <= from
  }],
  // Raised numbers of references that lost their raising: "methods.12,13".
  [/(?<=\p{Ll}{3}\)?[.,;])\d{1,3}(?:[,–-]\d{1,3}){0,6}(?![\p{L}\p{N}%.])/gu],
  [/(?<=^\s{0,3})\d{1,2}(?:\.\d{1,2}){0,3}\.? (?=\p{Lu}\p{Ll})/gu],
  [/[¹²³⁰⁴-⁹]{1,3}(?:[,–-][¹²³⁰⁴-⁹]{1,3}){0,6}(?=[\s.,;]|$)/gu, (_, before) => /\p{Ll}{4}[.,;)]?$/u.test(before)]
]

/** The text with all that is trivial blanked out, so that offsets stay what they were. */
export function withoutTrivia (text: string): string {
  let left = text
  for (const [pattern, isOne] of patterns) {
    left = left.replaceAll(pattern, (found: string, ...rest) => {
      const at = rest.find(each => typeof each === 'number') as number
      return isOne === undefined || isOne(found, left.slice(Math.max(0, at - 80), at)) ? ' '.repeat(found.length) : found
    })
  }
  return left
}

/**
 * Whether all that two statements differ in is trivial, or `fact` stands in the quotes as such alone.
 *
 * @param fact  what the true one has and the other one has not: words that were replaced, an option
 */
export function isTrivialFact (
  fact: string, { yes, no, quotes }: { yes: string, no: string, quotes: readonly string[] }
): boolean {
  const [one, other] = [yes, no].map(text => squeezed(withoutTrivia(text)))
  if (yes !== no && one === other) return true
  if (squeezed(withoutTrivia(fact)) === '') return true
  const numbers = numbersIn(fact)
  // With words of its own it says more than the number.
  if (numbers.length === 0 || /\p{L}{2}/u.test(fact)) return false
  const said = numbersIn(quotes.map(withoutTrivia).join(' \n '))
  return numbers.some(({ value }) => !said.some(number => number.value === value)) &&
    numbers.every(({ value }) => numbersIn(quotes.join(' \n ')).some(number => number.value === value))
}

function squeezed (text: string): string {
  return normalised(text).replaceAll(/[\s.,;?()[\]“”"]+/gu, ' ').trim()
}
