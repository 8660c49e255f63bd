/** A leaderboard out of scored runs: the same runs, the same rows in the same order. */
import { clusterNoun } from '../../../../shared/stats/item-cluster.ts'
import type { Benchmark } from '../../../../shared/contracts/benchmark.ts'
import type { Leaderboard, LeaderboardQuery, LeaderboardRow } from '../../../../shared/contracts/leaderboard.ts'
import { baselinePrefix } from '../baselines/baselines.ts'
import { assumedValue, type Unit } from '../compare/grid.ts'
import type { Measured } from '../compare/measured.ts'
import { intervalOfMean } from '../metrics/interval-of-mean.ts'
import { runNames } from '../report/run-names.ts'
import { emptyScore, scoreOf } from '../score.ts'
import { entriesOf, type Entry, type RunMarks } from './entries.ts'
import { rankRows, type Ranked, type Ranking } from './ranks.ts'
import { whyNotRanked } from './ranked-share.ts'
import { sensitivityOf } from './sensitivity.ts'

export const leaderboardSchemaVersion = 1

export interface LeaderboardParts {
  benchmark: Benchmark
  measured: Measured
  units: readonly Unit[]
  runs: readonly RunMarks[]
  leftOut: Leaderboard['leftOut']
  query: LeaderboardQuery
}

interface Named extends Entry { name: string, notRanked?: string }

/** Gives way after each row. */
export function * leaderboardOf (parts: LeaderboardParts): Generator<void, Leaderboard> {
  const { benchmark, measured, units, query, leftOut } = parts
  const entries = namedEntries(parts)
  const ranked = entries.filter(({ notRanked }) => notRanked === undefined)
  const common = units.flatMap((_, at) => ranked.every(({ marks }) => marks[at]!.value !== null) ? [at] : [])
  const clusters = common.map(at => units[at]!.cluster)
  const values = ranked.map(({ marks }) => common.map(at => marks[at]!.value!))
  const { rows: standings, method: rankMethod, fewMoving } = common.length === 0
    ? { rows: [], method: 'none', fewMoving: null }
    : yield * rankRows({ values, clusters }, query.level)
  const rows = entries.map(entry => rowOf(entry, {
    parts, common, standing: standings[ranked.indexOf(entry)]
  })).sort(byRank)
  const [first, second] = rows.filter(({ rank }) => rank !== null)
    .map(row => ({ name: row.name, values: values[ranked.findIndex(({ name }) => name === row.name)]! }))
  const { id, name, version } = benchmark
  const { metric, kind, baselines, humans, itemsShare, level, ...filter } = query
  return {
    schemaVersion: leaderboardSchemaVersion,
    benchmark: { id, name, version },
    metric,
    kind: kind ?? null,
    filter: { ...filter, baselines, humans, itemsShare },
    level,
    items: units.length,
    commonItems: ranked.length === 0 ? 0 : common.length,
    rankMethod,
    rows,
    leftOut,
    sensitivity: first === undefined || second === undefined
      ? null
      : sensitivityOf({ first, second, itemIds: common.map(at => units[at]!.itemId), clusters }),
    notes: notesOf({ entries, common: common.length, measured, units, clusters, fewMoving })
  }
}

function namedEntries ({ units, runs, query }: LeaderboardParts): Named[] {
  const entries = entriesOf(runs)
  const names = runNames(
    entries.map(({ runIds, model, condition }) => ({ runId: runIds[0]!, model, condition }))
  )
  const reasons = whyNotRanked(entries, { items: units.length, itemsShare: query.itemsShare })
  return entries.map((entry, at) => {
    const notRanked = reasons[at]
    return { ...entry, name: names[at]!, ...notRanked !== undefined && { notRanked } }
  })
}

interface Placed { parts: LeaderboardParts, common: readonly number[], standing: Ranked | undefined }

