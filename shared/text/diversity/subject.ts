/** A pair or a single item as choosing and measuring see it: how much of what it has a hand in. */
import type { Item } from '../../contracts/item.ts'
import type { Unit } from '../duplicates.ts'
import { printOf } from '../similarity.ts'
import { termsOf } from '../tokens.ts'
import { sumOf, type Ground } from './ground.ts'
import { labelsOf, type Labels } from './labels.ts'

export interface Subject {
  unit: Unit
  /** Unique: the id of its first item. */
  key: string
  /** Items that must stand in a fixed proportion to others have a stratum of their own. */
  stratum: string
  /** Has evidence, and every check made of it passed. */
  supported: boolean
  labels: Labels
  /** What the form of a question gives away if it is always the same: a kind of foil, an operation. */
  form?: string
  /** Indexes of the sentences it quotes. */
  sentences: ReadonlySet<number>
  /** Index of a sentence of the abstract → share of its terms, by weight, that the item holds. */
  claims: ReadonlyMap<number, number>
  /** Ids of what it is about or quotes. */
  sections: ReadonlySet<string>
  figures: ReadonlySet<string>
  tables: ReadonlySet<string>
  /** Pairs of neighbouring words of question and answer. */
  bigrams: ReadonlySet<string>
  /** tf-idf of question and answer, of length 1. */
  vector: ReadonlyMap<string, number>
}

/** Of a pair its true member speaks: the other says nearly the same, and is false. */
export function subjectOf (unit: Unit, ground: Ground): Subject {
  const item = unit.find(({ answerIndex }) => answerIndex === 0) ?? unit[0]!
  const text = [item.question, answerOf(item)].join('\n')
  const evidence = unit.flatMap(({ evidence }) => evidence)
  const quotes = evidence.map(({ quote }) => quote).join('\n')
  const form = item.slices['falseForm'] ?? item.slices['edit'] ?? item.slices['operation']
  const quoted = evidence.flatMap(({ target: { id }, sectionId }) => [id ?? '', sectionId ?? ''])
  const parts = [item.place, ...item.figureIds, ...quoted]
  return {
    unit,
    key: unit[0]!.id,
    stratum: stratumOf(item),
    supported: unit.every(isSupported),
    labels: labelsOf(item, ground),
    ...form !== undefined && { form },
    sentences: new Set(evidence.flatMap(ground.sentencesUnder)),
    claims: claimsIn(`${text}\n${quotes}`, ground),
    sections: onlyOf(ground.sections, parts.map(part => ground.sectionOf.get(part) ?? part)),
    figures: onlyOf(ground.figures, parts),
    tables: onlyOf(ground.tables, parts),
    bigrams: printOf(text).shingles,
    vector: vectorOf(text, ground)
  }
}

function isSupported ({ evidence, checks }: Item): boolean {
  return evidence.length > 0 && checks.every(({ passed }) => passed)
}

/** Kind, and what a benchmark has fixed shares of: items without an answer, those that offer it. */
function stratumOf ({ kind, answerability, slices }: Item): string {
  return [kind, answerability ?? 'answered', slices['notSaidOption'] ?? ''].join(' ')
}

function answerOf ({ answer, kind, choices, answerIndex }: Item): string {
  return answer ?? (kind === 'binary' ? '' : choices?.[answerIndex ?? -1]?.text ?? '')
}

function onlyOf (known: ReadonlySet<string>, named: readonly string[]): Set<string> {
  return new Set(named.filter(name => known.has(name)))
}

function claimsIn (text: string, { claims, idf }: Ground): Map<number, number> {
  const said = new Set(termsOf(text))
  return new Map(claims.map(({ index, terms, weight }) =>
    [index, weight === 0 ? 0 : sumOf([...terms].filter(term => said.has(term)), idf) / weight]))
}

function vectorOf (text: string, { idf }: Ground): Map<string, number> {
  const vector = new Map<string, number>()
  for (const term of termsOf(text)) vector.set(term, (vector.get(term) ?? 0) + idf(term))
  const length = Math.sqrt([...vector.values()].reduce((sum, value) => sum + value ** 2, 0))
  return new Map([...vector].map(([term, value]) => [term, value / length]))
}

/** Cosine of question and answer by tf-idf, in [0, 1]. */
export function likenessOf ({ vector: a }: Subject, { vector: b }: Subject): number {
  const [few, many] = a.size <= b.size ? [a, b] : [b, a]
  let sum = 0
  for (const [term, value] of few) sum += value * (many.get(term) ?? 0)
  return sum
}
