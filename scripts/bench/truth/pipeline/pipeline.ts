/**
 * What a user would read of simulated models, held against what they are: runs, comparisons and
 * leaderboards over HTTP, of worlds whose truth is known.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Comparison } from '../../../../shared/contracts/comparison.ts'
import type { Leaderboard } from '../../../../shared/contracts/leaderboard.ts'
import type { Report } from '../../../../shared/contracts/report.ts'
import type { Score } from '../../../../shared/contracts/score.ts'
import type { Run } from '../../../../shared/contracts/run.ts'
import { kendallTauB } from '../../../../shared/stats/kendall.ts'
import { wilsonInterval } from '../../../../shared/stats/proportions.ts'
import type { Figure } from '../../inference/figure.ts'
import { frozenOf, modelsOf, openHouse, type House, type World } from './house.ts'
import { chanceOf, expectedAccuracy, simulatedItems, simulatedModels } from './world.ts'

export interface PipelineSizes { worlds: number, seed: number }

const models = 6
const size = { papers: 20, itemsOfPaper: 10 }
const lostShare = 0.15
const condition = { contentMode: 'none' }

interface Told {
  world: World
  report: Report
  comparison: Comparison
  leaderboard: Leaderboard
}

export async function pipeline ({ worlds: count, seed }: PipelineSizes): Promise<Figure[]> {
  const worlds = worldsOf(count, seed)
  const whole = await told(worlds, 0)
  const lossy = await told(worlds, lostShare)
  const n = `${count} worlds of ${models} models, ${size.papers} papers and ${size.papers * size.itemsOfPaper} items, seed ${seed}; ${2 * count * models * size.papers * size.itemsOfPaper} calls through inference`
  return [
    ...coverage(whole, n),
    ranking(whole, n),
    ...bounds(whole, lossy, n)
  ]
}

function worldsOf (count: number, seed: number): World[] {
  return Array.from({ length: count }, (_, i) => {
    const own = seed * 1_000 + i
    return { seed: own, models: simulatedModels(own, models), items: simulatedItems(own, size) }
  })
}

async function told (worlds: readonly World[], lost: number): Promise<Told[]> {
  const dir = await mkdtemp(join(tmpdir(), 'viva-truth-'))
  const frozen = worlds.map(frozenOf)
  const house = await openHouse(dir, { frozen, ...modelsOf(worlds, lost) })
  try {
    const all: Told[] = []
    for (const [i, world] of worlds.entries()) {
      process.stderr.write(`  world ${i + 1} of ${worlds.length}, ${lost > 0 ? 'with' : 'without'} errors\n`)
      all.push({ world, ...await asked(house, frozen[i]!.benchmark.id, world) })
    }
    return all
  } finally {
    await house.close()
    await rm(dir, { recursive: true, force: true })
  }
}

async function asked ({ http }: House, benchmarkId: string, world: World) {
  const runIds = await Promise.all(world.models.map(async ({ name }) => {
    const { id } = await http.post<Run>('/v1/runs', { benchmarkId, model: name, condition })
    for (;;) {
      const run = await http.get<Run>(`/v1/runs/${id}?wait=60`)
      if (run.state === 'succeeded' || run.state === 'failed') return id
    }
  }))
  return {
    report: await http.post<Report>('/v1/reports', { runIds }),
    comparison: await http.post<Comparison>('/v1/comparisons', { runIds }),
    leaderboard: await http.get<Leaderboard>(`/v1/leaderboards/${benchmarkId}`)
  }
}

function scoreOf ({ report }: Told, model: string, metric: string): Score {
  const { slices } = report.runs.find(run => run.model === model)!
  return slices.find(({ dimension, kind }) => dimension === 'all' && kind === 'choice')!
    .scores.find(score => score.metric === metric)!
}

function coverage (all: readonly Told[], n: string): Figure[] {
  const single = all.flatMap(told => told.world.models.map(model =>
    holds(scoreOf(told, model.name, 'accuracy').interval, expectedAccuracy(model))))
  const paired = all.flatMap(({ world, comparison }) => {
    const expected = new Map(comparison.runs.map(({ runId, model }) =>
      [runId, expectedAccuracy(world.models.find(({ name }) => name === model)!)]))
    return comparison.differences.map(({ first, second, interval }) =>
      holds(interval, expected.get(first)! - expected.get(second)!))
  })
  return [
    covered('accuracy: intervals that hold the expected accuracy over all papers', single, n),
    covered('paired differences: intervals that hold the expected difference', paired, n)
  ]
}

export function holds (interval: { low: number, high: number } | null, truth: number): boolean {
  return interval !== null && interval.low <= truth && truth <= interval.high
}

const floor = 0.93

/** Intervals of a world are not independent of each other: that of the share takes them to be. */
export function covered (what: string, hits: readonly boolean[], n: string): Figure {
  const found = hits.filter(Boolean).length
  const share = found / hits.length
  const { low, high } = wilsonInterval({ successes: found, trials: hits.length })
  return {
    what,
    bar: `≥ ${floor} (nominal .95)`,
    met: share >= floor,
    measured: `${share.toFixed(3)} [${low.toFixed(3)}, ${high.toFixed(3)}] of ${hits.length}`,
    n,
    values: { share, low, high, intervals: hits.length }
  }
}

