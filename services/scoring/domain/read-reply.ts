/** What a raw reply says: its outcome, and for choices the answer read leniently and strictly. */
import { readReply as readAnswer } from '../../../shared/answers/outcome.ts'
import type { Extraction, Prediction } from '../../../shared/contracts/run.ts'
import type { Question } from './question.ts'

/** `refusal`: the server itself says that the model declined. */
export interface Reply { content: string, finishReason: string | null, refusal: boolean }

export type Reading = Pick<Prediction, 'reply' | 'outcome' | 'lenient' | 'strict'>

export function readReply (question: Question, { content, finishReason, refusal }: Reply): Reading {
  const { kind, choices } = question
  const asked = kind === 'binary' ? { kind } : kind === 'choice' ? { kind, choices } : null
  const { outcome, lenient, strict } = readAnswer({ reply: content, finishReason, kind }, asked)
  return {
    reply: content,
    outcome: refusal ? 'refused' : outcome,
    lenient: lenient === null ? null : inBenchmarkOrder(lenient, question),
    strict: strict === null ? null : inBenchmarkOrder(strict, question)
  }
}

/** The label is the one that was shown; the index is the choice's place in the benchmark. */
function inBenchmarkOrder (extraction: Extraction, { order }: Question): Extraction {
  return { ...extraction, index: extraction.index === null ? null : order[extraction.index] ?? null }
}
