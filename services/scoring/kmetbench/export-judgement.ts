/** What one judge gave the replies of one run, as K-MetBench's judge file. */
import { Readable } from 'node:stream'
import { Problem } from '../../../shared/errors/problem.ts'
import type { RunSpec } from '../domain/plan.ts'
import { runReader } from '../handlers/get-run.ts'
import { isCounted } from '../domain/scored.ts'
import { judgementReader } from '../judging/handlers/get-judgement.ts'
import type { JudgementParts } from '../judging/handlers/parts.ts'
import { mustHaveEnded } from '../judging/handlers/read-ratings.ts'
import { askingFrom, type JudgementSpec } from '../judging/domain/spec.ts'
import { addJudged, isKmetbenchRubric, judgeMetrics, judgeRow, type Judged } from './domain/judge-row.ts'
import { Means, sharesNote } from './domain/metrics.ts'
import { fileOf } from './write-file.ts'

/** Each may be left out where there is one. */
export interface JudgeQuery { runId?: string, judge?: string, repeat: number }

interface Chosen { run: number, judge: number, repeat: number }

/**
 * @throws Problem judgement-not-found, not-finished; invalid-request where it is not said which run or
 *         judge; conflict for preferences, or a rubric that is not K-MetBench's; not-computable without rows
 */
export async function judgementAsKmetbench (
  parts: JudgementParts, judgementId: string, query: JudgeQuery
): Promise<Readable> {
  await mustHaveEnded(parts, judgementId)
  const { spec } = await judgementReader(parts).job(judgementId)
  if (spec.form !== 'scores' || !isKmetbenchRubric(spec.rubric)) {
    throw new Problem('conflict', `Judgement ${judgementId} is not of scores by the rubric kmetbench: a judge file has those four axes and no others. GET …/ratings.jsonl has it as it is.`)
  }
  const chosen = chosenBy(spec, query)
  const run = await runReader({ jobs: parts.runs, store: parts.store }).job(spec.runs[chosen.run]!.runId)
  const means = new Means()
  let [written, left] = [0, 0]
  for await (const judged of judgedIn(parts, { judgementId, spec, chosen })) {
    if (judged === null) left++
    else {
      addJudged(means, judgeRow(judged, run.spec))
      written++
    }
  }
  if (written === 0) throw new Problem('not-computable', `Judge and run have no rating that came to an end in judgement ${judgementId}.`)
  async function * rows (): AsyncGenerator<object> {
    for await (const judged of judgedIn(parts, { judgementId, spec, chosen })) {
      if (judged !== null) yield judgeRow(judged, run.spec)
    }
  }
  const { name: judge } = spec.judges[chosen.judge]!
  return Readable.from(fileOf(headOf(run.spec, { judgementId, judge, means, left }), rows()))
}

function chosenBy (spec: JudgementSpec, { runId, judge, repeat }: JudgeQuery): Chosen {
  const [run, nth] = [
    placeIn(spec.runs.map(each => each.runId), runId, 'runId'), placeIn(spec.judges.map(({ name }) => name), judge, 'judge')
  ]
  if (repeat < spec.repeats) return { run, judge: nth, repeat }
  throw wrong('repeat', `must be below ${spec.repeats}, for so many repeats there are`)
}

function placeIn (names: readonly string[], name: string | undefined, field: string): number {
  const at = name === undefined && names.length === 1 ? 0 : names.indexOf(name ?? '')
  if (at >= 0) return at
  throw wrong(field, `must be one of ${names.join(', ')}`)
}

function wrong (field: string, detail: string): Problem {
  return new Problem('invalid-request', `/query/${field} ${detail}: a judge file is of one run, judge and repeat.`, {
    errors: [{ pointer: `/query/${field}`, detail }]
  })
}

interface Of { judgementId: string, spec: JudgementSpec, chosen: Chosen }

/** Null for a rating that ended in error or was skipped: it says nothing of the reply. */
async function * judgedIn (
  { judging, store, benchmarks }: JudgementParts, { judgementId, spec, chosen }: Of
): AsyncGenerator<Judged | null> {
  const { itemById } = await benchmarks.get(spec.benchmarkId)
  for await (const some of judging.ratingsOf(judgementId)) {
    for (const { id, value: rating } of some) {
      const asking = askingFrom(id)
      if (asking.judge !== chosen.judge || asking.repeat !== chosen.repeat) continue
      const prediction = await store.findPrediction(rating.predictionIds[0]!)
      if (prediction === undefined || prediction.runId !== spec.runs[chosen.run]!.runId) continue
      yield isCounted(rating.outcome) ? { rating, prediction, item: itemById.get(rating.itemId)! } : null
    }
  }
}

interface Facts { judgementId: string, judge: string, means: Means, left: number }

function headOf ({ model, condition }: RunSpec, { judgementId, judge, means, left }: Facts): object {
  return {
    model_key: model,
    model_name: model,
    timestamp: null,
    evaluator: judge,
    metrics: judgeMetrics(means),
    evaluation_settings: { prompt_type: `${condition.prompt}_evaluation`, data_type: condition.formulation },
    viva: { judgementId, scale: { lowest: 4, highest: 20 } },
    notes: [
      sharesNote,
      'A judgement that failed has null for its axes and is in no mean, where the toolkit writes -1 and averages it.',
      ...left === 0 ? [] : [`${left} ratings are left out: they ended in error, or the judge could not take them.`]
    ]
  }
}
