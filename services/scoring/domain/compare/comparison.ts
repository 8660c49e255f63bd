/** A comparison out of scored runs. It holds no clock, host or latency: same replies, same bytes. */
import type {
  ComparedRun, Comparison, ComparisonRequest, PairedDifference
} from '../../../../shared/contracts/comparison.ts'
import type { Benchmark } from '../../../../shared/contracts/benchmark.ts'
import { idOf } from '../../../../shared/contracts/hash.ts'
import { discordantItems, errorGroups } from './errors.ts'
import { gridWhere, type Grid } from './grid.ts'
import { adjusted, jointlyAdjusted, type TestedDifferences } from './multiplicity.ts'
import { commonUnits, pairedDifference, type PairedInput, type Unadjusted } from './paired.ts'

export const comparisonSchemaVersion = 1

/** A comparison is at most so many tests: a second or two of work. */
export const testsMax = 5_000
/** Items listed over all pairs; the counts are of all. */
const itemsListedMax = 10_000
const itemsListedPerPairMax = 500

export interface ComparedPair { first: string, second: string, relation: string | null }

export interface ComparisonParts {
  benchmark: Benchmark
  runs: readonly ComparedRun[]
  /** One for each metric asked for, of the same runs in the same order. */
  grids: readonly Grid[]
  pairs: readonly ComparedPair[]
  request: Request
}

type Request = Omit<ComparisonRequest, 'runIds' | 'pairs'>

/** How many tests it will be: what is known before anything is computed. */
export function countTests ({ grids, pairs, request }: Pick<ComparisonParts, 'grids' | 'pairs' | 'request'>): number {
  return pairs.length * grids.reduce((sum, grid) => sum + 1 + slicesOf(grid, request.slices).length, 0)
}

/** Gives way after each pair. */
export function * comparisonOf (parts: ComparisonParts): Generator<void, Comparison> {
  const { benchmark, runs, grids, pairs, request } = parts
  const found: Tested[] = []
  const discordant: Comparison['discordant'] = []
  const groups: Comparison['errorGroups'] = []
  const listed = Math.min(itemsListedPerPairMax, Math.floor(itemsListedMax / (pairs.length * grids.length)))
  for (const grid of grids) {
    const parted = slicesOf(grid, request.slices)
    for (const pair of pairs) {
      const input = inputOf(grid, pair, request.level)
      found.push(tested(input, request))
      for (const { slice, grid: part } of parted) {
        found.push(tested(inputOf(part, pair, request.level), request, slice))
      }
      discordant.push(discordantItems(input, listed))
      if (grid.measured.proportion) groups.push(errorGroups(input))
      yield
    }
  }
  const differences = decided(found, request)
  const { id, name, version } = benchmark
  const content = {
    schemaVersion: comparisonSchemaVersion,
    benchmark: { id, name, version },
    runs: [...runs],
    kinds: request.kinds ?? null,
    level: request.level,
    family: {
      method: request.multiplicity,
      size: differences.filter(({ adjustedP }) => adjustedP !== null).length,
      members: familyWords(parts)
    },
    pairs: [...pairs],
    differences,
    discordant,
    errorGroups: groups,
    notes: notesOf(parts, differences)
  }
  return { id: idOf('comparison', content), ...content }
}

interface Part { slice: { dimension: string, value: string }, grid: Grid }

/** In code unit order; items without the dimension are in no part. */
function slicesOf (grid: Grid, dimensions: readonly string[]): Part[] {
  return dimensions.flatMap(dimension => {
    const values = [...new Set(grid.units.flatMap(({ slices }) => slices[dimension] ?? []))].sort()
    return values.map(value => ({
      slice: { dimension, value }, grid: gridWhere(grid, ({ slices }) => slices[dimension] === value)
    }))
  })
}

function inputOf ({ measured, units, columns }: Grid, pair: ComparedPair, level: number): PairedInput {
  const column = (runId: string) => columns.find(each => each.runId === runId)!
  return { measured, units, first: column(pair.first), second: column(pair.second), level }
}

/** With what max-T computes from; empty where it is not asked for, or errors leave values open. */
export interface Tested { difference: Unadjusted, values: TestedDifferences }

const noValues: TestedDifferences = { values: [], clusters: [] }

