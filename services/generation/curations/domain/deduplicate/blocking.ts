/**
 * Which items may repeat each other, found without comparing each with each. Exact: of two sets that share
 * the wanted part of their members, the rarest of the one and of the other have one in common (prefix
 * filtering), so that looking up choices, keys and, without choices, terms misses none.
 *
 * @see Chaudhuri, Ganti & Kaushik 2006, A primitive operator for similarity joins in data cleaning
 */
import { termsOf } from '../../../../../shared/text/tokens.ts'

/** Two texts are compared only if they share this part of the terms of the one that has more. */
export const sharedTermsMin = 0.4

/** Terms as numbers, the rarest in all texts first; of a text without terms, its letters as one. */
export function rankedTerms (texts: readonly string[]): Int32Array[] {
  const numbers = new Map<string, number>()
  const counts: number[] = []
  const raw = texts.map(text => {
    const terms = new Set(termsOf(text))
    if (terms.size === 0) terms.add(text.normalize('NFKC').toLowerCase().replaceAll(/\s/gu, ''))
    return Int32Array.from(terms, term => {
      const number = numbers.get(term) ?? numbers.size
      numbers.set(term, number)
      counts[number] = (counts[number] ?? 0) + 1
      return number
    })
  })
  const order = [...counts.keys()].sort((a, b) => counts[a]! - counts[b]! || a - b)
  const rank = new Int32Array(order.length)
  for (const [at, number] of order.entries()) rank[number] = at
  return raw.map(terms => terms.map(number => rank[number]!).sort())
}

/** Choices and what is keyed as numbers, equal ones equal; the key -1 where there is none. */
export interface Numbered { key: number, choices: Int32Array }

/** So many choices may be left over on a side; where more are, only the same key keeps a pair. */
export function leftOverMax (choices: number): number {
  return Math.max(1, Math.floor(choices / 2))
}

/** Whether a pair can be told apart by choices and keys alone. */
export function isOut (a: Numbered, b: Numbered): boolean {
  if (a.key === b.key && a.key !== -1) return false
  if (a.choices.length !== b.choices.length) return true
  let rest = 0
  for (const choice of a.choices) if (!b.choices.includes(choice)) rest++
  return rest > 0 && rest > leftOverMax(a.choices.length)
}

export interface Blocks {
  /** Numbers of the items that were added and may repeat this one, ascending. */
  candidates: (item: number) => number[]
  add: (item: number) => void
}

/**
 * @param terms     of all items, from `rankedTerms`
 * @param numbered  of all items; the numbers of choices the smaller the rarer
 */
export function blocksOf (terms: readonly Int32Array[], numbered: readonly Numbered[]): Blocks {
  const holders = new Map<string, number[]>()
  const seenBy = new Int32Array(terms.length).fill(-1)
  const keysOf = (item: number) => lookUps(terms[item]!, numbered[item]!)
  return {
    candidates (item) {
      const found: number[] = []
      for (const key of keysOf(item)) {
        for (const other of holders.get(key) ?? []) {
          if (seenBy[other] === item) continue
          seenBy[other] = item
          if (isOut(numbered[item]!, numbered[other]!)) continue
          if (sharesEnough(terms[item]!, terms[other]!)) found.push(other)
        }
      }
      return found.sort((a, b) => a - b)
    },
    add (item) {
      for (const key of keysOf(item)) {
        const list = holders.get(key)
        if (list === undefined) holders.set(key, [item])
        else list.push(item)
      }
    }
  }
}

/** Two items that may repeat each other have one of these in common. */
function lookUps (terms: Int32Array, { key, choices }: Numbered): string[] {
  const found = key === -1 ? [] : [`key ${key}`]
  const distinct = [...new Set(choices)].sort((a, b) => a - b)
  if (choices.length === 0) {
    const needed = Math.ceil(sharedTermsMin * terms.length)
    return [...found, ...Array.from(terms.subarray(0, terms.length - needed + 1), term => `term ${term}`)]
  }
  const shared = choices.length - leftOverMax(choices.length)
  const looked = distinct.length < choices.length ? distinct : distinct.slice(0, choices.length - shared + 1)
  return [...found, ...looked.map(choice => `choice ${choice}`)]
}

/** Both ascending. */
export function sharesEnough (a: Int32Array, b: Int32Array): boolean {
  const needed = Math.ceil(sharedTermsMin * Math.max(a.length, b.length))
  if (Math.min(a.length, b.length) < needed) return false
  let shared = 0
  let [i, j] = [0, 0]
  while (i < a.length && j < b.length) {
    if (shared + Math.min(a.length - i, b.length - j) < needed) return false
    if (a[i] === b[j]) { shared++; i++; j++ } else if (a[i]! < b[j]!) i++
    else j++
  }
  return shared >= needed
}
