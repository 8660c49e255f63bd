/** A minimal pair says one thing of one fact, once as the paper has it and once not. */
import { canonicalJson } from '../../../../shared/contracts/hash.ts'
import type { Item } from '../../../../shared/contracts/item.ts'
import { fail, pass, type Finding, type Subject } from './finding.ts'

/** In words, on either side: "are not significantly different from" for "exceed". */
const changedWordsMax = 6
/** Comparing is quadratic in the words; no question that is short enough has more. */
const questionWordsMax = 250

/**
 * Exactly two members, both yes/no, about the same place and figures, on the same evidence, with
 * opposite answers, whose questions differ in exactly one fact: one run of at most six words, or
 * two runs that have changed places ("A exceeds B", "B exceeds A").
 */
export function pairHolds ({ item, partners }: Subject): Finding | null {
  if (item.pairId === undefined) {
    return item.kind === 'binary' ? fail('A yes/no question needs its opposite, and has none.') : null
  }
  const [partner] = partners
  if (partner === undefined || partners.length > 1) {
    return fail(`A pair has two members; this one has ${partners.length + 1}.`)
  }
  if (item.kind !== 'binary' || partner.kind !== 'binary') return fail('Both members must be yes/no questions.')
  if (item.answerIndex === partner.answerIndex) return fail('Both members have the same answer.')
  const asked = ({ place, figureIds }: Item) => canonicalJson({ place, figureIds })
  if (asked(item) !== asked(partner)) {
    return fail('The members ask about different places.')
  }
  if (canonicalJson(item.evidence) !== canonicalJson(partner.evidence)) {
    return fail('The members rest on different evidence.')
  }
  return oneFactApart(item, partner)
}

interface Change { from: string, to: string, words: number }

function oneFactApart (item: Item, partner: Item): Finding {
  const [words, others] = [spacedWords(item.question), spacedWords(partner.question)]
  if (Math.max(words.length, others.length) > questionWordsMax) {
    return fail(`A question of the pair has more than ${questionWordsMax} words.`)
  }
  const changes = changesBetween(words, others)
  const [first, second] = changes
  if (first === undefined) return fail('The two questions are the same.')
  if (changes.some(change => change.words > changedWordsMax)) {
    return fail(`The questions differ in more than ${changedWordsMax} words in a row.`)
  }
  const swapped = second !== undefined && first.from === second.to && first.to === second.from
  if (changes.length > 2 || (second !== undefined && !swapped)) {
    return fail(`The questions differ in ${changes.length} places; a pair differs in one fact.`)
  }
  return pass(`The questions differ in one fact: "${first.from}" and "${first.to}".`)
}

function spacedWords (text: string): string[] {
  return text.split(/\s/u).filter(word => word !== '')
}

/** The runs in which two texts differ, by a longest common subsequence of words. */
export function changesBetween (a: readonly string[], b: readonly string[]): Change[] {
  const lengths = commonLengths(a, b)
  const changes: Change[] = []
  let [i, j] = [0, 0]
  while (i < a.length || j < b.length) {
    const [fromStart, toStart] = [i, j]
    while ((i < a.length || j < b.length) && !(i < a.length && j < b.length && a[i] === b[j])) {
      if (j === b.length || (i < a.length && lengths[i + 1]![j]! >= lengths[i]![j + 1]!)) i++
      else j++
    }
    if (i > fromStart || j > toStart) {
      const [from, to] = [a.slice(fromStart, i), b.slice(toStart, j)]
      changes.push({ from: from.join(' '), to: to.join(' '), words: Math.max(from.length, to.length) })
    }
    while (i < a.length && j < b.length && a[i] === b[j]) { i++; j++ }
  }
  return changes
}

/** `lengths[i][j]`: of the longest common subsequence of the words from i and from j on. */
function commonLengths (a: readonly string[], b: readonly string[]): Uint16Array[] {
  const lengths = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1))
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      lengths[i]![j] = a[i] === b[j]
        ? lengths[i + 1]![j + 1]! + 1
        : Math.max(lengths[i + 1]![j]!, lengths[i]![j + 1]!)
    }
  }
  return lengths
}
