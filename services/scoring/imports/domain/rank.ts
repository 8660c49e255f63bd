/** Whether several imported logs can be ranked, on the items that all of them have. */
import type { ImportedItem, ImportRanking, RunImport } from '../../../../shared/contracts/run-import.ts'
import { boundsOf, oursScore, rangeOf, shiftOf } from './verdicts.ts'

export interface Ranked {
  record: RunImport
  items: readonly ImportedItem[]
}

/** Items with the same id and the same gold in every log, in the first one's order. */
function common (logs: readonly Ranked[]) {
  const byId = logs.map(({ items }) => new Map(items.map(item => [item.id, item])))
  const shared = logs[0]!.items.filter(({ id }) => byId.every(items => items.has(id))).map(({ id }) => id)
  const ids = shared.filter(id => new Set(byId.map(items => items.get(id)!.gold)).size === 1)
  return { ids, clashes: shared.length - ids.length, byId }
}

/**
 * Best first, by our score. Refused where what is undecided could turn the order of two neighbours (their
 * partial-identification bounds touch), and where the logs are not of one thing.
 */
export function rankImports (logs: readonly Ranked[]): ImportRanking {
  const { measure } = logs[0]!.record
  const mixed = logs.some(({ record }) => record.measure !== measure)
  const { ids, clashes, byId } = mixed ? { ids: [], clashes: 0, byId: [] } : common(logs)
  const rows = logs.map(({ record }, at) => {
    const items = ids.map(id => byId[at]!.get(id)!)
    return { record, items, ours: oursScore(items, measure), bounds: boundsOf(items, measure) }
  })
  const worth = rows.map(({ ours }) => ours.value ?? -Infinity)
  const order = [...rows.keys()].sort((a, b) => worth[b]! - worth[a]! || a - b)
  const pairs = ids.length === 0
    ? []
    : order.slice(1).map((worse, at) => pairOf(rows[order[at]!]!, rows[worse]!, measure))
  const names = new Map(logs.map(({ record }) => [record.id, record.name]))
  const reason = refusal({ mixed, items: ids.length, clashes, pairs, names })
  return {
    items: ids.length,
    ranking: reason === undefined ? ranksOf(order.map(at => rows[at]!)) : null,
    ...reason !== undefined && { reason },
    rows: rows.map(({ record, ours, bounds }) => ({ importId: record.id, name: record.name, ours, bounds })),
    pairs
  }
}

interface Row {
  record: RunImport
  items: ImportedItem[]
  ours: ImportRanking['rows'][number]['ours']
  bounds: ImportRanking['rows'][number]['bounds']
}

function pairOf (better: Row, worse: Row, measure: RunImport['measure']): ImportRanking['pairs'][number] {
  const pairs = better.items.flatMap((item, at) => {
    const [first, second] = [worse.items[at]!.ours.value, item.ours.value]
    return first === null || second === null ? [] : [{ first, second, cluster: item.cluster }]
  })
  const tied = better.ours.value === worse.ours.value
  // Equal scores without anything undecided are a tie, and no band.
  const open = better.bounds.undecided + worse.bounds.undecided > 0
  return {
    importIds: [better.record.id, worse.record.id],
    better: tied ? null : better.record.id,
    worse: tied ? null : worse.record.id,
    insideBand: open && better.bounds.low! <= worse.bounds.high!,
    difference: shiftOf(pairs, rangeOf(measure))
  }
}

interface Found {
  mixed: boolean
  items: number
  clashes: number
  pairs: ImportRanking['pairs']
  names: ReadonlyMap<string, string>
}

function refusal ({ mixed, items, clashes, pairs, names }: Found): string | undefined {
  if (mixed) return 'Some are right-or-wrong logs and some a judge\'s: they have no common scale.'
  if (clashes > 0) return `${clashes} items have the same id and another gold in another log: the logs are not of the same items, or of different versions of them.`
  if (items === 0) return 'No item is in all of the logs: give mapping.id a path that names the same items in each.'
  const inside = pairs.filter(({ insideBand }) => insideBand)
  if (inside.length === 0) return undefined
  const told = inside.slice(0, 5).map(({ importIds: [first, second] }) => `"${names.get(first)}" and "${names.get(second)}"`).join('; ')
  return `What could not be read, or is read in two ways, could turn the order of ${told}: their bounds overlap. Retry what failed, or read those replies by hand (GET …/items?show=undecided).`
}

/** Equal scores share a rank. */
function ranksOf (rows: readonly Row[]): NonNullable<ImportRanking['ranking']> {
  let rank = 1
  return rows.map(({ record, ours }, at) => {
    if (at > 0 && ours.value !== rows[at - 1]!.ours.value) rank = at + 1
    return { rank, importId: record.id, name: record.name }
  })
}
