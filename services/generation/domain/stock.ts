/** A paper's own values and names, from which false members are made. */
import { wordsOf } from '../../../shared/text/tokens.ts'
import { withoutTrivia } from '../../../shared/text/trivial-facts.ts'
import type { Stock } from './foil.ts'
import { measuredIn } from './measured.ts'
import { namesIn } from './names.ts'
import type { SourceText } from './source-text.ts'

const valuesPerUnitMax = 200

export function stockOf (source: SourceText): Stock {
  const values = new Map<string, Map<string, number>>()
  const siblings = new Map<string, Set<string>>()
  const follow = new Set<string>()
  for (const { text: said } of source.sentences) {
    const text = withoutTrivia(said)
    for (const { text: digits, value, unit } of measuredIn(text)) {
      if (value === undefined || unit === undefined) continue
      const known = values.get(unit) ?? new Map<string, number>()
      if (known.size < valuesPerUnitMax) known.set(digits, value)
      values.set(unit, known)
    }
    for (const { text: name, end } of namesIn(text)) {
      const next = /^ (\p{Ll}+)/u.exec(text.slice(end, end + 40))?.[1]
      if (next !== undefined) follow.add(`${name} ${next}`)
    }
    for (const [a, b] of coordinated(text)) {
      siblings.set(a, (siblings.get(a) ?? new Set()).add(b))
      siblings.set(b, (siblings.get(b) ?? new Set()).add(a))
    }
  }
  return { values, siblings, follow }
}

/** Words that open with a small letter somewhere: a capital of theirs is only a sentence's. */
export function lowerCaseWordsOf (source: SourceText): ReadonlySet<string> {
  const words = source.sentences.flatMap(({ text }) => wordsOf(text).slice(1).map(({ text }) => text))
  return new Set(words.filter(word => /^\p{Ll}+$/u.test(word)))
}

/** Names of one kind that the paper itself sets side by side: "A and B", "A, B", "A versus B". */
function * coordinated (text: string): Generator<[string, string]> {
  const names = namesIn(text).filter(({ text }) => text.length >= 2)
  for (const [i, name] of names.entries()) {
    const next = names[i + 1]
    if (next === undefined || next.text === name.text) continue
    const between = text.slice(name.end, next.start)
    if (!/^(?:,? (?:and|or|vs\.?|versus) |, )$/u.test(between)) continue
    const shape = shapeOf(name.text)
    if (shape !== undefined && shape === shapeOf(next.text)) yield [name.text, next.text]
  }
}

/** Acronyms go with acronyms, numbered and compound names with those that begin alike. */
function shapeOf (name: string): string | undefined {
  if (/[-/·]/u.test(name)) return /^[^-/·]*/u.exec(name)?.[0] ?? ''
  if (/\d/u.test(name)) return name.replaceAll(/\d+/gu, '#')
  return /^\p{Lu}{2,}s?$/u.test(name) ? 'ACRONYM' : undefined
}
