/** Cheap proxies: how far one comes without reading anything, told by code, no model asked. */
import type { Item, ItemKind } from '../../../../shared/contracts/item.ts'
import type { Proxy } from '../../../../shared/contracts/partial-input.ts'
import { clopperPearsonInterval } from '../../../../shared/stats/proportions.ts'
import { termsOf } from '../../../../shared/text/tokens.ts'
import { evennessOf, evennessOfOrder, seededRandom } from './evenness.ts'
import { estimateOf, observationOf, type Observed } from './estimate.ts'

/** Items whose words are compared: the first of each kind. More would hold the service up. */
const comparedMax = 2000

/**
 * Each proxy over the items it can be asked of; none for a kind that is not there. Those that compare
 * words take the first 2,000 of a kind.
 *
 * The rate of the commonest position or answer is the largest of several, and so above chance by
 * chance: its interval is Bonferroni's over all of them, items taken as independent.
 */
export function * proxiesOf (items: readonly Item[]): Generator<void, Proxy[]> {
  const ofKind = (kind: ItemKind) => items.filter(item => item.kind === kind)
  const [binary, choice] = [ofKind('binary'), ofKind('choice')]
  yield
  const found = [
    ...yield * guessing('longest-choice', choice, ({ choices = [] }) => choices.map(({ text }) => [...text.trim()].length)),
    ...yield * guessing('choice-like-question', choice.slice(0, comparedMax), ({ question, choices = [] }) => choices.map(({ text }) => shared(text, question))),
    ...yield * commonestPosition(choice),
    ...commonest('commonest-answer', binary, ({ answerIndex = 0, choices }) => choices?.[answerIndex]?.text ?? ''),
    ...trueMemberFirst(binary)
  ]
  for (const kind of ['qa', 'vqa'] as const) found.push(...yield * inQuestion(ofKind(kind).slice(0, comparedMax)))
  return found
}

type Name = Proxy['name']

/** Takes the choice that scores highest; of several, each for its part. */
function * guessing (
  name: Name, items: readonly Item[], scoresOf: (item: Item) => number[]
): Generator<void, Proxy[]> {
  if (items.length === 0) return []
  const observed: Observed[] = []
  for (const item of items) {
    yield
    const scores = scoresOf(item)
    const most = Math.max(...scores)
    const winners = [...scores.keys()].filter(index => scores[index] === most)
    observed.push(observationOf(item, winners.includes(item.answerIndex ?? -1) ? 1 / winners.length : 0))
  }
  yield
  const rate = estimateOf(observed)
  return [proxy(name, items, { interval: rate, chance: chanceOf(items) })]
}

function commonest (name: Name, items: readonly Item[], valueOf: (item: Item) => string): Proxy[] {
  if (items.length === 0) return []
  const counts = new Map<string, number>()
  for (const item of items) counts.set(valueOf(item), (counts.get(valueOf(item)) ?? 0) + 1)
  const alternatives = Math.max(...items.map(({ choices = [] }) => choices.length))
  const successes = Math.max(...counts.values())
  const { low, high } = clopperPearsonInterval({ successes, trials: items.length }, 1 - 0.05 / alternatives)
  const interval = { value: successes / items.length, low, high, over: 'exact' as const }
  const ordered = [...counts].sort(([a], [b]) => a.length - b.length || (a < b ? -1 : 1))
  const found = proxy(name, items, { interval, chance: chanceOf(items) })
  return [{ ...found, counts: Object.fromEntries(ordered) }]
}

function * commonestPosition (items: readonly Item[]): Generator<void, Proxy[]> {
  const found = commonest('commonest-position', items, ({ answerIndex = 0 }) => String(answerIndex + 1))
  if (found.length === 0) return []
  const places = new Map<number, number[]>()
  for (const { choices = [], answerIndex = 0 } of items) {
    const counts = places.get(choices.length) ?? new Array<number>(choices.length).fill(0)
    places.set(choices.length, counts)
    counts[answerIndex]!++
  }
  const groups = [...places].sort(([a], [b]) => a - b).map(([choices, counts]) => ({ choices, counts }))
  const evenness = yield * evennessOf(groups, seededRandom(1))
  return found.map(proxy => ({ ...proxy, evenness }))
}

/** Of whole pairs, in the order of the items: saying yes first would then be right as often. */
function trueMemberFirst (items: readonly Item[]): Proxy[] {
  const firsts = new Map<string, Item>()
  let [first, pairs] = [0, 0]
  for (const item of items) {
    const other = item.pairId === undefined ? undefined : firsts.get(item.pairId)
    if (item.pairId !== undefined && other === undefined) firsts.set(item.pairId, item)
    if (other === undefined) continue
    pairs++
    if (other.answerIndex === 0) first++
  }
  if (pairs === 0) return []
  const { low, high } = clopperPearsonInterval({ successes: first, trials: pairs })
  const interval = { value: first / pairs, low, high, over: 'exact' as const }
  const counts = { first, second: pairs - first }
  return [{ name: 'true-member-first', kind: 'binary', n: pairs, rate: first / pairs, chance: 0.5, interval, counts, evenness: evennessOfOrder(first, pairs) }]
}

function * inQuestion (items: readonly Item[]): Generator<void, Proxy[]> {
  const [first] = items
  if (first === undefined) return []
  const observed: Observed[] = []
  for (const item of items) {
    yield
    observed.push(observationOf(item, shared(item.answer ?? '', item.question)))
  }
  yield
  const interval = estimateOf(observed)
  return [proxy('answer-in-question', items, { interval, chance: null })]
}

function proxy (name: Name, items: readonly Item[], { interval, chance }: Pick<Proxy, 'interval' | 'chance'>): Proxy {
  return { name, kind: items[0]!.kind, n: items.length, rate: interval.value ?? 0, chance, interval }
}

function chanceOf (items: readonly Item[]): number {
  return items.reduce((sum, { choices = [] }) => sum + 1 / choices.length, 0) / items.length
}

/** Share of the terms of a text that another has; 0 for a text without any. */
function shared (text: string, other: string): number {
  const terms = new Set(termsOf(text))
  const there = new Set(termsOf(other))
  return terms.size === 0 ? 0 : [...terms].filter(term => there.has(term)).length / terms.size
}
