/** Counts with their Wilson intervals, as tables. */
import { wilsonInterval } from '../../../shared/stats/proportions.ts'
import type { Attributed } from './attribution.ts'
import type { Tried } from './quotes.ts'
import { plantedKinds } from './triples.ts'

export interface Row {
  name: string
  accepted: number
  n: number
  cases: Array<{ accepted: boolean, shown: string }>
}

export function quoteRows (tried: readonly Tried[]): Row[] {
  const cases = tried.map(({ kind, accepted, slug, quote, sentence, reason }) =>
    ({ name: kind, accepted, shown: `${slug}: ${JSON.stringify(quote)} ${reason} OF ${JSON.stringify(sentence)}` }))
  return [...grouped(cases), ...grouped(cases.map(one => ({ ...one, name: 'all' })))]
}

/** Attribution as ALCE counts it: recall by items, precision by the quotes kept. */
export function attributionRows (items: readonly Attributed[]): Record<string, Row[]> {
  const shownOf = (item: Attributed, quote: string) =>
    `${item.slug}: ${JSON.stringify(quote)} FOR ${item.question} ${item.answer.slice(0, 200)}`
  const supporting = items.flatMap(item => item.supporting.map(({ quote, kept, reason }) =>
    ({ name: item.set, accepted: kept, shown: `${reason} ${shownOf(item, quote)}` })))
  const planted = (kind: string) => items.flatMap(item => item.planted
    .filter(one => one.kind === kind)
    .map(({ quote, kept }) => ({ name: item.set, accepted: kept, shown: shownOf(item, quote) })))
  const rows: Record<string, Row[]> = { 'Supporting quotes: accepted': withAll(supporting) }
  for (const kind of plantedKinds) rows[`True but irrelevant, ${kind}: accepted`] = withAll(planted(kind))
  rows['Attribution recall: items all of whose supporting quotes are kept'] = withAll(items.map(item =>
    ({ name: item.set, accepted: item.supporting.every(({ kept }) => kept), shown: item.question })))
  const keptOf = ({ set, supporting, planted }: Attributed) => [
    ...supporting.filter(({ kept }) => kept).map(() => ({ name: set, accepted: true, shown: '' })),
    ...planted.filter(({ kind, kept }) => kept && kind === 'elsewhere')
      .map(() => ({ name: set, accepted: false, shown: '' }))
  ]
  rows['Attribution precision: quotes kept that support, of supporting and planted ones (elsewhere) offered'] =
    withAll(items.flatMap(keptOf))
  return rows
}

interface Case { name: string, accepted: boolean, shown: string }

function withAll (cases: readonly Case[]): Row[] {
  return [...grouped(cases), ...grouped(cases.map(one => ({ ...one, name: 'all' })))]
}

function grouped (cases: readonly Case[]): Row[] {
  return [...new Set(cases.map(({ name }) => name))].map(name => {
    const of = cases.filter(one => one.name === name)
    return { name, accepted: of.filter(({ accepted }) => accepted).length, n: of.length, cases: of }
  })
}

interface Shown {
  /** The most cases shown of each row. */
  misses: number
  /** Cases not of this outcome are shown. */
  want: boolean
}

export function printRows (title: string, rows: readonly Row[], { misses, want }: Shown): void {
  console.log(`\n${title}\n`)
  for (const { name, accepted, n, cases } of rows) {
    const { low, high } = wilsonInterval({ successes: accepted, trials: n })
    const count = `${accepted}/${n}`.padStart(11)
    console.log(`${name.padEnd(40)} ${count} ${percent(accepted / n)} % [${percent(low)}, ${percent(high)}]`)
    if (name === 'all') continue
    for (const { shown } of cases.filter(one => one.accepted !== want).slice(0, misses)) console.log(`    ${shown}`)
  }
}

function percent (share: number): string {
  return (100 * share).toFixed(2).padStart(6)
}
