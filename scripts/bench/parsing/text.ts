/** Comparing texts of which one went through a page. */

/** Letters and digits only, in lower case, compatibility forms resolved. */
export function bare (text: string): string {
  return text.normalize('NFKC').toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
}

/** 1 - edit distance / longer length, of UTF-16 units. */
export function similarity (a: string, b: string): number {
  if (a === b) return 1
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)))
    }
    row = next
  }
  return 1 - row[b.length]! / Math.max(a.length, b.length, 1)
}

const token = /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}]|(?:(?![\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}])[\p{L}\p{M}])+|\p{N}+/gu

/**
 * Runs of letters and runs of digits, in lower case after NFKC; every CJK character by itself.
 * Symbols, hyphens and punctuation are no tokens, so "co-view" is two and "Japan8" is "japan" and
 * "8" however the citation was set; soft hyphens vanish.
 */
export function tokensOf (text: string): string[] {
  return text.normalize('NFKC').replaceAll('\u00AD', '').toLowerCase().match(token) ?? []
}

export function countsOf (tokens: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const word of tokens) counts.set(word, (counts.get(word) ?? 0) + 1)
  return counts
}

/** Runs of `size` tokens, each with the place of its first. */
export function shinglesOf (tokens: readonly string[], size: number): Array<[string, number]> {
  return Array.from({ length: Math.max(0, tokens.length - size + 1) }, (_, i) =>
    [tokens.slice(i, i + size).join(' '), i])
}

/** Where shingles stand that occur once only. */
export function uniqueShingles (tokens: readonly string[], size: number): Map<string, number> {
  const places = new Map<string, number>()
  const twice = new Set<string>()
  for (const [shingle, place] of shinglesOf(tokens, size)) {
    if (places.has(shingle)) twice.add(shingle)
    places.set(shingle, place)
  }
  for (const shingle of twice) places.delete(shingle)
  return places
}

/** Pairs of `values` in ascending order, and all pairs; equal ones count half. */
export function pairsInOrder (values: readonly number[]): { hit: number, of: number } {
  let hit = 0
  for (let i = 0; i < values.length; i++) {
    for (let j = i + 1; j < values.length; j++) {
      hit += values[i]! < values[j]! ? 1 : values[i] === values[j] ? 0.5 : 0
    }
  }
  return { hit, of: values.length * (values.length - 1) / 2 }
}
