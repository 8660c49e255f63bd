/** Where two runs differ, and what their errors have in common. */
import type { Discordant, ErrorGroups } from '../../../../shared/contracts/comparison.ts'
import type { ItemKind } from '../../../../shared/contracts/item.ts'
import type { Mark, Unit } from './grid.ts'
import type { PairedInput } from './paired.ts'

interface Both { unit: Unit, first: Mark & { value: number }, second: Mark & { value: number } }

function bothCount ({ units, first, second }: PairedInput): Both[] {
  return units.flatMap((unit, at) => {
    const [a, b] = [first.marks[at]!, second.marks[at]!]
    if (a.value === null || b.value === null) return []
    return [{ unit, first: { ...a, value: a.value }, second: { ...b, value: b.value } }]
  })
}

/** As the prompt names the choices: Yes and No, or letters. */
export function choiceLabel (kind: ItemKind, index: number | null): string | null {
  if (index === null || index < 0) return null
  return kind === 'binary' ? ['Yes', 'No'][index] ?? null : String.fromCharCode(65 + index)
}

/** @param itemsMax  how many are listed; all are counted */
export function discordantItems (input: PairedInput, itemsMax: number): Discordant {
  const { measured, first, second } = input
  const found = bothCount(input).filter(({ first: a, second: b }) => a.value !== b.value)
    .map((each, order) => ({ ...each, order, size: Math.abs(each.first.value - each.second.value) }))
    .sort((a, b) => b.size - a.size || a.order - b.order)
  const side = ({ unit: { kind } }: Both, { outcome, answerIndex, value }: Mark & { value: number }) =>
    ({ outcome, answer: choiceLabel(kind, answerIndex), value })
  return {
    metric: measured.metric,
    first: first.runId,
    second: second.runId,
    total: found.length,
    items: found.slice(0, itemsMax).map(each => ({
      itemId: each.unit.itemId,
      kind: each.unit.kind,
      cluster: each.unit.cluster,
      reference: choiceLabel(each.unit.kind, each.unit.referenceIndex),
      first: side(each, each.first),
      second: side(each, each.second)
    }))
  }
}

/** Answers that occur together more often than these are listed; the rest is in the items. */
const answerGroupsMax = 100

/** Of metrics whose values are right or wrong. */
export function errorGroups (input: PairedInput): ErrorGroups {
  const rows = bothCount(input)
  const outcomes = grouped(rows, ({ first, second }) => [[first.outcome, second.outcome] as const])
  const slices = grouped(rows, ({ unit }) => Object.entries({ ...unit.slices, kind: unit.kind }))
  return {
    metric: input.measured.metric,
    first: input.first.runId,
    second: input.second.runId,
    byOutcome: outcomes.map(({ key: [first, second], members }) => ({ first, second, ...fourfold(members) })),
    bySlice: slices.map(
      ({ key: [dimension, value], members }) => ({ dimension, value, ...fourfold(members) })
    ),
    byAnswer: byAnswer(rows)
  }
}

interface Group<K> { key: K, members: Both[] }

/** In code unit order of their keys. */
function grouped<K extends readonly unknown[]> (
  rows: readonly Both[], keysOf: (row: Both) => readonly K[]
): Array<Group<K>> {
  const groups = new Map<string, Group<K>>()
  for (const row of rows) {
    for (const key of keysOf(row)) {
      const text = JSON.stringify(key)
      const group = groups.get(text) ?? { key, members: [] }
      group.members.push(row)
      groups.set(text, group)
    }
  }
  return [...groups].sort(([a], [b]) => a < b ? -1 : 1).map(([, group]) => group)
}

function fourfold (rows: readonly Both[]) {
  const count = (first: boolean, second: boolean) => rows.filter(row =>
    (row.first.value === 1) === first && (row.second.value === 1) === second).length
  return {
    n: rows.length,
    both: count(true, true),
    onlyFirst: count(true, false),
    onlySecond: count(false, true),
    neither: count(false, false)
  }
}

function byAnswer (rows: readonly Both[]): ErrorGroups['byAnswer'] {
  const wrong = rows.filter(({ first, second }) => first.value !== 1 || second.value !== 1)
  const read = (row: Both, { answerIndex }: Mark) => choiceLabel(row.unit.kind, answerIndex)
  const answered = wrong.filter(({ unit, first, second }) => unit.referenceIndex !== null &&
    first.value !== 1 && second.value !== 1 && first.answerIndex !== null && second.answerIndex !== null)
  const groups = grouped(wrong.filter(({ unit }) => unit.referenceIndex !== null), row =>
    [[
      choiceLabel(row.unit.kind, row.unit.referenceIndex), read(row, row.first), read(row, row.second)
    ] as const])
  return {
    bothWrong: answered.length,
    sameWrong: answered.filter(({ first, second }) => first.answerIndex === second.answerIndex).length,
    sameWrongByChance: answered.length === 0 ? null : sameByChance(answered),
    groups: groups.map(({ key: [reference, first, second], members }) =>
      ({ reference: reference ?? '', first, second, n: members.length }))
      .sort((a, b) => b.n - a.n).slice(0, answerGroupsMax)
  }
}

/** If both picked independently among the wrong choices, given kind and reference. */
function sameByChance (rows: readonly Both[]): number {
  const groups = grouped(rows, ({ unit }) => [[unit.kind, unit.referenceIndex] as const])
  return groups.reduce((sum, { members }) => {
    const counts = new Map<number, [number, number]>()
    for (const { first, second } of members) {
      for (const [side, { answerIndex }] of [first, second].entries()) {
        const own = counts.get(answerIndex!) ?? [0, 0]
        own[side]! += 1
        counts.set(answerIndex!, own)
      }
    }
    return sum + [...counts.values()].reduce((all, [a, b]) => all + a * b, 0) / members.length
  }, 0)
}