function ranking (all: readonly Told[], n: string): Figure {
  const taus = all.map(({ world, leaderboard }) => ({
    recovered: tauOf(world, name => leaderboard.rows.find(row => row.model === name)?.score.value ?? NaN),
    reachable: tauOf(world, name => {
      const model = world.models.find(each => each.name === name)!
      return world.items.reduce((sum, item) => sum + chanceOf(model, item), 0)
    })
  }))
  const sets = all.map(({ world, leaderboard }) => {
    const order = [...world.models].sort((a, b) => expectedAccuracy(b) - expectedAccuracy(a))
    return leaderboard.rows.every(({ model, rankSet }) => {
      const rank = 1 + order.findIndex(({ name }) => name === model)
      return rankSet !== null && rankSet.best <= rank && rank <= rankSet.worst
    })
  })
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const [recovered, reachable] = [mean(taus.map(tau => tau.recovered)), mean(taus.map(tau => tau.reachable))]
  const share = sets.filter(Boolean).length / sets.length
  return {
    what: 'leaderboard: sets of ranks that hold all true ranks at once; τ-b with the true order against that of chances on the same items',
    bar: `sets ≥ ${floor}`,
    met: share >= floor,
    measured: `${share.toFixed(3)} of ${sets.length} worlds; τ ${recovered.toFixed(3)} of ${reachable.toFixed(3)} reachable`,
    n,
    values: { share, recovered, reachable }
  }
}

function tauOf ({ models }: World, scoreOf: (name: string) => number): number {
  const [x, y] = [models.map(expectedAccuracy), models.map(({ name }) => scoreOf(name))]
  return kendallTauB({ x, y }).statistic
}

/** The same replies with and without a server that loses long items: what was lost is known here. */
function bounds (whole: readonly Told[], lossy: readonly Told[], n: string): Figure[] {
  const rows = whole.flatMap((told, i) => told.world.models.map(({ name }) => {
    const score = (metric: string) => scoreOf(lossy[i]!, name, metric)?.value ?? NaN
    const truth = scoreOf(told, name, 'accuracy').value!
    return { truth, counted: score('accuracy'), low: score('accuracy.lowest'), high: score('accuracy.highest') }
  }))
  const inside = rows.filter(({ truth, low, high }) => low <= truth && truth <= high).length
  const bias = rows.reduce((sum, { truth, counted }) => sum + counted - truth, 0) / rows.length
  return [{
    what: 'bounds of accuracy hold what it is without errors, which grow with the length of items',
    bar: 'all',
    met: inside === rows.length,
    measured: `${inside} of ${rows.length}; without bounds ${bias >= 0 ? '+' : ''}${bias.toFixed(3)} too high on average`,
    n,
    values: { inside, rows: rows.length, bias }
  }]
}
