/** Labels of people: checked against the rubric, nothing rounded or filled in. */
import type { HumanLabelsRequest, StoredLabel } from '../../../../shared/contracts/judgement.ts'
import type { Rubric } from '../../../../shared/contracts/rubric.ts'
import { isScore, totalOf } from './rubric.ts'

type Label = HumanLabelsRequest['labels'][number]

export function faultsOfLabels (
  labels: readonly Label[], { rubric, judged }: { rubric: Rubric, judged: ReadonlySet<string> }
): Array<{ pointer: string, detail: string }> {
  const seen = new Set<string>()
  return labels.flatMap(({ predictionId, scores }, i) => {
    const faults: Array<{ pointer: string, detail: string }> = []
    const at = (path: string, detail: string) => faults.push({ pointer: `/labels/${i}${path}`, detail })
    if (!judged.has(predictionId)) at('/predictionId', 'No prediction of this judgement.')
    if (seen.has(predictionId)) at('/predictionId', 'Labelled twice in this request.')
    seen.add(predictionId)
    for (const criterion of rubric.criteria) {
      const { name, min, max } = criterion
      if (!isScore(Object.hasOwn(scores, name) ? scores[name] : undefined, criterion)) {
        at(`/scores/${name}`, `A whole number from ${min} to ${max}.`)
      }
    }
    for (const name of Object.keys(scores)) {
      if (!rubric.criteria.some(criterion => criterion.name === name)) at('/scores', `The rubric has no criterion ${name.slice(0, 40)}.`)
    }
    return faults
  })
}

export function labelOf (label: Label, { rater, rubric }: { rater: string, rubric: Rubric }): StoredLabel {
  return { rater, ...label, total: totalOf(rubric, label.scores) }
}
