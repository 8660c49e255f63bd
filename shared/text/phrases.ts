/** Phrases in a text: lower case, no punctuation. Linear in the text. */

/** Runs of letters, digits and apostrophes, in lower case and NFC. */
export function plainWordsOf (text: string): string[] {
  return text.normalize('NFC').toLowerCase().replaceAll('’', "'").match(/[\p{L}\p{N}\p{M}']+/gu) ?? []
}

const hangul = /[\uAC00-\uD7A3]/u

/** Those of `phrases` that stand in `text` as whole words; Korean ones also with what is joined to them. */
export function phrasesIn (text: string, phrases: readonly string[]): string[] {
  const line = ` ${plainWordsOf(text).join(' ')} `
  return phrases.filter(phrase => line.includes(hangul.test(phrase) ? ` ${phrase}` : ` ${phrase} `))
}

/**
 * The longest run of words that both texts have, as its number of words.
 * Quadratic in the words: cut at 400 each, longer than any question may be.
 */
export function longestCommonRun (a: readonly string[], b: readonly string[]): number {
  const [left, right] = [a.slice(0, 400), b.slice(0, 400)]
  let longest = 0
  let previous = new Uint16Array(right.length + 1)
  for (const word of left) {
    const current = new Uint16Array(right.length + 1)
    for (let j = 0; j < right.length; j++) {
      if (word !== right[j]) continue
      current[j + 1] = previous[j]! + 1
      longest = Math.max(longest, current[j + 1]!)
    }
    previous = current
  }
  return longest
}
