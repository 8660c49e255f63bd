/** The leaderboard of a benchmark, made anew from the runs there are. */
import type { Leaderboard, LeaderboardLink, LeaderboardQuery, LinkQuery } from '../../../shared/contracts/leaderboard.ts'
import { Problem } from '../../../shared/errors/problem.ts'
import { inTurns } from '../../../shared/tasks/in-turns.ts'
import type { RunMarks } from '../domain/leaderboard/entries.ts'
import { leaderboardCsv, leaderboardLatex, leaderboardMarkdown } from '../domain/leaderboard/leaderboard-tables.ts'
import { linkOf } from '../domain/leaderboard/link.ts'
import { leaderboardOf } from '../domain/leaderboard/leaderboard.ts'
import { gridWhere, type Grid } from '../domain/compare/grid.ts'
import type { RunSpec } from '../domain/plan.ts'
import { baselinePrefix } from '../domain/baselines/baselines.ts'
import { mustBeAsRead } from './make-report.ts'
import { scoreGrids, type GridParts, type RunJob } from './scored-grids.ts'

/** Runs of one leaderboard, and of its benchmark, that are looked at. */
const runsMax = 200
const runsListedMax = 20_000
const runsPage = 200

interface Asked<Q> { query: Q, signal?: AbortSignal }

/** @throws Problem benchmark-not-found, limit-exceeded */
export async function getLeaderboard (
  parts: GridParts, benchmarkId: string, { query, signal }: Asked<LeaderboardQuery>
): Promise<Leaderboard> {
  const { frozen, settled, leftOut, measured, units, runs } = await readVersion(parts, benchmarkId, query)
  const { benchmark } = frozen
  const leaderboard = await inTurns(
    leaderboardOf({ benchmark, measured, units, runs, leftOut, query }), signal
  )
  for (const job of settled) await mustBeAsRead(parts, job)
  return leaderboard
}

/**
 * The rows of another version on the scale of this one.
 *
 * @throws Problem benchmark-not-found, limit-exceeded; invalid-request for one version twice
 */
export async function linkLeaderboards (
  parts: GridParts, [benchmarkId, otherId]: readonly [string, string], query: LinkQuery
): Promise<LeaderboardLink> {
  if (benchmarkId === otherId) throw new Problem('invalid-request', 'A version is not linked to itself; name another one.')
  const asked = { ...query, itemsShare: 0 }
  const here = await readVersion(parts, benchmarkId, asked)
  const there = await readVersion(parts, otherId, asked)
  const version = ({ frozen: { benchmark }, units, runs }: typeof here) => ({ benchmark, units, runs })
  const link = linkOf(version(here), version(there), query.metric)
  for (const job of [...here.settled, ...there.settled]) await mustBeAsRead(parts, job)
  return link
}

/** Runs that fit the query, as marks by item. @throws Problem benchmark-not-found, limit-exceeded */
export async function readVersion (parts: GridParts, benchmarkId: string, query: LeaderboardQuery) {
  const frozen = await parts.benchmarks.get(benchmarkId)
  const { settled, leftOut } = await runsOf(parts, benchmarkId, query)
  const kinds = query.kind === undefined ? undefined : [query.kind]
  const { grids } = await scoreGrids(parts, { jobs: settled, frozen }, { metrics: [query.metric], kinds })
  const { measured, units, columns } = inSlice(grids[0]!, query)
  const runs = settled.map((job, at): RunMarks => ({
    runId: job._id,
    model: job.spec.model,
    condition: job.spec.condition,
    prompts: job.spec.prompts,
    ...job.spec.sitting !== undefined && { sittingId: job.spec.sitting.sittingId },
    marks: columns[at]!.marks
  }))
  return { frozen, settled, leftOut, measured, units, runs }
}

