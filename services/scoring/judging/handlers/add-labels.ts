/** Keeps what people gave in a judge's place, and sums up anew. */
import type { HumanLabelsRequest } from '../../../../shared/contracts/judgement.ts'
import { canonicalJson } from '../../../../shared/contracts/hash.ts'
import { Problem } from '../../../../shared/errors/problem.ts'
import { faultsOfLabels, labelOf } from '../domain/labels.ts'
import { judgementReader } from './get-judgement.ts'
import type { JudgementParts } from './parts.ts'
import { mustHaveEnded } from './read-ratings.ts'
import { summarise } from './summarise.ts'

type LabelParts = Pick<JudgementParts, 'jobs' | 'judging'>

/**
 * All or nothing as far as faults go; twice is once. A label is never replaced: a rater who thinks
 * otherwise now rates under another name.
 *
 * @throws Problem judgement-not-found; not-finished; invalid-request; conflict for another label of the same
 */
export async function addLabels (
  parts: LabelParts, judgementId: string, { rater, labels }: HumanLabelsRequest
): Promise<{ added: number, known: number }> {
  const { spec } = await judgementReader(parts).job(judgementId)
  await mustHaveEnded(parts, judgementId)
  if (spec.form !== 'scores') throw new Problem('not-computable', 'Labels stand beside scores, and this judgement has preferences.')
  const faults = faultsOfLabels(labels, { rubric: spec.rubric, judged: await judgedIn(parts, judgementId) })
  if (faults.length > 0) {
    throw new Problem('invalid-request', 'Some labels cannot be used; none was kept.', { errors: faults.slice(0, 20) })
  }
  await mustHaveRoom(parts, judgementId, rater)
  const given = labels.map(label => labelOf(label, { rater, rubric: spec.rubric }))
  let added = 0
  for (const label of given) {
    const there = await parts.judging.findLabel(judgementId, label)
    if (there !== undefined && canonicalJson(there) !== canonicalJson(label)) {
      throw new Problem('conflict', `${rater} has labelled ${label.predictionId} already, and otherwise; labels are not replaced: name another rater for a second opinion.`)
    }
  }
  for (const label of given) if (await parts.judging.saveLabel(judgementId, label)) added++
  await summarise(parts, { judgementId, spec })
  return { added, known: labels.length - added }
}

/** The meta-evaluation holds every rater against every other. */
const ratersMax = 50
const labelsMax = 20_000

async function mustHaveRoom ({ judging }: LabelParts, judgementId: string, rater: string): Promise<void> {
  const raters = new Set([rater])
  let count = 0
  for await (const some of judging.labelsOf(judgementId)) {
    for (const { value } of some) raters.add(value.rater)
    count += some.length
  }
  if (raters.size <= ratersMax && count < labelsMax) return
  throw new Problem('not-computable', `A judgement takes ${ratersMax} raters and about ${labelsMax} labels; open another for more.`)
}

async function judgedIn ({ judging }: LabelParts, judgementId: string): Promise<Set<string>> {
  const found = new Set<string>()
  for await (const some of judging.unitsOf(judgementId)) {
    for (const { value: { predictionIds } } of some) found.add(predictionIds[0]!)
  }
  return found
}
