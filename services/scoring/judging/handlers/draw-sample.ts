/**
 * Draws replies for people to label. Nothing is stored: the same request over the same ratings draws the
 * same.
 */
import type { LabelSample, LabelSampleRequest } from '../../../../shared/contracts/meta-evaluation.ts'
import { Problem } from '../../../../shared/errors/problem.ts'
import { labelSample, type RatedReply } from '../domain/meta/sample.ts'
import { overJudges } from '../domain/summary/judged.ts'
import { judgementReader } from './get-judgement.ts'
import type { JudgementParts } from './parts.ts'
import { mustHaveEnded } from './read-ratings.ts'
import { readScores } from './read-rows.ts'

/** @throws Problem judgement-not-found; not-finished; not-computable */
export async function drawSample (
  parts: Pick<JudgementParts, 'jobs' | 'judging' | 'benchmarks'>, judgementId: string, asked: LabelSampleRequest
): Promise<LabelSample> {
  const { spec } = await judgementReader(parts).job(judgementId)
  await mustHaveEnded(parts, judgementId)
  if (spec.form !== 'scores') throw new Problem('not-computable', 'People label scores, and this judgement has preferences.')
  const { units } = await readScores(parts.judging, { judgementId, spec })
  const { itemById } = await parts.benchmarks.get(spec.benchmarkId)
  const replies = units.flatMap((each): RatedReply[] => {
    const rated = overJudges(each, 'mean')
    if (rated === null) return []
    const { itemId, predictionIds, runs } = each.unit
    const item = itemById.get(itemId)!
    const category = asked.category === 'kind' ? item.kind : item.slices[asked.category] ?? 'none'
    return [{ predictionId: predictionIds[0]!, run: runs[0]!, itemId, category, total: rated.total }]
  })
  if (replies.length === 0) throw new Problem('not-computable', 'No prediction was rated by every judge.')
  return labelSample({ runIds: spec.runIds, replies }, asked)
}
