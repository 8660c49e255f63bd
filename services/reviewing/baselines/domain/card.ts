/** What a benchmark says of partial-input baselines: on its card, and of each item. */
import type { BenchmarkItem, BenchmarkRequest, DataCard } from '../../../../shared/contracts/benchmark.ts'
import { canonicalJson, sha256 } from '../../../../shared/contracts/hash.ts'
import {
  partialQuestions, type CardPartialInput, type Evenness, type PartialEstimate, type PartialInputItem,
  type Proxy
} from '../../../../shared/contracts/partial-input.ts'
import type { ReviewedItem } from '../../../../shared/contracts/review.ts'
import { evennessItemsMin } from './evenness.ts'
import { proxiesOf } from './proxies.ts'
import { countsOf } from './report.ts'

/** A finished baseline over one of the reviewings that a benchmark is made of. */
export interface Cited extends Pick<CardPartialInput, 'id' | 'reviewingId' | 'models' | 'rows'> {
  items: readonly PartialInputItem[]
}

/** Item id → what was found of it; an item that is no longer what was asked is not in it. */
export type Needs = ReadonlyMap<string, PartialInputItem>

export function needsOf (cited: readonly Cited[], reviewed: readonly ReviewedItem[]): Needs {
  const found = new Map(cited.flatMap(({ reviewingId, items }) => items.map(item => [`${reviewingId} ${item.itemId}`, item])))
  return new Map(reviewed.flatMap(({ item, reviewingId }) => {
    const own = found.get(`${reviewingId} ${item.id}`)
    return own === undefined || own.itemHash !== sha256(canonicalJson(item)) ? [] : [[item.id, own]]
  }))
}

type LeaveOut = NonNullable<BenchmarkRequest['leaveOut']>[number]

const tests: Record<LeaveOut, (of: PartialInputItem) => boolean> = {
  'needs-no-paper': ({ needsPaper }) => needsPaper?.verdict === 'no',
  'needs-no-image': ({ needsImage }) => needsImage?.verdict === 'no',
  'evidence-insufficient': ({ evidenceSufficient }) => evidenceSufficient?.verdict === 'no'
}

/** The first reason that holds; null for what was not asked, or is undetermined. */
export function reasonToLeaveOut (
  of: PartialInputItem | undefined, reasons: readonly LeaveOut[] = []
): LeaveOut | null {
  return of === undefined ? null : reasons.find(reason => tests[reason](of)) ?? null
}

/** As reported dimensions, so that a score may be given for those items alone that need their paper. */
export function needSlices (of: PartialInputItem | undefined): Record<string, string> {
  return Object.fromEntries(partialQuestions.flatMap(question => {
    const verdict = of?.[question]?.verdict
    return verdict === undefined ? [] : [[question, verdict]]
  }))
}

type Parts = Required<Pick<DataCard, 'proxies' | 'partialInput' | 'notes'>>

/** Stops wherever others may have their turn. */
export function * partialInputCard (
  items: readonly BenchmarkItem[], { cited, needs }: { cited: readonly Cited[], needs: Needs }
): Generator<void, Parts> {
  const own = items.flatMap(({ id }) => needs.get(id) ?? [])
  const partialInput = cited.map(({ items: all, ...rest }): CardPartialInput => {
    const ids = new Set(all.map(({ itemId }) => itemId))
    const here = own.filter(({ itemId }) => ids.has(itemId))
    return { ...rest, asked: here.length, verdicts: countsOf(here) }
  })
  const missing = items.length - own.length
  const notes = cited.length === 0
    ? ['No partial-input baseline was run: whether the items need their papers, no model has been asked.']
    : missing === 0 ? [] : [`${missing} of the ${items.length} items were not asked in a partial-input baseline as they stand here.`]
  return { proxies: yield * proxiesOf(items), partialInput, notes }
}

export function proxyLine ({ name, kind, n, rate, chance, interval, counts, evenness }: Proxy): string {
  const against = chance === null ? '' : `; chance ${percent(chance)}`
  const each = counts === undefined ? '' : `; ${Object.entries(counts).map(([value, count]) => `${value}: ${count}`).join(', ')}`
  return `${name} (${kind}): ${percent(rate)} of ${n}${against}${ends(interval)}${each}${evenness === undefined ? '' : `; ${evennessText(evenness)}`}`
}

function evennessText ({ method, n, statistic, df, p, draws, verdict }: Evenness): string {
  const figure = p === null ? '' : `, p ${p < 0.001 ? '< .001' : `= ${p.toFixed(3)}`}`
  const how = {
    'chi-square': `chi-square ${statistic?.toFixed(2)} on ${df} df`,
    simulated: `chi-square ${statistic?.toFixed(2)}, ${draws} simulated`,
    exact: 'exact binomial'
  }[method]
  const said = { uneven: 'uneven', 'no-sign': 'no sign of unevenness', undetermined: `undetermined, as below ${evennessItemsMin} it always is` }[verdict]
  return `${said} (${how}${figure}; n = ${n})`
}

export function baselineLines ({ id, models, rows, asked, verdicts }: CardPartialInput): string[] {
  const families = new Set(models.map(({ family }) => family))
  return [
    `${id}: ${models.map(({ name }) => name).join(', ')} (${families.size} families); ${asked} items of the benchmark asked`,
    ...rows.map(({ condition, kind, items, accuracy, chance, majority, tokenF1 }) => {
      const figure = accuracy ?? tokenF1
      const against = accuracy === null ? ' of the reference\'s words (F1)' : ` right; chance ${shown(chance)}, commonest answer ${shown(majority)}`
      return `${condition} (${kind}, n = ${items}): ${shown(figure?.value ?? null)}${against}${figure === null ? '' : ends(figure)}`
    }),
    ...partialQuestions.map(question => {
      const { yes, no, undetermined } = verdicts[question]
      return `${question}: ${yes} yes, ${no} no, ${undetermined} undetermined`
    })
  ]
}

function ends ({ low, high, over }: PartialEstimate): string {
  return low === null || high === null ? '' : `; 95 % interval ${percent(low)} to ${percent(high)} (${over})`
}

const shown = (share: number | null) => share === null ? 'none' : percent(share)

function percent (share: number): string {
  return `${(share * 100).toFixed(1)} %`
}
