/** What a raw reply says: its outcome, and for choices the answer read leniently and strictly. */
import { readReply as readAnswer } from '../../../shared/answers/outcome.ts'
import { readStrictly } from '../../../shared/answers/strict.ts'
import type { Condition, Extraction, Prediction } from '../../../shared/contracts/run.ts'
import { readConfidence, withoutConfidence } from './confidence.ts'
import type { Question } from './question.ts'

/**
 * Of the rules in shared/answers and here; stored with every prediction and raised whenever the same
 * reply may be read otherwise than before. Runs that were read by an earlier one are read again by
 * scoring them again; no model is asked.
 */
export const readerVersion = 3

/** `refusal`: the server itself says that the model declined. */
export interface Reply { content: string, finishReason: string | null, refusal: boolean }

export type Reading = Pick<Prediction, 'reply' | 'outcome' | 'lenient' | 'strict' | 'confidence' | 'reader'>

type Shown = Pick<Question, 'kind' | 'choices' | 'order'>
type Asked = Pick<Condition, 'confidence'>

export function readReply (question: Shown, reply: Reply, asked: Asked = {}): Reading {
  const { content, finishReason, refusal } = reply
  const { kind, choices } = question
  const sought = kind === 'binary' ? { kind } : kind === 'choice' ? { kind, choices } : null
  const stated = asked.confidence === 'verbal'
  const answer = stated ? withoutConfidence(content) : content
  const { outcome, lenient, strict: read } = readAnswer({ reply: answer, finishReason, kind }, sought)
  // The form asked for has the confidence before the answer, and nothing behind it.
  const strict = stated && sought !== null ? readStrictly(content, sought) : read
  return {
    reply: content,
    outcome: refusal ? 'refused' : outcome,
    lenient: lenient === null ? null : inBenchmarkOrder(lenient, question),
    strict: strict === null ? null : inBenchmarkOrder(strict, question),
    ...stated && { confidence: readConfidence(content) },
    reader: readerVersion
  }
}

/** The label is the one that was shown; the index is the choice's place in the benchmark. */
function inBenchmarkOrder (extraction: Extraction, { order }: Shown): Extraction {
  return { ...extraction, index: extraction.index === null ? null : order[extraction.index] ?? null }
}
