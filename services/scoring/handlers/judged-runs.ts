/** Puts what judges gave beside the scored replies of runs. */
import { wrong, type AnalysedRow, type AnalysedRun, type JudgedBy, type Named, type ReplyJudged } from '../domain/analyses/analysis.ts'
import { totalRange } from '../judging/domain/rubric.ts'
import { isJudged, type JudgementSpec } from '../judging/domain/spec.ts'
import { overJudges, overRepeats, type JudgedUnit } from '../judging/domain/summary/judged.ts'
import type { JudgedReader, JudgedUnits } from '../judging/handlers/judged-reader.ts'
import { eachInTurns } from '../../../shared/tasks/in-turns.ts'

type Asked = Pick<Named, 'judgementIds' | 'judge'>

/**
 * @throws Problem judgement-not-found, not-finished; conflict for preferences; invalid-request where
 *         judgements are not by one measure, or a run is in none or in several of them
 */
export async function withJudgements (
  { judged }: { judged: JudgedReader }, runs: readonly AnalysedRun[], { judgementIds, judge }: Asked
): Promise<AnalysedRun[]> {
  const found: JudgedUnits[] = []
  for (const judgementId of judgementIds) found.push(await judged.readUnits(judgementId))
  mustBeOneMeasure(found)
  const at = judgeAt(found[0]!.spec, judge)
  const beside: AnalysedRun[] = []
  for (const [place, run] of runs.entries()) {
    const own = found.filter(({ spec }) => spec.runIds.includes(run.runId))
    if (own.length !== 1) {
      throw wrong(`/runIds/${place}`, own.length === 0
        ? `None of the judgements is about run ${run.runId}.`
        : `Run ${run.runId} is in judgements ${own.map(({ judgementId }) => judgementId).join(' and ')}; name one of them.`)
    }
    beside.push(await withJudgement(run, own[0]!, at))
  }
  return beside
}

/** Totals of other rubrics, judges or references do not go into one comparison. */
function mustBeOneMeasure (found: readonly JudgedUnits[]): void {
  const measureOf = ({ rubricHash, reference, images, judges, prompts }: JudgementSpec) =>
    JSON.stringify([rubricHash, reference, images, judges.map(({ name }) => name), prompts])
  const other = found.findIndex(({ spec }) => measureOf(spec) !== measureOf(found[0]!.spec))
  if (other >= 0) throw wrong(`/judgementIds/${other}`, `It differs from ${found[0]!.judgementId} in rubric, reference, images, judges or prompt: their totals are not one measure.`)
}

/** Its place among the judges; null for all of several. */
function judgeAt ({ judges }: JudgementSpec, judge: string | null): number | null {
  if (judge === null) return judges.length === 1 ? 0 : null
  const at = judges.findIndex(({ name }) => name === judge)
  if (at < 0) throw wrong('/judge', `The judges are ${judges.map(({ name }) => name).join(', ')}.`)
  return at
}

async function withJudgement (
  run: AnalysedRun, { judgementId, spec, units }: JudgedUnits, at: number | null
): Promise<AnalysedRun> {
  const place = spec.runIds.indexOf(run.runId)
  const given = new Map<string, ReplyJudged>()
  await eachInTurns(units, each => {
    if (each.unit.runs[0] === place) given.set(each.unit.itemId, judgedOf(each, at))
  })
  const rows: AnalysedRow[] = []
  await eachInTurns(run.rows, row => {
    const judged = given.get(row.itemId)
    rows.push(judged === undefined ? row : { ...row, judged })
  })
  const judge = at === null ? `the panel mean of ${spec.judges.length} judges` : `judge ${spec.judges[at]!.name}`
  const judgedBy: JudgedBy = { judgementId, rubric: spec.rubric.name, judge, range: totalRange(spec.rubric) }
  return { ...run, rows, judgedBy }
}

function judgedOf (each: JudgedUnit, at: number | null): ReplyJudged {
  if (!isJudged(each.unit)) return { total: null, why: 'not-judged' }
  const total = (at === null ? overJudges(each, 'mean') : overRepeats(each.ratings[at] ?? []))?.total ?? null
  return { total, why: total === null ? 'judge-failed' : null }
}
