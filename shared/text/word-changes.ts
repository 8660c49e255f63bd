/** In which words two short texts differ. */

export interface Change { from: string, to: string, words: number }

/** In words, on either side: "are not significantly different from" for "exceed". */
export const changedWordsMax = 6
/** Comparing is quadratic in the words; no question that is short enough has more. */
export const comparedWordsMax = 250

/**
 * What two texts differ in, where that is one fact: one run of at most `changedWordsMax` words, or two
 * runs that have changed places ("A exceeds B", "B exceeds A"); else a sentence that says why not.
 */
export function oneFactBetween (a: string, b: string): Change[] | string {
  const [words, others] = [spacedWords(a), spacedWords(b)]
  if (Math.max(words.length, others.length) > comparedWordsMax) {
    return `A question of the pair has more than ${comparedWordsMax} words.`
  }
  const changes = changesBetween(words, others)
  const [first, second] = changes
  if (first === undefined) return 'The two questions are the same.'
  if (changes.some(change => change.words > changedWordsMax)) {
    return `The questions differ in more than ${changedWordsMax} words in a row.`
  }
  const swapped = second !== undefined && first.from === second.to && first.to === second.from
  if (changes.length > 2 || (second !== undefined && !swapped)) {
    return `The questions differ in ${changes.length} places; a pair differs in one fact.`
  }
  return changes
}

export function spacedWords (text: string): string[] {
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
