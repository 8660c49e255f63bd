/**
 * Simulated families of models put to simulated items, some of which leak: the real inference on
 * answers whose truth is known.
 */
import type { Item } from '../../../shared/contracts/item.ts'
import type { PartialAnswer, PartialCondition, PartialInputItem } from '../../../shared/contracts/partial-input.ts'
import { idOf } from '../../../shared/contracts/hash.ts'
import { seededRandom, type Random } from '../../../shared/testing/random.ts'
import { cyclic } from '../../../services/reviewing/baselines/domain/orders.ts'
import { settle, summaryOf, type Settled, type Summary } from '../../../services/reviewing/baselines/domain/report.ts'

/** How models guess where they cannot know, each a probability; what is left is chance. */
export interface Guessing {
  /** What all families would take. */
  herd?: number
  /** What the family would take, always the same for an item. */
  fixed?: number
  /** The choice shown first; of yes/no questions, Yes. */
  first?: number
}

export interface Scenario {
  items: number
  /** Choices of an item; 2: minimal pairs of yes/no questions, and `items` counts pairs. */
  alternatives: number
  families: number
  modelsEach: number
  orders: number
  /** Share of items that can be told without their paper. */
  leaky: number
  /** That a family can tell a leaky item, and that one asking then shows it. */
  knows: number
  shows: number
  guessing: Guessing
}

export const usual: Scenario = {
  items: 200, alternatives: 4, families: 5, modelsEach: 2, orders: 4, leaky: 0.2, knows: 0.9, shows: 0.9, guessing: {}
}

/** Of each unit: whether it leaks, and what was found. */
export interface Found { leaky: boolean, item: PartialInputItem, asked: number, right: number }

const conditions: PartialCondition[] = ['question-only', 'full']

export function simulate (scenario: Scenario, seed: number): Found[] {
  const random = seededRandom(seed)
  const { items: count, alternatives, leaky } = scenario
  const summaries: Summary[] = []
  const leaks: boolean[] = []
  const naive: Array<{ asked: number, right: number }> = []
  for (let i = 0; i < count; i++) {
    const leaks1 = random.next() < leaky
    leaks.push(leaks1)
    const members = alternatives === 2 ? [0, 1].map(index => binary(i, index)) : [choiceItem(i, alternatives, random)]
    const world = worldOf(scenario, members, random)
    const own = members.map((item, member) => summaryOf({
      item,
      itemHash: '',
      answers: world.families.flatMap((family, f) => Array.from({ length: scenario.modelsEach }, () => (
        { family: `family ${f}`, answers: conditions.flatMap(condition => answersOf(scenario, { item, member, condition, leaky: leaks1, world, family, random })) })))
    }, conditions))
    summaries.push(...own)
    const said = own.flatMap(({ item, figures }) => [...figures.get('question-only')!.said.values()].map(times => (
      { right: times.get(item.answerIndex!) ?? 0, asked: [...times.values()].reduce((sum, each) => sum + each, 0) })))
    naive.push(said.reduce((sum, each) => ({ asked: sum.asked + each.asked, right: sum.right + each.right }), { asked: 0, right: 0 }))
  }
  const { items } = endOf(settle(summaries, { conditions, families: Array.from({ length: scenario.families }, (_, f) => `family ${f}`), fdr: 'bh' }))
  const perUnit = alternatives === 2 ? items.filter((_, i) => i % 2 === 0) : items
  return perUnit.map((item, i) => ({ leaky: leaks[i]!, item, ...naive[i]! }))
}

interface Family { /** Tells leaky items. */ knows: boolean, /** Of each member, its own fixed guess. */ fixed: number[] }
interface World { families: Family[], herd: number[] }

function worldOf ({ families, alternatives, knows }: Scenario, members: readonly Item[], random: Random): World {
  const guess = () => members.map(() => random.whole(0, alternatives - 1))
  return { herd: guess(), families: Array.from({ length: families }, () => ({ knows: random.next() < knows, fixed: guess() })) }
}

interface Asking {
  item: Item, member: number, condition: PartialCondition, leaky: boolean, world: World, family: Family, random: Random
}

function answersOf ({ alternatives, orders, shows, guessing }: Scenario, asking: Asking): PartialAnswer[] {
  const { item, member, condition, leaky, world, family, random } = asking
  const { herd = 0, fixed = 0, first = 0 } = guessing
  const start = random.whole(0, alternatives - 1)
  const can = condition === 'full' || (leaky && family.knows)
  return Array.from({ length: Math.min(orders, alternatives) }, (_, i): PartialAnswer => {
    const order = (start + i) % alternatives
    let left = random.next()
    const index = can && random.next() < shows
      ? item.answerIndex!
      : (left -= herd) < 0
          ? world.herd[member]!
          : (left -= fixed) < 0
              ? family.fixed[member]!
              : (left -= first) < 0 ? (alternatives === 2 ? 0 : cyclic(alternatives, order)[0]!) : random.whole(0, alternatives - 1)
    return { condition, order, outcome: 'answered', index, reply: null, detail: null, requestHash: null, leftOut: [] }
  })
}

const plain: Omit<Item, 'id' | 'kind' | 'source'> = {
  place: 'abstract',
  figureIds: [],
  question: 'Which?',
  evidence: [],
  language: 'en',
  slices: {},
  checks: [],
  provenance: {
    strategy: 'extractive', strategyVersion: '1', seed: 1, prompt: null, promptHash: null, model: null, upstreamVersion: null, sampling: null, requestHash: null
  }
}

const sourceOf = (i: number) => ({ paperId: idOf('paper', i % 10), documentHash: idOf('document', i % 10) })

function choiceItem (i: number, alternatives: number, random: Random): Item {
  const choices = Array.from({ length: alternatives }, (_, at) => ({ text: String(at) }))
  return { ...plain, id: idOf('item', i), kind: 'choice', source: sourceOf(i), choices, answerIndex: random.whole(0, alternatives - 1) }
}

function binary (i: number, answerIndex: number): Item {
  return {
    ...plain, id: idOf('item', [i, answerIndex]), kind: 'binary', source: sourceOf(i), pairId: `pair ${i}`, choices: [{ text: 'Yes' }, { text: 'No' }], answerIndex
  }
}

function endOf (steps: Iterator<void, Settled>): Settled {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}
