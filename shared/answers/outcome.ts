/** What became of a reply: answered, unparsable, refused or truncated. */
import type { ItemKind } from '../contracts/item.ts'
import type { Extraction, Outcome } from '../contracts/run.ts'
import { readLeniently, type Question } from './lenient.ts'
import { withoutReasoning } from './reasoning.ts'
import { isRefusal } from './refusal.ts'
import { readStrictly } from './strict.ts'

export interface Reply {
  reply: string
  /** As OpenAI's API has it: stop, length, content_filter, …; null where there is none. */
  finishReason: string | null
  kind: ItemKind
  /** The lenient reading; null for descriptive kinds. */
  lenient: Extraction | null
}

/**
 * The outcome of a reply that came back. One cut at the token limit is truncated, whatever it said
 * before: it never finished, and may have gone on to take its answer back. Both readings are kept
 * beside the outcome, so that a reader can see what the cut reply had said.
 */
export function outcomeOf ({ reply, finishReason, lenient }: Reply): Outcome {
  if (finishReason === 'content_filter') return 'refused'
  if (finishReason === 'length') return 'truncated'
  if (lenient !== null) {
    if (lenient.index !== null) return 'answered'
    return lenient.reason === 'refused' ? 'refused' : 'unparsable'
  }
  const text = descriptiveAnswer(reply)
  if (text === '') return 'unparsable'
  return isRefusal(text) ? 'refused' : 'answered'
}

/** The text of a descriptive answer, reasoning off; empty if the reasoning never ends. */
export function descriptiveAnswer (reply: string): string {
  const stretches = withoutReasoning(reply) ?? []
  return stretches.map(([from, to]) => reply.slice(from, to)).join('\n').trim()
}

export interface Reading { outcome: Outcome, lenient: Extraction | null, strict: Extraction | null }

/** Both readings and the outcome of a reply; `question` is null for descriptive kinds. */
export function readReply (given: Omit<Reply, 'lenient'>, question: Question | null): Reading {
  const lenient = question === null ? null : readLeniently(given.reply, question)
  const strict = question === null ? null : readStrictly(given.reply, question)
  return { outcome: outcomeOf({ ...given, lenient }), lenient, strict }
}
