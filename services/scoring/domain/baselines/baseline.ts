/**
 * Baseline: a model without a model. It sees a Question and the paper, never an answer, and gives
 * a raw reply that is read by the same extraction as a model's; what it cannot answer it skips.
 */
import type { Document } from '../../../../shared/contracts/document.ts'
import type { Question } from '../question.ts'

export interface Sight {
  question: Question
  /** Null for items of a bank and where the condition gives no text of the paper. */
  document: Document | null
  seed: number
}

export type BaselineReply = { reply: string } | { skipped: string }
export type Baseline = (sight: Sight) => BaselineReply

export function isDescriptive ({ kind }: Question): boolean {
  return kind === 'qa' || kind === 'vqa'
}

/** Answers are asked for in at most 500 characters, so a baseline's are no longer. */
const charsMax = 500

/** As many of the sentences as fit, in their order; the first one even when it is too long. */
export function joinSentences (sentences: readonly string[]): string {
  let text = sentences[0] ?? ''
  for (const sentence of sentences.slice(1)) {
    if (text.length + 1 + sentence.length > charsMax) break
    text += ` ${sentence}`
  }
  return text
}
