/** One call, as the door has read it, and what is written down of it when it has ended. */
import type { ProblemKind } from '../../../shared/errors/problem.ts'

/** What is forwarded; nothing else of a model server can be reached through the door. */
export type ForwardedPath =
  '/v1/chat/completions' | '/v1/completions' | '/v1/embeddings' | '/v1/tokenize' | '/v1/detokenize'

/** Whether a model writes the answer; the other paths count and compute, always with the same result. */
export function isGenerated (path: ForwardedPath): boolean {
  return path === '/v1/chat/completions' || path === '/v1/completions'
}

/** Opaque: who asks, which calls belong together, and what for. Empty text where the caller says nothing. */
export interface Labels { caller: string, group: string, purpose: string }

export type ReplayMode = 'off' | 'record' | 'replay' | 'replay-or-record'

/** In OpenAI's form; only `model` is known, the rest is the caller's until it is checked. */
export type RequestBody = Record<string, unknown> & { model: string }

/** 0 before 1 before 2: interactive, normal, bulk. */
export type Band = 0 | 1 | 2

/** What is used of an AbortSignal, which may stand for it. Each listener is told once. */
export interface Leaving {
  readonly aborted: boolean
  readonly reason: unknown
  /** @throws the reason */
  throwIfAborted: () => void
  addEventListener: (type: 'abort', listener: () => void) => void
  removeEventListener: (type: 'abort', listener: () => void) => void
}

export interface Call {
  /** Of the request, as in the log; also the upstream's X-Request-Id. */
  id: string
  path: ForwardedPath
  /** As the caller sent it; names of models and dialect are translated for each upstream anew. */
  body: RequestBody
  /** The body as it came, UTF-8; undefined where it is only known parsed. */
  json?: Uint8Array | undefined
  labels: Labels
  replay: ReplayMode
  /** Distinguishes repeats of one request; null when the caller names none. */
  sampleIndex: number | null
  band: Band
  /** Estimate of prompt plus completion; what fairness weighs. */
  tokens: number
  /** Of the body as received. */
  bytes: number
  /** Hashes of the prompt's leading blocks, each covering all before it; for affinity. */
  prefix: readonly string[]
  /** Capabilities without which an upstream cannot answer this, for example vision. */
  needs: readonly string[]
  /** For all of it, waiting included. */
  timeoutMs: number
  /** Aborted when the caller leaves. */
  signal: Leaving
  /** Headers that are passed on: none but in tests, which tell a fake what to do. */
  passed?: Readonly<Record<string, string>>
}

/** As the upstream counted; null where it did not say. */
export interface TokenUsage {
  promptTokens: number | null
  completionTokens: number | null
  cachedTokens: number | null
  reasoningTokens: number | null
}

/**
 * How a call ended. `refused`: by us or by the upstream, for something the caller can mend;
 * `failed`: infrastructure; `cancelled`: the caller left.
 */
export type CallOutcome = 'answered' | 'refused' | 'failed' | 'cancelled'

/** Written once for each call, whatever became of it; usage, metrics and spans are made from it. */
export interface CallRecord {
  id: string
  path: ForwardedPath
  /** As asked for, and as the upstream knows it; null when none was chosen. */
  model: string
  servedModel: string | null
  upstream: string | null
  upstreamVersion: string | null
  labels: Labels
  stream: boolean
  outcome: CallOutcome
  problem: ProblemKind | null
  /** One for each choice that ended. */
  finishReasons: readonly string[]
  usage: TokenUsage
  /** Where the answer came from: an upstream, the record, or a call that was under way already. */
  source: 'upstream' | 'record' | 'coalesced'
  /** Upstream requests made, retries included. */
  attempts: number
  queueMs: number
  /** From the start of the call to the first byte of the upstream's body; null when there was none. */
  firstByteMs: number | null
  totalMs: number
}
