/** Rows of another version of a benchmark on the scale of this one. */
import type { Benchmark } from '../../../../shared/contracts/benchmark.ts'
import type { LeaderboardLink } from '../../../../shared/contracts/leaderboard.ts'
import { normalCdf } from '../../../../shared/stats/distributions.ts'
import type { Unit } from '../compare/grid.ts'
import { runNames } from '../report/run-names.ts'
import { deltaOf, sortAnchors, type Anchor, type Anchored, type Tally } from './anchors.ts'
import { entriesOf, type Entry, type RunMarks } from './entries.ts'

export interface Version { benchmark: Benchmark, units: readonly Unit[], runs: readonly RunMarks[] }

export const anchorsMin = 10
export const modelsMin = 5
/** Where more drift than this, what is left is no common ground either. */
const driftingShareMax = 0.2

interface Side extends Version {
  from: 'this version' | 'other version'
  entries: readonly Entry[]
  names: readonly string[]
  /** By item. */
  tallies: ReadonlyMap<string, Tally>
}

/**
 * Difficulties of the shared items in both versions give the shift between their models (delta method,
 * mean). Rows of the other version then get the score that a normal ogive with these difficulties
 * predicts on this version's items.
 */
export function linkOf (here: Version, there: Version, metric: string): LeaderboardLink {
  const sides = { here: sideOf(here, 'this version'), there: sideOf(there, 'other version') }
  const anchors = anchorsOf(sides.here, sides.there)
  const sorted = sortAnchors(anchors)
  const reason = whyNot(sides, anchors, sorted)
  const shown = ({ benchmark: { id, name, version } }: Version) => ({ id, name, version })
  return {
    benchmark: shown(here),
    other: shown(there),
    metric,
    method: 'shared items by id; delta method, mean shift of anchors that do not drift; normal ogive with these difficulties',
    anchors: {
      shared: anchors.length,
      kept: sorted.kept.length,
      drifting: sorted.drifting.map(({ anchor, deviation, p }) =>
        ({ itemId: anchor.itemId, here: anchor.here.value, there: anchor.there.value, deviation, p }))
    },
    linked: reason === undefined,
    ...reason !== undefined && { reason },
    shift: reason === undefined ? sorted.shift : null,
    rows: [...rowsOf(sides.here, sides, sorted), ...rowsOf(
      sides.there, sides, reason === undefined ? sorted : { ...sorted, shift: null }
    )],
    notes: [
      'A linked score is a prediction: of what the row would have scored here if the items that only one version has function like the anchors.',
      'Scores on the anchors compare as they stand; they are of fewer items.'
    ]
  }
}

/** Rows with items in error, or without any that count, say nothing of difficulty. */
function sideOf (version: Version, from: Side['from']): Side {
  const entries = entriesOf(version.runs).filter(({ marks }) =>
    marks.every(({ outcome }) => outcome !== 'error') && marks.some(({ value }) => value !== null))
  const names = runNames(
    entries.map(({ runIds, model, condition }) => ({ runId: runIds[0]!, model, condition }))
  )
  const tallies = new Map(version.units.map(({ itemId }, at) => {
    const values = entries.flatMap(({ marks }) => marks[at]!.value ?? [])
    return [itemId, { right: values.reduce((sum, value) => sum + value, 0), n: values.length }]
  }))
  return { ...version, from, entries, names, tallies }
}

function anchorsOf (here: Side, there: Side): Anchor[] {
  return here.units.flatMap(({ itemId, cluster }) => {
    const [own, other] = [here.tallies.get(itemId)!, there.tallies.get(itemId)]
    if (other === undefined || own.n === 0 || other.n === 0) return []
    return [{ itemId, cluster, here: deltaOf(own), there: deltaOf(other), tallyThere: other }]
  })
}

function whyNot (
  { here, there }: { here: Side, there: Side }, anchors: readonly Anchor[], { kept, drifting }: Anchored
): string | undefined {
  const models = Math.min(here.entries.length, there.entries.length)
  if (models < modelsMin) return `One of the versions has ${models} rows that could be used; difficulties take at least ${modelsMin}.`
  if (drifting.length > driftingShareMax * anchors.length) return `${drifting.length} of ${anchors.length} shared items drift: there is no common ground to link by.`
  if (kept.length < anchorsMin) return `${kept.length} anchors are left, and at least ${anchorsMin} are needed.`
  return undefined
}

type Sides = { here: Side, there: Side }

function rowsOf (side: Side, { here }: Sides, { kept, shift }: Anchored): LeaderboardLink['rows'] {
  const anchors = new Set(kept.map(({ itemId }) => itemId))
  return side.entries.map(({ marks }, row) => {
    const counted = side.units.flatMap(({ itemId }, at) => {
      const { value } = marks[at]!
      return value === null ? [] : [{ itemId, value }]
    })
    const own = mean(counted.map(({ value }) => value))
    const onAnchors = counted.filter(({ itemId }) => anchors.has(itemId)).map(({ value }) => value)
    const itemIds = counted.map(({ itemId }) => itemId)
    const predicted = (by: number) => own === null ? null : predict({ side, here, itemIds }, own, by)
    const linked = side === here || shift === null
      ? { onThisVersion: side === here ? own : null, low: null, high: null }
      // Anchors that were harder there for weaker models: the larger the shift, the weaker these are.
      : { onThisVersion: predicted(shift.value), low: predicted(shift.high), high: predicted(shift.low) }
    return {
      name: side.names[row]!,
      from: side.from,
      score: own,
      n: counted.length,
      anchorScore: mean(onAnchors),
      anchors: onAnchors.length,
      ...linked
    }
  }).sort((a, b) => (b.score ?? -1) - (a.score ?? -1) || (a.name < b.name ? -1 : 1))
}

interface Answered { side: Side, here: Side, itemIds: readonly string[] }

/** Null for a row that is all right or all wrong: its ability has no bound. */
function predict ({ side, here, itemIds }: Answered, score: number, shift: number): number | null {
  if (score <= 0 || score >= 1) return null
  const difficulties = itemIds.map(itemId => (deltaOf(side.tallies.get(itemId)!).value - shift - 13) / 4)
  const expected = (ability: number, of: readonly number[]) => mean(of.map(b => normalCdf(ability - b)))!
  let [low, high] = [-10, 10]
  for (let step = 0; step < 60; step++) {
    const middle = (low + high) / 2
    if (expected(middle, difficulties) < score) low = middle
    else high = middle
  }
  const own = here.units.map(({ itemId }) => here.tallies.get(itemId)!).filter(({ n }) => n > 0)
  return expected(low, own.map(tally => (deltaOf(tally).value - 13) / 4))
}

function mean (values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length
}