function rowOf (
  entry: Named, { parts: { measured, units, query }, common, standing }: Placed
): LeaderboardRow {
  const { name, model, condition, prompts, sittingId, runIds, outcomes, marks, notRanked } = entry
  const single = runIds.length === 1
  const observations = units.flatMap(({ cluster, pairId }, at) => {
    const { value } = marks[at]!
    return value === null ? [] : [{ value, cluster, ...pairId !== null && { pairId } }]
  })
  const measure = {
    metric: measured.metric,
    signature: single ? measured.signature : `${measured.signature}|mean of ${runIds.length} repeats`,
    range: measured.range
  }
  const kind = { proportion: measured.proportion && single, range: measured.range, level: query.level }
  const score = observations.length === 0
    ? emptyScore(measure, `None of ${units.length} items counts.`)
    : scoreOf(measure, intervalOfMean(observations, kind))
  const reason = notRanked ?? (standing === undefined ? noCommonItem : undefined)
  return {
    name,
    model,
    baseline: model.startsWith(baselinePrefix),
    human: sittingId !== undefined,
    condition,
    prompts: [...prompts],
    runIds,
    outcomes,
    score,
    common: standing === undefined
      ? null
      : {
          value: standing.mean, n: common.length, clusters: new Set(common.map(at => units[at]!.cluster)).size
        },
    rank: standing?.rank ?? null,
    rankSet: standing?.rankSet ?? null,
    tieGroup: standing?.tieGroup ?? null,
    leaveOnePaperOut: standing?.leaveOneOut ?? null,
    bounds: boundsOf(entry, measured),
    ...reason !== undefined && { notRanked: reason }
  }
}

const noCommonItem = 'No item counts for every run that could be ranked: there is nothing to rank by.'

function boundsOf ({ marks }: Entry, { range: [low, high] }: Measured): LeaderboardRow['bounds'] {
  const errors = marks.filter(({ outcome }) => outcome === 'error').length
  if (errors === 0) return null
  const meanWith = (assumed: number) => {
    const values = marks.flatMap(mark => assumedValue(mark, assumed) ?? [])
    return values.reduce((all, value) => all + value, 0) / values.length
  }
  return { low: meanWith(low), high: meanWith(high), errors }
}

function byRank (a: LeaderboardRow, b: LeaderboardRow): number {
  return (a.rank ?? Infinity) - (b.rank ?? Infinity) || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0)
}

interface Facts {
  entries: readonly Named[]
  common: number
  measured: Measured
  units: readonly Unit[]
  clusters: readonly string[]
  fewMoving: Ranking['fewMoving']
}

function notesOf ({ entries, common, measured, units, clusters, fewMoving }: Facts): string[] {
  const ranked = entries.filter(({ notRanked }) => notRanked === undefined)
  const papers = new Set(clusters).size
  const notes = []
  if (units.length === 0) notes.push(`The benchmark has no item of which ${measured.metric} is defined.`)
  else if (ranked.length > 0 && common < units.length) {
    notes.push(`Scores are over each run's own items; ranks compare the ${common} of ${units.length} items that count for every ranked run.`)
  }
  if (new Set(units.map(({ kind }) => kind)).size > 1) notes.push('Items of several kinds are taken together, each with equal weight; pass kind to keep them apart.')
  const noun = clusterNoun(clusters)
  const one = noun === 'papers' ? 'One paper' : 'All items are one cluster'
  if (ranked.length > 1 && papers === 1) notes.push(`${one}: there are no rank confidence sets, and the ranks say nothing of other ${noun}.`)
  else if (ranked.length > 1 && papers > 1 && papers < 5) notes.push(`The ranks are conditional on these ${papers} ${noun}.`)
  if (papers > 1 && fewMoving !== null) notes.push(`Undecided in any case: in ${fewMoving.pairs} of ${fewMoving.of} pairs of rows so few ${noun} differ that no p below ${fewMoving.smallestP} can come out.`)
  const inError = entries.filter(({ outcomes }) => outcomes.error > 0)
  if (inError.length > 0) notes.push(`Not ranked while items end in error, so that the ranks of others may still change: ${inError.map(({ name }) => name).join(', ')}.`)
  return notes
}
