/** A call as an upstream hears it, and its reply as the caller hears it. */
import type { Call } from '../domain/call.ts'
import { countFromUpstream, fromUpstream } from '../domain/dialect/from-upstream.ts'
import { toUpstream } from '../domain/dialect/to-upstream.ts'
import { wholeFinishReasons } from '../domain/finish-reasons.ts'
import type { RelayOptions } from '../domain/relay.ts'
import type { Reply } from '../domain/reply.ts'
import { answersTo } from '../domain/request-cost.ts'
import { believed, readUsage, saySomething } from '../domain/token-usage.ts'
import { missingOf } from '../domain/whole-judge.ts'
import { withAttempts, type Attempt, type Attempting, type AttemptParts } from './attempts.ts'
import { keyHeader } from './connect-upstream.ts'
import type { Exchanges, Question } from './exchange.ts'
import { cutReply, noReply } from './reply-faults.ts'
import { askStream, type StreamReply } from './stream-reply.ts'
import { askWhole, type UpstreamQuestion, type WholeReply } from './whole-reply.ts'

export interface AskParts extends AttemptParts {
  exchanges: Exchanges
  /** The value of an environment variable; keys are looked up when needed. */
  secret: (name: string) => string | undefined
  /** Until a stream begins. */
  firstByteMs: number
  idleMs: number
}

/** The whole reply of one upstream, or the fault of the last that was asked. */
export async function askForWhole (parts: AskParts, attempting: Attempting): Promise<Reply> {
  const { call, trace } = attempting
  return await withAttempts(parts, attempting, async attempt => {
    const { upstream } = attempt.lease.target.replica
    const whole = await askWhole(parts.exchanges, questionOf(parts, attempting, attempt))
    trace.firstByteAt = whole.firstByteAt
    const missing = missingOf(call.path, call.body, whole.json)
    if (missing !== null) throw missing === 'end' ? cutReply(upstream) : noReply(upstream)
    const reply = replyOf(call, attempt, whole)
    attempt.answered(whole.firstByteAt)
    return reply
  })
}

function replyOf (
  { path, body: { model: asked } }: Call, { lease, upstreamVersion }: Attempt, { bytes, json }: WholeReply
): Reply {
  const { replica: { upstream }, served } = lease.target
  // Another model's reply must keep its name, so that it is not taken for this one's.
  const translated = fromUpstream(json, json.model === served ? asked : String(json.model)) ??
    countFromUpstream(path, json)
  return {
    status: 200,
    contentType: 'application/json',
    bytes: translated === undefined ? bytes : Buffer.from(JSON.stringify(translated)),
    servedModel: served,
    upstream: upstream.name,
    upstreamVersion,
    usage: believed(readUsage(json.usage), saySomething(json.choices)),
    finishReasons: wholeFinishReasons(json)
  }
}

export interface OpenStream { stream: StreamReply, attempt: Attempt }

/** What is known of it so far. */
export function aboutOf ({ stream, attempt }: OpenStream): Omit<Reply, 'bytes'> {
  const { replica, served } = attempt.lease.target
  const { judge } = stream.relay
  return {
    status: 200,
    contentType: 'text/event-stream; charset=utf-8',
    servedModel: served,
    upstream: replica.upstream.name,
    upstreamVersion: attempt.upstreamVersion,
    usage: judge.usage(),
    finishReasons: judge.finishReasons()
  }
}

/** A stream that has begun; whoever gets it runs it and ends the attempt. */
export async function openStream (
  parts: AskParts, attempting: Attempting, onChunk?: RelayOptions['onChunk']
): Promise<OpenStream> {
  const { call, trace } = attempting
  return await withAttempts(parts, attempting, async attempt => {
    const { served } = attempt.lease.target
    const { model: asked } = call.body
    const stream = await askStream(parts.exchanges, questionOf(parts, attempting, attempt), {
      choices: answersTo(call.body),
      wantsUsage: wantsUsage(call.body.stream_options),
      translate: chunk => fromUpstream(chunk, chunk.model === served ? asked : String(chunk.model)),
      ...onChunk !== undefined && { onChunk }
    })
    trace.firstByteAt = stream.firstByteAt
    return { stream, attempt }
  })
}

function questionOf (
  parts: AskParts, { call, deadline }: Attempting, { lease, headers }: Attempt
): UpstreamQuestion {
  const { replica: { upstream, probe }, served } = lease.target
  const { version, engine } = probe
  const body = toUpstream(call.body, { path: call.path, version, engine, served })
  const isStream = call.body.stream === true
  const question: Question = {
    method: 'POST',
    path: upstreamPath(call.path),
    // Parsed and written again it would be the same, at the price of both.
    body: body === call.body && call.json !== undefined ? call.json : JSON.stringify(body),
    headers: {
      ...headers,
      ...call.passed,
      'content-type': 'application/json',
      'x-request-id': call.id,
      ...keyHeader(upstream, parts.secret)
    },
    timeouts: {
      // A reply that is not streamed comes whole, after all its thinking.
      firstByteMs: isStream ? parts.firstByteMs : Infinity,
      idleMs: parts.idleMs,
      deadline
    }
  }
  return { upstream, question, signal: call.signal }
}

/** These two are vLLM's own, and not under /v1 there. */
function upstreamPath (path: Call['path']): string {
  return path === '/v1/tokenize' || path === '/v1/detokenize' ? path.slice('/v1'.length) : path
}

function wantsUsage (options: unknown): boolean {
  if (options === null || typeof options !== 'object') return false
  const { include_usage: include = true } = options as { include_usage?: unknown }
  return include === true
}
