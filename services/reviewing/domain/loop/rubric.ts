/** Which criteria go with an item, by its kind: not everything can be asked of a "Yes". */
import type { Item } from '../../../../shared/contracts/item.ts'
import { criteria } from '../../../../shared/contracts/review.ts'

export type Criterion = (typeof criteria)[number]
export const rubricNames = ['descriptive', 'choice', 'binary', 'unanswerable'] as const
export type RubricName = (typeof rubricNames)[number]

/** One prompt file each. What is not named is n/a: it is neither asked nor scored. */
const asked: Record<RubricName, readonly Criterion[]> = {
  descriptive: criteria,
  choice: ['logical', 'relevance', 'completeness', 'accuracy', 'clarityEvidence'],
  binary: ['logical', 'relevance', 'accuracy', 'clarityEvidence'],
  unanswerable: ['logical', 'relevance', 'accuracy', 'clarityEvidence']
}

export function rubricOf ({ kind, answerability }: Pick<Item, 'kind' | 'answerability'>): RubricName {
  if (answerability !== undefined) return 'unanswerable'
  return kind === 'binary' || kind === 'choice' ? kind : 'descriptive'
}

export function criteriaOf (rubric: RubricName): readonly Criterion[] {
  return asked[rubric]
}

/** Name, score, marks and blanks of one criterion in a reply. */
const frameChars = 60
const reasonCharsLeast = 100
/** Of English; that it is cut after all is counted and asked again. */
const charsPerToken = 3

/**
 * What a reviewer's reply must be: for each criterion the reason, then the score it leads to. Reasons
 * have an end, so that a reply as long as the schema allows has its last score too: small models go round
 * in one reason until their tokens are spent.
 */
export function reviewSchema (rubric: RubricName, replyTokensMax: number): object {
  const share = Math.floor(replyTokensMax * charsPerToken / asked[rubric].length) - frameChars
  const reason = { type: 'string', minLength: 1, maxLength: Math.max(reasonCharsLeast, share) }
  const judgement = {
    type: 'object',
    properties: { reason, score: { type: 'integer', minimum: 1, maximum: 5 } },
    required: ['reason', 'score'],
    additionalProperties: false
  }
  return {
    type: 'object',
    properties: Object.fromEntries(asked[rubric].map(name => [name, judgement])),
    required: [...asked[rubric]],
    additionalProperties: false
  }
}
