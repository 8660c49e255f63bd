/** Reads replies: long ones on a thread, for the rules take microseconds a character. */
import type { Condition, Prediction } from '../../../shared/contracts/run.ts'
import { inlineCharsMax } from '../../../shared/reading/reply-reader.ts'
import { readReply, type Reading, type Reply } from '../domain/read-reply.ts'
import { carried, type Carrying } from '../domain/rescore.ts'
import type { Question } from '../domain/question.ts'
import type { Threads } from '../thread/threads.ts'

interface Read { question: Question, reply: Reply, condition?: Condition, signal: AbortSignal }

export async function readOne (
  threads: Threads, { question, reply, condition, signal }: Read
): Promise<Reading> {
  if (reply.content.length <= inlineCharsMax) return readReply(question, reply, condition)
  const { kind, choices, order } = question
  const { content, finishReason, refusal } = reply
  const read = await threads.run({
    do: 'read', question: { kind, choices, order }, reply: { content, finishReason, refusal }, ...condition !== undefined && { condition }
  }, { signal, patient: true })
  return { ...JSON.parse(read.toString()) as Omit<Reading, 'reply'>, reply: content }
}

export async function carryOne (threads: Threads, before: Prediction, to: Carrying): Promise<Prediction> {
  if ((before.reply?.length ?? 0) <= inlineCharsMax) return carried(before, to)
  const read = await threads.run({ do: 'carry', before, to }, { patient: true })
  return JSON.parse(read.toString()) as Prediction
}