/** @throws Problem invalid-request for half a slice; not-computable for one that no item is in */
function inSlice (grid: Grid, { dimension, value }: LeaderboardQuery): Grid {
  if (dimension === undefined && value === undefined) return grid
  if (dimension === undefined || value === undefined) {
    throw new Problem('invalid-request', 'A slice has a dimension and a value: pass both, or neither.', {
      errors: [{ pointer: dimension === undefined ? '/query/dimension' : '/query/value', detail: 'Missing.' }]
    })
  }
  const valueOf = ({ slices }: Grid['units'][number]) =>
    Object.hasOwn(slices, dimension) ? slices[dimension] : undefined
  const found = gridWhere(grid, unit => valueOf(unit) === value)
  if (found.units.length > 0 || grid.units.length === 0) return found
  const known = [...new Set(grid.units.flatMap(unit => valueOf(unit) ?? []))].sort().slice(0, 50)
  throw new Problem('not-computable', `No item is in the slice ${dimension.slice(0, 50)}: ${value.slice(0, 50)}. Values of that dimension: ${known.join(', ').slice(0, 500) || 'none'}.`)
}

async function runsOf ({ jobs }: GridParts, benchmarkId: string, query: LeaderboardQuery) {
  const settled: RunJob[] = []
  const leftOut: Leaderboard['leftOut'] = []
  let listed = 0
  for (let after: string | undefined; ;) {
    const page = await jobs.list({ limit: runsPage, where: { 'spec.benchmarkId': benchmarkId }, ...after !== undefined && { after } })
    for (const job of page.filter(({ spec }) => fits(spec, query))) {
      const { state } = await jobs.view(job._id)
      if (state === 'succeeded' || state === 'failed') settled.push(job as RunJob)
      else leftOut.push({ runId: job._id, name: job.spec.model, reason: `It is ${state}.` })
    }
    if (settled.length > runsMax) {
      throw new Problem('limit-exceeded', `More than ${runsMax} runs fit; narrow them down by contentMode, figures, prompt, thinking, promptHash, baselines or humans.`)
    }
    listed += page.length
    if (page.length < runsPage) return newestReadings(settled, leftOut)
    if (listed >= runsListedMax) throw new Problem('limit-exceeded', `Benchmark ${benchmarkId} has more than ${runsListedMax} runs, more than a leaderboard looks through.`)
    after = page.at(-1)!._id
  }
}

/** Replies that were scored again count once, as they were read last. */
function newestReadings (settled: readonly RunJob[], leftOut: Leaderboard['leftOut']) {
  const again = new Map(settled.flatMap(({ _id, spec: { rescoredFrom, benchmarkId } }) =>
    rescoredFrom?.benchmarkId === benchmarkId ? [[rescoredFrom.runId, _id] as const] : []))
  const replaced = settled.filter(({ _id }) => again.has(_id)).map(({ _id: runId, spec: { model: name } }) =>
    ({ runId, name, reason: `Its replies were scored again as ${again.get(runId)}.` }))
  return { settled: settled.filter(({ _id }) => !again.has(_id)), leftOut: [...leftOut, ...replaced] }
}

const usual = { images: 'real', sequence: 'ordered', probe: undefined } as const

function fits ({ model, condition, prompts, sitting }: RunSpec, query: LeaderboardQuery): boolean {
  const { contentMode, prompt, formulation, thinking, promptHash, baselines, humans } = query
  // Runs keep images "none" as figures "withheld".
  const isWithheld = query.images === 'none'
  const figures = isWithheld ? 'withheld' : query.figures
  const sought = { ...query, ...isWithheld && { images: usual.images } }
  const asked = { contentMode, prompt, formulation, figures, thinking }
  const unchanged = (['images', 'sequence', 'probe'] as const).every(part =>
    (condition[part] ?? usual[part]) === (sought[part] ?? usual[part]))
  // What a model answers with its own notes, or with a suggestion, is no score of the benchmark.
  const ungiven = condition.rationale === undefined && condition.hint === undefined
  return unchanged && ungiven && Object.entries(asked).every(([part, value]) =>
    value === undefined || condition[part as keyof typeof asked] === value) &&
    (promptHash === undefined || prompts.some(({ hash }) => hash.startsWith(promptHash))) &&
    (baselines || !model.startsWith(baselinePrefix)) && (humans || sitting === undefined)
}

const written = {
  json: (leaderboard: Leaderboard) => `${JSON.stringify(leaderboard, null, 2)}\n`,
  csv: leaderboardCsv,
  md: leaderboardMarkdown,
  tex: leaderboardLatex
}

export type LeaderboardForm = keyof typeof written

export function writeLeaderboard (leaderboard: Leaderboard, form: LeaderboardForm): string {
  return written[form](leaderboard)
}
