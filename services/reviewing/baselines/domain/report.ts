/** What a set of items comes to under each condition, and what follows for each item. */
import type { Item, ItemKind } from '../../../../shared/contracts/item.ts'
import type {
  PartialAnswer, PartialCondition, PartialInputItem, PartialInputReport, PartialItemVerdict, PartialQuestion,
  PartialRow
} from '../../../../shared/contracts/partial-input.ts'
import { partialConditions, partialQuestions } from '../../../../shared/contracts/partial-input.ts'
import { outcomes, type Outcome } from '../../../../shared/contracts/run.ts'
import { itemKinds } from '../../../../shared/contracts/item.ts'
import { descriptiveAnswer } from '../../../../shared/answers/outcome.ts'
import type { FalseDiscoveryMethod } from '../../../../shared/stats/false-discovery.ts'
import { conditionsFor, questions } from './conditions.ts'
import { estimateOf, observationOf } from './estimate.ts'
import { numberRecall, tokenF1 } from './overlap.ts'
import { verdictsOn, familiesMin, type Asked } from './verdicts.ts'
import { alternativesOf, isCounted, saidOf, standsOf, timesAsked, type Said, type Unit } from './votes.ts'

/** All that was answered of one item. */
export interface AnsweredItem {
  item: Item
  itemHash: string
  answers: ReadonlyArray<{ family: string, answers: readonly PartialAnswer[] }>
}

interface Figures {
  outcomes: Record<Outcome, number>
  said: Said
  /** Family → share right, or overlap with the reference. */
  score: Map<string, number>
  /** Family → share of the reference's numbers. */
  recall: Map<string, number>
}

/** What is kept of an item's answers: no reply, only what it comes to. */
export interface Summary { item: Item, itemHash: string, figures: Map<PartialCondition, Figures> }

const isOpen = (kind: ItemKind) => kind === 'qa' || kind === 'vqa'

export function summaryOf (
  { item, itemHash, answers }: AnsweredItem, conditions: readonly PartialCondition[]
): Summary {
  return {
    item,
    itemHash,
    figures: new Map(conditionsFor(item, conditions).map(condition => {
      const own = answers.map(({ family, answers }) => (
        { family, answers: answers.filter(answer => answer.condition === condition) }))
      return [condition, figuresOf(item, own, condition)]
    }))
  }
}

function figuresOf (item: Item, own: AnsweredItem['answers'], condition: PartialCondition): Figures {
  const counts = Object.fromEntries(outcomes.map(outcome => [outcome, 0])) as Record<Outcome, number>
  for (const { answers } of own) for (const { outcome } of answers) counts[outcome]++
  const said = saidOf(own, condition)
  const figures: Figures = { outcomes: counts, said, score: new Map(), recall: new Map() }
  if (!isOpen(item.kind)) {
    for (const [family, times] of said) {
      figures.score.set(family, (times.get(item.answerIndex ?? -1) ?? 0) / timesAsked(times))
    }
    return figures
  }
  for (const family of said.keys()) {
    const replies = own.filter(each => each.family === family)
      .flatMap(({ answers }) => answers).filter(isCounted)
      .map(({ outcome, reply }) => outcome === 'answered' ? descriptiveAnswer(reply ?? '') : '')
    figures.score.set(family, mean(replies.map(reply => tokenF1(reply, item.answer ?? ''))))
    const recalls = replies.flatMap(reply => numberRecall(reply, item.answer ?? '') ?? [])
    if (recalls.length > 0) figures.recall.set(family, mean(recalls))
  }
  return figures
}

