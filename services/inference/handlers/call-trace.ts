/** What is noted of one call while it goes on, and its record at the end. */
import { asProblem } from '../../../shared/errors/problem-body.ts'
import { problems, type ProblemKind } from '../../../shared/errors/problem.ts'
import type { Call, CallOutcome, CallRecord, TokenUsage } from '../domain/call.ts'
import type { Reply } from '../domain/reply.ts'
import { noUsage } from '../domain/token-usage.ts'

export interface CallTrace {
  /** Monotonic. */
  startedAt: number
  attempts: number
  queueMs: number
  firstByteAt: number | null
  servedModel: string | null
  upstream: string | null
  upstreamVersion: string | null
  usage: TokenUsage
  finishReasons: readonly string[]
  source: CallRecord['source']
  /** Where texts are logged: what was answered, as far as it was. */
  text: string
}

export function beginTrace (startedAt: number): CallTrace {
  return {
    startedAt,
    attempts: 0,
    queueMs: 0,
    firstByteAt: null,
    servedModel: null,
    upstream: null,
    upstreamVersion: null,
    usage: noUsage,
    finishReasons: [],
    source: 'upstream',
    text: ''
  }
}

/** The reply may be of an equal call, or of long ago. */
export function fill (trace: CallTrace, reply: Omit<Reply, 'bytes'>): void {
  trace.servedModel = reply.servedModel
  trace.upstream = reply.upstream
  trace.upstreamVersion = reply.upstreamVersion
  trace.usage = reply.usage
  trace.finishReasons = reply.finishReasons
}

/** @param cause  why there is no answer; undefined where there is one */
export function recordOf (call: Call, trace: CallTrace, cause?: unknown): CallRecord {
  const { startedAt, firstByteAt } = trace
  const { id, path, body, labels, signal } = call
  const left = cause !== undefined && signal.aborted
  const problem = cause === undefined || left ? null : asProblem(cause).kind
  return {
    id,
    path,
    model: body.model,
    labels,
    stream: body.stream === true,
    outcome: cause === undefined ? 'answered' : left ? 'cancelled' : outcomeOf(problem!),
    problem,
    servedModel: trace.servedModel,
    upstream: trace.upstream,
    upstreamVersion: trace.upstreamVersion,
    finishReasons: trace.finishReasons,
    usage: trace.usage,
    source: trace.source,
    attempts: trace.attempts,
    queueMs: trace.queueMs,
    firstByteMs: firstByteAt === null ? null : firstByteAt - startedAt,
    totalMs: performance.now() - startedAt
  }
}

/** What the caller can mend was refused; everything else is infrastructure. */
function outcomeOf (kind: ProblemKind): CallOutcome {
  const { status } = problems[kind]
  return status < 500 && kind !== 'too-many-requests' ? 'refused' : 'failed'
}
