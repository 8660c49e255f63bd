/** Minimal pairs about two numbers of a table: the false member has the two names the other way round. */
import { idOf } from '../../../../shared/contracts/hash.ts'
import type { Item } from '../../../../shared/contracts/item.ts'
import { fractionOf, shuffled } from '../seeded.ts'
import { compare, printed, rounded } from './decimal.ts'
import { evidenceFor, itemOf, labelOf, slicesOf, type Ground } from './items.ts'
import { followsHeadings } from './operations.ts'
import { seriesOf, type Entry, type Series } from './series.ts'

interface Compared { series: Series, high: Entry, low: Entry }

export function pairItemsOf (ground: Ground): Item[] {
  const { grid, recipe } = ground
  const { seed } = recipe
  const series = shuffled(seriesOf(grid).filter(one => one.comparable && !followsHeadings(one)), seed, ({ along, fixed }) => `pair ${along} ${fixed.index}`)
  const compared = series.flatMap(one => comparedIn(one, seed)).slice(0, recipe.pairsPerFigureMax ?? 0)
  return compared.flatMap((pair, index) => membersOf(pair, index, ground))
}

/** The first two in seeded order that differ in what is printed of both. */
function comparedIn (series: Series, seed: number): Compared[] {
  const order = shuffled(series.entries, seed, ({ row, column }) => `pair ${row} ${column}`)
  for (let i = 0; i + 1 < order.length; i++) {
    const [a, b] = [order[i] as Entry, order[i + 1] as Entry]
    const scale = Math.min(a.value.scale, b.value.scale)
    const larger = compare(rounded(a.value, scale), rounded(b.value, scale))
    if (larger !== 0) return [{ series, high: larger > 0 ? a : b, low: larger > 0 ? b : a }]
  }
  return []
}

function membersOf ({ series, high, low }: Compared, index: number, ground: Ground): Item[] {
  const { grid, recipe: { seed }, generationId, document: { paperId }, language } = ground
  const key = `${series.along} ${series.fixed.index}`
  const more = fractionOf(seed, 'more', key) < 0.5
  const pairId = idOf('item', { generationId, pair: grid.table.id, paperId, index })
  const truthFirst = fractionOf(seed, 'first', key) < 0.5
  const label = labelOf(grid)
  const memberOf = (truth: boolean, at: number): Item => {
    const [first, second] = truth === more ? [high, low] : [low, high]
    return itemOf({
      kind: 'binary',
      index: 2 * index + at,
      question: binaryText({ label, series, first, second, more, korean: language === 'ko' }),
      choices: [{ text: 'Yes' }, { text: 'No' }],
      answerIndex: truth ? 0 : 1,
      pairId,
      evidence: evidenceFor([high, low], grid),
      rationale: `${high.label}: ${printed(high.value)}; ${low.label}: ${printed(low.value)}.`,
      slices: slicesOf('compare', 'easy'),
      rule: 'table-compare',
      arguments: { operation: 'compare', along: series.along, fixed: series.fixed.path, of: [first.heading.path, second.heading.path], more }
    }, ground)
  }
  return (truthFirst ? [true, false] : [false, true]).map(memberOf)
}

interface Said { label: string, series: Series, first: Entry, second: Entry, more: boolean, korean: boolean }

function binaryText ({ label, series: { along, fixed }, first, second, more, korean }: Said): string {
  const what = `"${fixed.name}"`
  const [a, b] = [`"${first.heading.name}"`, `"${second.heading.name}"`]
  if (korean) {
    const of = along === 'rows' ? `${what} 열의 값` : `${what} 행의 값`
    return `${label}에서 ${of}은 ${a} 쪽이 ${b} 쪽보다 ${more ? '큰가' : '작은가'}?`
  }
  const place = along === 'rows' ? `in the column ${what}` : `in the row ${what}`
  return `In ${label}, is the value ${place} ${more ? 'higher' : 'lower'} for ${a} than for ${b}?`
}