function mean (values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

function rowOf (condition: PartialCondition, kind: ItemKind, all: readonly Summary[]): PartialRow {
  const asked = all.flatMap(({ item, figures }) => {
    const own = figures.get(condition)
    return own === undefined ? [] : [{ item, own, full: figures.get('full')! }]
  })
  const counted = asked.filter(({ own }) => own.score.size > 0)
  const score = estimateOf(counted.map(({ item, own }) => observationOf(item, mean([...own.score.values()]))))
  const recalls = counted.filter(({ own }) => own.recall.size > 0)
  const differences = counted.flatMap(({ item, own, full }) => {
    const both = [...own.score].flatMap(([family, share]) => {
      const whole = full.score.get(family)
      return whole === undefined ? [] : [whole - share]
    })
    return both.length === 0 ? [] : [observationOf(item, mean(both))]
  })
  const open = isOpen(kind)
  const closedItems = open ? [] : counted.map(({ item }) => item)
  const recall = recalls.map(({ item, own }) => observationOf(item, mean([...own.recall.values()])))
  return {
    condition,
    kind,
    items: counted.length,
    papers: new Set(counted.map(({ item }) => observationOf(item, 0).paper)).size,
    families: new Set(counted.flatMap(({ own }) => [...own.score.keys()])).size,
    outcomes: Object.fromEntries(outcomes.map(outcome =>
      [outcome, asked.reduce((sum, { own }) => sum + own.outcomes[outcome], 0)])) as Record<Outcome, number>,
    accuracy: open ? null : score,
    chance: closedItems.length === 0
      ? null
      : mean(closedItems.map(({ choices }) => 1 / (choices?.length ?? 2))),
    majority: closedItems.length === 0 ? null : commonest(closedItems) / closedItems.length,
    lessThanFull: condition === 'full' ? null : estimateOf(differences, 'difference'),
    tokenF1: open ? score : null,
    numberRecall: open ? estimateOf(recall) : null
  }
}

/** Items whose right answer stands at the commonest place. */
function commonest (items: readonly Item[]): number {
  const counts = new Map<number, number>()
  for (const { answerIndex = -1 } of items) counts.set(answerIndex, (counts.get(answerIndex) ?? 0) + 1)
  return Math.max(0, ...counts.values())
}

export interface Settled { report: PartialInputReport, items: PartialInputItem[] }

export interface Terms {
  conditions: readonly PartialCondition[]
  families: readonly string[]
  fdr: FalseDiscoveryMethod
}

/**
 * Report and verdicts of all items together, the items in the order given. Stops now and then, so that
 * its caller may turn to others.
 */
export function * settle (
  summaries: readonly Summary[], { conditions, families, fdr }: Terms
): Generator<void, Settled> {
  const rows: PartialRow[] = []
  for (const kind of itemKinds) {
    const own = summaries.filter(({ item }) => item.kind === kind)
    for (const condition of partialConditions) {
      if (own.some(({ figures }) => figures.has(condition))) rows.push(rowOf(condition, kind, own))
      yield
    }
  }
  const verdicts = yield * verdictsOf(summaries, { conditions, fdr })
  const items = summaries.map(({ item, itemHash, figures }): PartialInputItem => ({
    itemId: item.id,
    itemHash,
    kind: item.kind,
    ...item.pairId !== undefined && { pairId: item.pairId },
    ...verdicts.get(item.id)!,
    accuracy: isOpen(item.kind)
      ? {}
      : Object.fromEntries([...figures].map(([condition, { score }]) =>
        [condition, score.size === 0 ? null : mean([...score.values()])]))
  }))
  return {
    report: {
      items: items.length,
      families: [...families],
      rows,
      verdicts: countsOf(items),
      notes: notesOn(families, items)
    },
    items
  }
}

/** Verdicts on every question, counted over items. */
export function countsOf (items: readonly PartialInputItem[]): PartialInputReport['verdicts'] {
  const counts = partialQuestions.map(question => [question, countOf(items.map(item => item[question]))])
  return Object.fromEntries(counts) as PartialInputReport['verdicts']
}

function countOf (
  verdicts: ReadonlyArray<PartialItemVerdict | null>
): { yes: number, no: number, undetermined: number } {
  const count = (of: string) => verdicts.filter(each => each?.verdict === of).length
  return { yes: count('yes'), no: count('no'), undetermined: count('undetermined') }
}

type ByQuestion = Record<PartialQuestion, PartialItemVerdict | null>

function * verdictsOf (
  summaries: readonly Summary[], { conditions, fdr }: Pick<Terms, 'conditions' | 'fdr'>
): Generator<void, Map<string, ByQuestion>> {
  const figuresOf = new Map(summaries.map(({ item, figures }) => [item.id, figures]))
  const units = unitsOf(summaries.map(({ item }) => item))
  const asked: Asked[] = []
  for (const unit of units) {
    // A pair is asked under what both members are asked under.
    const shared = partialConditions.filter(each => unit.every(({ id }) => figuresOf.get(id)!.has(each)))
    const said = (condition: PartialCondition) =>
      unit.map(({ id }) => figuresOf.get(id)!.get(condition)!.said)
    asked.push({
      alternatives: alternativesOf(unit),
      stands: new Map(shared.map(condition => [condition, standsOf(unit, said(condition))]))
    })
    yield
  }
  const found = new Map(summaries.map(({ item }) => [item.id, unjudged(item, conditions)]))
  for (const question of partialQuestions) {
    for (const [i, verdict] of verdictsOn(question, asked, fdr).entries()) {
      for (const { id } of units[i]!) found.get(id)![question] = verdict
    }
    yield
  }
  return found
}

/** What votes can be counted on: choices, and pairs with both members. */
function unitsOf (items: readonly Item[]): Unit[] {
  const pairs = new Map<string, Item[]>()
  const units: Unit[] = []
  for (const item of items) {
    if (item.kind === 'choice') units.push([item])
    if (item.kind !== 'binary' || item.pairId === undefined) continue
    const own = pairs.get(item.pairId) ?? []
    pairs.set(item.pairId, own)
    own.push(item)
  }
  for (const members of pairs.values()) {
    const [yes, no] = [0, 1].map(index => members.find(({ answerIndex }) => answerIndex === index))
    if (yes !== undefined && no !== undefined && members.length === 2) units.push([yes, no])
  }
  return units
}

/** Of an item that no unit holds: its questions stay open, with the reason. */
function unjudged (item: Item, conditions: readonly PartialCondition[]): ByQuestion {
  const reason = isOpen(item.kind)
    ? 'Whether an open answer is right, no rule can tell; the report has its overlap with the reference.'
    : 'Of a yes/no question without its partner a habit of saying yes cannot be told from knowing.'
  const open: PartialItemVerdict = {
    verdict: 'undetermined', condition: null, families: 0, right: 0, reached: { p: null, least: null, q: null, decoyQ: null }, lost: { p: null, q: null }, reason
  }
  const asked = conditionsFor(item, conditions)
  return Object.fromEntries(partialQuestions.map(question =>
    [question, questions[question].routes.some(route => asked.includes(route)) ? open : null])) as ByQuestion
}

function notesOn (families: readonly string[], items: readonly PartialInputItem[]): string[] {
  const open = items.filter(({ kind }) => isOpen(kind)).length
  const notes: Array<[boolean, string]> = [
    [families.length < familiesMin, `${families.length} of at least ${familiesMin} model families were asked: every verdict is undetermined.`],
    [open > 0, `${open} open questions have no verdict: no rule tells a right open answer from a wrong one.`],
    [true, 'Intervals are for these models; other models may know what these do not.']
  ]
  return notes.filter(([holds]) => holds).map(([, note]) => note)
}
