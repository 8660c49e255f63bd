/** Has a model judge one item; asks again, as a new sample, what cannot be counted. */
import { canonicalJson, idOf, sha256 } from '../../../shared/contracts/hash.ts'
import type { Item } from '../../../shared/contracts/item.ts'
import { reviewTriesMax } from '../../../shared/contracts/review-recipe.ts'
import type { Review } from '../../../shared/contracts/review.ts'
import { itemValues } from '../domain/loop/review-prompt.ts'
import { criteriaOf, reviewSchema, rubricOf } from '../domain/loop/rubric.ts'
import { readScores, verdictOf, type Read } from '../domain/loop/verdict.ts'
import { askModel, type ModelAnswer } from './ask-model.ts'
import type { UnitParts, UnitWork } from './unit-parts.ts'

export interface ReviewAsked { item: Item, role: 'round' | 'confirmatory', round: number | null }

/**
 * A confirmatory review is a call of its own: another seed, the model that the recipe names for it,
 * and nothing in its prompt of what was thought of the item before.
 *
 * @returns  a review with scores; or without, `unreviewed`, whose comment says why
 */
export async function askReview (parts: UnitParts, work: UnitWork, asked: ReviewAsked): Promise<Review> {
  const { item, role, round } = asked
  const rubric = rubricOf(item)
  const as = role === 'confirmatory' ? 'confirmModel' : 'model'
  const itemHash = sha256(canonicalJson(item))
  const blank = {
    id: idOf('review', { reviewingId: work.reviewingId, itemId: item.id, role, round, itemHash }),
    itemId: item.id,
    reviewer: { type: 'model' as const, name: work.recipe[as] },
    role,
    round,
    itemHash,
    checks: []
  }
  const faults: string[] = []
  for (let sampleIndex = 0; ; sampleIndex++) {
    const answer = await askModel(parts, work, {
      prompt: parts.prompts.review[rubric],
      values: itemValues(item, rubric, faults),
      item,
      schema: reviewSchema(rubric, work.recipe.sampling.maxTokens),
      as,
      purpose: role === 'confirmatory' ? 'confirmatory-review' : 'review',
      asking: { round },
      sampleIndex
    })
    const read = readAnswer(answer, () => readScores(answer.value, criteriaOf(rubric)))
    const { provenance } = answer
    if (read.faults === undefined) {
      const comment = sampleIndex === 0 ? '' : `Counted at asking ${sampleIndex + 1}; the replies before could not be: ${faults.join(' ')}`
      const { reasons } = read
      const scores = read.scores as Record<string, number>
      return { ...blank, scores, reasons, verdict: verdictOf(scores), comment, provenance }
    }
    faults.splice(0, faults.length, ...read.faults)
    if (sampleIndex + 1 < reviewTriesMax) continue
    const comment = `No review could be had in ${reviewTriesMax} askings. The last reply: ${read.faults.join(' ')}`
    return { ...blank, scores: null, reasons: {}, verdict: 'unreviewed', comment, provenance }
  }
}

function readAnswer ({ outcome, hasValue, reason }: ModelAnswer, read: () => Read): Read {
  if (outcome === 'answered' && hasValue) return read()
  if (outcome === 'refused') return { faults: ['The model declined to judge the item.'] }
  const wrong = reason?.errors.slice(0, 6).map(({ pointer, detail }) => `${pointer}: ${detail}`) ?? []
  const what = outcome === 'truncated' ? 'It was cut before its end: write shorter reasons.' : reason?.detail ?? 'It held no JSON object.'
  return { faults: [what, ...wrong] }
}
