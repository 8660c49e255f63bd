/** What a raw reply says: its outcome, and for choices the answer read leniently and strictly. */
import { extract, outcomeOf } from '../../../shared/answers/extraction.ts'
import type { Extraction, Prediction } from '../../../shared/contracts/run.ts'
import type { Question } from './question.ts'

export interface Reply { content: string, finishReason: string | null, refusal: boolean }

export function readReply (question: Question, reply: Reply): Pick<Prediction, 'reply' | 'outcome' | 'lenient' | 'strict'> {
  const { content, finishReason } = reply
  const { kind, choices } = question
  if (kind === 'qa' || kind === 'vqa') {
    const outcome = outcomeOf({ text: content, finishReason, extraction: null })
    return { reply: content, outcome, lenient: null, strict: null }
  }
  const lenient = extract(content, { kind, choices, mode: 'lenient' })
  const strict = extract(content, { kind, choices, mode: 'strict' })
  return {
    reply: content,
    outcome: outcomeOf({ text: content, finishReason, extraction: lenient }),
    lenient: inBenchmarkOrder(lenient, question),
    strict: inBenchmarkOrder(strict, question)
  }
}

/** The label is the one that was shown; the index is the choice's place in the benchmark. */
function inBenchmarkOrder (extraction: Extraction, { order }: Question): Extraction {
  return { ...extraction, index: extraction.index === null ? null : order[extraction.index] ?? null }
}