/** The difference, and with max-T what it is computed from. */
export function tested (
  input: PairedInput, { multiplicity }: Pick<Request, 'multiplicity'>, slice?: Unadjusted['slice']
): Tested {
  const difference = pairedDifference(input, slice)
  if (multiplicity !== 'max-t' || difference.bounds !== null) return { difference, values: noValues }
  const { common } = commonUnits(input)
  return {
    difference,
    values: {
      values: common.map(
        ({ first, second }) => first - second
      ),
      clusters: common.map(({ unit }) => unit.cluster)
    }
  }
}

/** Adjusted for being many, with what can be claimed of each. */
export function decided (
  found: readonly Tested[], { multiplicity, level }: Pick<Request, 'multiplicity' | 'level'>
): PairedDifference[] {
  const pValues = multiplicity === 'max-t'
    ? jointlyAdjusted(found.map(({ values }) => values))
    : adjusted(found.map(({ difference: { p } }) => p), multiplicity)
  return found.map(({ difference }, at) => {
    const adjustedP = pValues[at]!
    return { ...difference, adjustedP, ...verdictOf({ ...difference, adjustedP }, 1 - level) }
  })
}

type Undecided = Unadjusted & { adjustedP: number | null }

function verdictOf (found: Undecided, alpha: number): Pick<PairedDifference, 'verdict' | 'why'> {
  const { difference, adjustedP, bounds, tests } = found
  if (difference === null) return { verdict: 'undecided', why: found.reason ?? 'There is nothing to compare.' }
  const errors = bounds === null ? '' : `${bounds.errors} items ended in error: retry the runs. `
  if (adjustedP === null) {
    const none = tests.t === null
      ? 'There is no t.'
      : 'There is no test.'
    return { verdict: 'undecided', why: `${errors}${bounds === null ? none : 'Until then it is not known which run leads.'}` }
  }
  const limit = Number(alpha.toFixed(6))
  if (adjustedP <= alpha) {
    return { verdict: difference > 0 ? 'first' : 'second', why: `${errors}Adjusted p is at most ${limit}.` }
  }
  const smallest = tests.signFlip?.smallestP ?? 0
  const { interval, p } = found
  const parts = interval !== null && p !== null && p > alpha && (interval.low > 0 || interval.high < 0)
    ? ' The interval leaves out 0 nevertheless: t takes papers that do not differ for a small error; go by the test.'
    : ''
  return {
    verdict: 'undecided',
    why: smallest > alpha
      ? `${errors}${smallest === 1 ? 'No item differs, so no p below 1 can come out.' : `So few papers that differ cannot give a p below ${smallest}.${parts}`}`
      : `${errors}Adjusted p is above ${limit}: no difference is shown, which is not that there is none.${parts}`
  }
}

function familyWords ({ pairs, grids, request }: ComparisonParts): string {
  const metrics = grids.map(({ measured }) => measured.metric).join(', ')
  const slices = request.slices.length === 0 ? 'all items' : `all items, and every value of ${request.slices.join(', ')}`
  return `${pairs.length} ${pairs.length === 1 ? 'pair' : 'pairs'} of runs × ${metrics} × ${slices}`
}

function notesOf (
  { runs, grids, request }: ComparisonParts, differences: readonly PairedDifference[]
): string[] {
  const notes: string[] = []
  const inError = runs.filter(({ outcomes }) => (outcomes.error ?? 0) > 0)
  if (inError.length > 0) {
    notes.push(`No ranking may be drawn of ${inError.map(({ name }) => name).join(', ')} while their items end in error; bounds say what the differences can be.`)
  }
  const mixed = grids.filter(({ units }) => new Set(units.map(({ kind }) => kind)).size > 1)
  if (mixed.length > 0) {
    notes.push(`${mixed.map(({ measured }) => measured.metric).join(', ')}: items of several kinds are taken together, each with equal weight; pass kinds to keep them apart.`)
  }
  const few = Math.min(...differences.filter(({ n }) => n > 0).map(({ clusters }) => clusters))
  if (few < 5) notes.push(`Some differences rest on ${few === 1 ? 'one paper' : `${few} papers`}: they are conditional on these papers.`)
  if (request.multiplicity === 'max-t' && differences.some(({ p, adjustedP, bounds }) => p !== null && adjustedP === null && bounds === null)) {
    notes.push('Differences that are 0, or the same in every paper, have no t and are not in the family of max-t; holm takes them.')
  }
  if (request.multiplicity === 'none' && differences.length > 1) {
    notes.push(`p-values of ${differences.length} differences are not adjusted: about one in twenty is below .05 where no run is better.`)
  }
  return notes
}
