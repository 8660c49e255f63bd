/** Rows before they are ranked: the repeats of one model under one condition are one entry. */
import { canonicalJson } from '../../../../shared/contracts/hash.ts'
import type { Condition, Outcome } from '../../../../shared/contracts/run.ts'
import { outcomes } from '../../../../shared/contracts/run.ts'
import type { Mark } from '../compare/grid.ts'

export interface RunMarks {
  runId: string
  model: string
  condition: Condition
  prompts: ReadonlyArray<{ name: string, hash: string }>
  /** Of a person's run: sittings can have other items, and are never taken together. */
  sittingId?: string
  marks: readonly Mark[]
}

export interface Entry extends Omit<RunMarks, 'runId'> {
  runIds: string[]
  /** Of what the score is of. */
  outcomes: Readonly<Record<Outcome, number>>
}

/** In code unit order of model and condition. */
export function entriesOf (runs: readonly RunMarks[]): Entry[] {
  const groups = new Map<string, RunMarks[]>()
  for (const run of runs) {
    const { model, condition, prompts, sittingId } = run
    const own = sittingId === undefined ? [] : [sittingId]
    const key = canonicalJson([model, { ...condition, repeat: 0 }, prompts, ...own])
    groups.set(key, [...groups.get(key) ?? [], run])
  }
  return [...groups].sort(([a], [b]) => a < b ? -1 : 1).map(([, repeats]) => merged(repeats))
}

function merged (repeats: readonly RunMarks[]): Entry {
  const ordered = repeats.toSorted(
    (a, b) => a.condition.repeat - b.condition.repeat || (a.runId < b.runId ? -1 : 1)
  )
  const { model, condition, prompts, sittingId, marks } = ordered[0]!
  const own = ordered.length === 1
    ? marks
    : marks.map((_, at) => meanMark(ordered.map(run => run.marks[at]!)))
  const total = (outcome: Outcome) => own.filter(mark => mark.outcome === outcome).length
  return {
    model,
    condition,
    prompts,
    ...sittingId !== undefined && { sittingId },
    runIds: ordered.map(({ runId }) => runId),
    outcomes: Object.fromEntries(
      outcomes.map(outcome => [outcome, total(outcome)])
    ) as Record<Outcome, number>,
    marks: own
  }
}

/** One repeat in error leaves the item in error: what it would have been is not known. */
function meanMark (marks: readonly Mark[]): Mark {
  const apart = (['error', 'skipped'] as const).find(outcome => marks.some(mark => mark.outcome === outcome))
  if (apart !== undefined) return { outcome: apart, value: null, answerIndex: null }
  const values = marks.map(({ value }) => value)
  const sum = values.reduce<number>((all, each) => all + (each ?? 0), 0)
  const value = values.includes(null) ? null : sum / values.length
  return { outcome: marks[0]!.outcome, value, answerIndex: null }
}
