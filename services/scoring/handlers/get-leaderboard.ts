/** The leaderboard of a benchmark, made anew from the runs there are. */
import type { Leaderboard, LeaderboardQuery } from '../../../shared/contracts/leaderboard.ts'
import { Problem } from '../../../shared/errors/problem.ts'
import { inTurns } from '../../../shared/tasks/in-turns.ts'
import { leaderboardCsv, leaderboardLatex, leaderboardMarkdown } from '../domain/leaderboard/leaderboard-tables.ts'
import { leaderboardOf } from '../domain/leaderboard/leaderboard.ts'
import type { RunSpec } from '../domain/plan.ts'
import { baselinePrefix } from '../domain/baselines/baselines.ts'
import { mustBeAsRead } from './make-report.ts'
import { scoreGrids, type GridParts, type RunJob } from './scored-grids.ts'

/** Runs of one leaderboard, and of the store, that are looked at. */
const runsMax = 200
const runsListedMax = 20_000
const runsPage = 200

/** @throws Problem benchmark-not-found, limit-exceeded */
export async function getLeaderboard (
  parts: GridParts, benchmarkId: string, { query, signal }: { query: LeaderboardQuery, signal?: AbortSignal }
): Promise<Leaderboard> {
  const frozen = await parts.benchmarks.get(benchmarkId)
  const { settled, leftOut } = await runsOf(parts, benchmarkId, query)
  const kinds = query.kind === undefined ? undefined : [query.kind]
  const { runs, grids } = await scoreGrids(parts, { jobs: settled, frozen }, { metrics: [query.metric], kinds })
  const { measured, units, columns } = grids[0]!
  const marks = settled.map((job, at) => ({
    runId: job._id,
    model: job.spec.model,
    condition: job.spec.condition,
    prompts: job.spec.prompts,
    outcomes: runs[at]!.outcomes as never,
    marks: columns[at]!.marks
  }))
  const leaderboard = await inTurns(leaderboardOf({
    benchmark: frozen.benchmark, measured, units, runs: marks, leftOut, query
  }), signal)
  for (const job of settled) await mustBeAsRead(parts, job)
  return leaderboard
}

async function runsOf ({ jobs }: GridParts, benchmarkId: string, query: LeaderboardQuery) {
  const settled: RunJob[] = []
  const leftOut: Leaderboard['leftOut'] = []
  let listed = 0
  for (let after: string | undefined; ;) {
    const page = await jobs.list({ limit: runsPage, ...after !== undefined && { after } })
    for (const job of page.filter(({ spec }) => spec.benchmarkId === benchmarkId && fits(spec, query))) {
      const { state } = await jobs.view(job._id)
      if (state === 'succeeded' || state === 'failed') settled.push(job as RunJob)
      else leftOut.push({ runId: job._id, name: job.spec.model, reason: `It is ${state}.` })
    }
    if (settled.length > runsMax) {
      throw new Problem('limit-exceeded', `More than ${runsMax} runs fit; narrow them down by contentMode, figures, prompt, thinking, promptHash or baselines.`)
    }
    listed += page.length
    if (page.length < runsPage) return { settled, leftOut }
    if (listed >= runsListedMax) throw new Problem('limit-exceeded', `There are more than ${runsListedMax} runs, more than a leaderboard looks through.`)
    after = page.at(-1)!._id
  }
}

function fits ({ model, condition, prompts }: RunSpec, query: LeaderboardQuery): boolean {
  const { contentMode, prompt, formulation, figures, thinking, promptHash, baselines } = query
  const asked = { contentMode, prompt, formulation, figures, thinking }
  return Object.entries(asked).every(([part, value]) =>
    value === undefined || condition[part as keyof typeof asked] === value) &&
    (promptHash === undefined || prompts.some(({ hash }) => hash.startsWith(promptHash))) &&
    (baselines || !model.startsWith(baselinePrefix))
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
