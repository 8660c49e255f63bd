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
import { timesAsked } from '../../../services/reviewing/baselines/domain/votes.ts'

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
  items: 200,
  alternatives: 4,
  families: 5,
  modelsEach: 2,
  orders: 4,
  leaky: 0.2,
  knows: 0.9,
  shows: 0.9,
  guessing: {}
}

/** Of each unit: whether it leaks, and what was found. */
export interface Found { leaky: boolean, item: PartialInputItem, asked: number, right: number }

const conditions: PartialCondition[] = ['question-only', 'full']

export function simulate (scenario: Scenario, seed: number): Found[] {
  const random = seededRandom(seed)
  const { alternatives, families } = scenario
  const units = Array.from({ length: scenario.items }, (_, i) => unitOf(scenario, i, random))
  const names = Array.from({ length: families }, (_, f) => `family ${f}`)
  const { items } = endOf(settle(units.flatMap(({ summaries }) => summaries), { conditions, families: names, fdr: 'bh' }))
  const perUnit = alternatives === 2 ? items.filter((_, i) => i % 2 === 0) : items
  return units.map(({ leaky, summaries }, i) => ({ leaky, item: perUnit[i]!, ...askingsOf(summaries) }))
}

function unitOf (scenario: Scenario, i: number, random: Random): { leaky: boolean, summaries: Summary[] } {
  const { alternatives, modelsEach } = scenario
  const leaky = random.next() < scenario.leaky
  const members = alternatives === 2
    ? [0, 1].map(index => binary(i, index))
    : [choiceItem(i, alternatives, random)]
  const world = worldOf(scenario, members, random)
  const summaries = members.map((item, member) => {
    const answers = world.families.flatMap((family, f) => Array.from({ length: modelsEach }, () => ({
      family: `family ${f}`,
      answers: conditions.flatMap(condition =>
        answersOf(scenario, { item, member, condition, leaky, world, family, random }))
    })))
    return summaryOf({ item, itemHash: '', answers }, conditions)
  })
  return { leaky, summaries }
}

/** As if each were a trial of its own. */
function askingsOf (summaries: readonly Summary[]): { asked: number, right: number } {
  let [asked, right] = [0, 0]
  for (const { item, figures } of summaries) {
    for (const times of figures.get('question-only')!.said.values()) {
      asked += timesAsked(times)
      right += times.get(item.answerIndex!) ?? 0
    }
  }
  return { asked, right }
}

interface Family {
  /** Tells leaky items. */
  knows: boolean
  /** Of each member, its own fixed guess. */
  fixed: number[]
}

interface World { families: Family[], herd: number[] }

function worldOf (
  { families, alternatives, knows }: Scenario, members: readonly Item[], random: Random
): World {
  const guess = () => members.map(() => random.whole(0, alternatives - 1))
  const family = () => ({ knows: random.next() < knows, fixed: guess() })
  return { herd: guess(), families: Array.from({ length: families }, family) }
}

interface Asking {
  item: Item
  member: number
  condition: PartialCondition
  leaky: boolean
  world: World
  family: Family
  random: Random
}

function answersOf ({ alternatives, orders, shows, guessing }: Scenario, asking: Asking): PartialAnswer[] {
  const { item, member, condition, leaky, world, family, random } = asking
  const { herd = 0, fixed = 0, first = 0 } = guessing
  const start = random.whole(0, alternatives - 1)
  const can = condition === 'full' || (leaky && family.knows)
  return Array.from({ length: Math.min(orders, alternatives) }, (_, i): PartialAnswer => {
    const order = (start + i) % alternatives
    const blank = { condition, order, reply: null, detail: null, requestHash: null, leftOut: [] }
    return { ...blank, outcome: 'answered', index: indexAt(order) }
  })

  function indexAt (order: number): number {
    let left = random.next()
    if (can && random.next() < shows) return item.answerIndex!
    if ((left -= herd) < 0) return world.herd[member]!
    if ((left -= fixed) < 0) return family.fixed[member]!
    if (left - first >= 0) return random.whole(0, alternatives - 1)
    return alternatives === 2 ? 0 : cyclic(alternatives, order)[0]!
  }
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
