/**
 * Papers and places whose text a model would learn from: items it fails closed-book (content mode none)
 * and with retrieval, and passes when it is shown the evidence. What AutoPaperBench is for.
 */
import type { BenchmarkItem } from '../../../../shared/contracts/benchmark.ts'
import type { Report, RunReport, TrainingCandidates } from '../../../../shared/contracts/report.ts'
import { canonicalJson } from '../../../../shared/contracts/hash.ts'
import { clusterOf } from '../../../../shared/stats/item-cluster.ts'
import { meanScore } from '../score.ts'
import type { Placed, RunWorths } from './item-scores.ts'

const modes = ['none', 'retrieved', 'oracle'] as const
type Mode = (typeof modes)[number]

export interface CandidateParts {
  items: readonly BenchmarkItem[]
  runs: ReadonlyArray<Pick<RunReport, 'runId' | 'model' | 'condition' | 'baseline'>>
  /** Of the same runs. */
  worths: readonly RunWorths[]
  placed: ReadonlyMap<string, Placed>
  titles: ReadonlyMap<string, string>
}

type Found = NonNullable<Report['trainingCandidates']>

/** Open questions have no pass mark and take no part; nor do baselines, which cannot be trained. */
export function trainingCandidates (parts: CandidateParts): Found {
  const { runs } = parts
  const models = [...new Set(runs.filter(({ baseline }) => !baseline).map(({ model }) => model))]
  const found: Found = { models: [], missing: [] }
  for (const model of models) {
    const triple = tripleOf(parts, model)
    if (triple === undefined) found.missing.push({ model, reason: whyNone(parts, model) })
    else found.models.push(candidatesOf(parts, model, triple))
  }
  return found
}

type Triple = Record<Mode, number>

/** Places in the report of three runs that differ in the content mode alone; the first such. */
function tripleOf ({ runs }: CandidateParts, model: string): Triple | undefined {
  const groups = new Map<string, Partial<Triple>>()
  for (const [at, { model: own, condition }] of runs.entries()) {
    const mode = modes.find(each => each === condition.contentMode)
    if (own !== model || mode === undefined) continue
    const { contentMode, contentTokensMax, ...rest } = condition
    const key = canonicalJson(rest)
    const group = groups.get(key) ?? {}
    groups.set(key, { [mode]: at, ...group })
  }
  return [...groups.values()].find((group): group is Triple => modes.every(mode => group[mode] !== undefined))
}

function whyNone ({ runs }: CandidateParts, model: string): string {
  const have = new Set(runs.filter(run => run.model === model).map(({ condition }) => condition.contentMode))
  const lacking = modes.filter(mode => !have.has(mode))
  return lacking.length === 0
    ? 'Its runs of content modes none, retrieved and oracle differ in more than the content mode.'
    : `The report has no run of it with content mode ${lacking.join(', ')}; POST /v1/runs with each, and name all three.`
}

function candidatesOf (parts: CandidateParts, model: string, triple: Triple): TrainingCandidates {
  const { items, worths, runs } = parts
  const counted = items.flatMap((item, at) => {
    if (item.choices === undefined) return []
    const [none, retrieved, oracle] = modes.map(mode => worths[triple[mode]]!.worths[at] ?? null)
    if (none === null || retrieved === null || oracle === null) return []
    return [{ item, is: none === 0 && retrieved === 0 && oracle === 1 }]
  })
  const chances = counted.map(({ item }) => byChance(item.choices!.length))
  return {
    model,
    runs: Object.fromEntries(modes.map(mode => [mode, runs[triple[mode]]!.runId])) as TrainingCandidates['runs'],
    share: meanScore({
      metric: 'trainingCandidates', signature: 'wrong:none,retrieved|right:oracle|kinds:binary,choice|viva:1', proportion: true
    }, counted.map(({ item, is }) => ({
      value: Number(is), cluster: clusterOf(item), ...item.pairId !== undefined && { pairId: item.pairId }
    })), 'No yes/no or multiple-choice item counts in all three runs.'),
    byChance: chances.length === 0 ? null : chances.reduce((sum, chance) => sum + chance, 0) / chances.length,
    places: placesOf(counted, parts)
  }
}

/** Wrong, wrong, right, each by a pick among so many. */
function byChance (choices: number): number {
  return (1 - 1 / choices) ** 2 / choices
}

function placesOf (
  counted: ReadonlyArray<{ item: BenchmarkItem, is: boolean }>, { placed, titles }: CandidateParts
): TrainingCandidates['places'] {
  const places = new Map<string, TrainingCandidates['places'][number]>()
  for (const { item, is } of counted) {
    const paperId = 'paperId' in item.source ? item.source.paperId : null
    const key = JSON.stringify([paperId, item.place])
    const place = places.get(key) ?? {
      paperId, paperTitle: titles.get(paperId ?? '') ?? '', place: placed.get(item.id)?.place ?? item.place, n: 0, itemIds: []
    }
    place.n++
    if (is) place.itemIds.push(item.id)
    places.set(key, place)
  }
  // Equal ones keep the benchmark's order.
  return [...places.values()].filter(({ itemIds }) => itemIds.length > 0)
    .sort((a, b) => b.itemIds.length - a.itemIds.length)
}
