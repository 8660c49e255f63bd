/** What is told of calls: counted always, logged when they fail, traced where a collector is named. */
import type { IncomingHttpHeaders } from 'node:http'
import type { Logger } from 'pino'
import type { Registry } from 'prom-client'
import { noteTold, reasonOf } from '../../../shared/app/http-problems.ts'
import { asProblem } from '../../../shared/errors/problem-body.ts'
import type { ProblemKind } from '../../../shared/errors/problem.ts'
import type { Config } from '../config.ts'
import type { Call, CallRecord, RequestBody } from '../domain/call.ts'
import { readTraceContext, traceHeaders, type TraceContext } from '../domain/trace-context.ts'
import type { Upstream } from '../domain/upstream.ts'
import { callMetrics, type Gauges } from './observe-metrics.ts'

export type Begun = Pick<Call, 'id' | 'path' | 'body' | 'labels'>
export type AttemptEnding = 'answered' | 'cancelled' | ProblemKind
export interface AttemptTo {
  upstream: Upstream
  /** The model's name there. */
  served: string
  /** Waited for this place. */
  queueMs: number
}

/** A request to an upstream. */
export interface AttemptSpan {
  /** To be sent along: the trace it belongs to. */
  headers: Record<string, string>
  ended: (ending: AttemptEnding) => void
}

export interface CallSpans {
  attempt: (to: AttemptTo, nth: number) => AttemptSpan
  ended: (record: CallRecord) => void
}

export interface Spans {
  begin: (call: Begun, parent: TraceContext | null) => CallSpans
  close: () => Promise<void>
}

interface EndedMore {
  /** Its text, where `promptsLogged`. */
  reply?: string
  /** Why there is none. */
  cause?: unknown
}

/** One call as it is watched; none of this throws or waits. */
export interface CallWatch {
  attempt: (to: AttemptTo) => AttemptSpan
  /** Once, whatever became of it. */
  ended: (record: CallRecord, more?: EndedMore) => void
}

export interface CallObserver {
  /** Whether LOG_PROMPTS asks for texts; else nobody need gather them. */
  promptsLogged: boolean
  /** @param headers as received, for the caller's trace */
  begin: (call: Begun, headers: IncomingHttpHeaders) => CallWatch
  /** Steps of the reply ladder, once for each structured completion. */
  laddered: (steps: readonly string[]) => void
  /** Sends what spans there still are; waits 2 s at most. */
  close: () => Promise<void>
}

type Settings =
  Pick<Config, 'LOG_PROMPTS' | 'OTEL_EXPORTER_OTLP_ENDPOINT' | 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'>
interface Surroundings { config: Settings, metrics: Registry, log: Logger, gauges: () => Gauges }

export async function observeCalls ({ config, metrics, log, gauges }: Surroundings): Promise<CallObserver> {
  const counted = callMetrics(metrics, gauges)
  const onExport = tellOfExports(log, counted.exportFailed)
  const url = tracesUrl(config)
  const spans = url === undefined ? untraced : (await import('./observe-spans.ts')).otlpSpans(url, onExport)
  const promptsLogged = config.LOG_PROMPTS === '1'
  if (promptsLogged) log.warn('LOG_PROMPTS is 1: the log holds what models are asked and answer')
  return {
    promptsLogged,
    begin (call, headers) {
      const traced = spans.begin(call, readTraceContext(headers.traceparent, headers.tracestate))
      let faults: readonly Fault[] = noFaults
      let attempts = 0
      return {
        attempt (to) {
          const span = traced.attempt(to, attempts++)
          return {
            headers: span.headers,
            ended (ending) {
              span.ended(ending)
              counted.attempted(to.upstream.name, ending)
              if (ending !== 'answered') faults = [...faults, { upstream: to.upstream.name, ending }]
            }
          }
        },
        ended (record, { reply, cause } = {}) {
          traced.ended(record)
          counted.ended(record)
          logCall(log, record, { faults, cause })
          if (promptsLogged) log.info({ requestId: record.id, ...texts(call.body, reply) }, 'texts of a call')
        }
      }
    },
    laddered: counted.laddered,
    close: spans.close
  }
}

/** Of a call, until it ends. */
interface Fault { upstream: string, ending: AttemptEnding }

const noFaults: readonly Fault[] = []
const noSpan: AttemptSpan = { headers: {}, ended () {} }
const noSpans: CallSpans = { attempt: () => noSpan, ended () {} }

/** Without a collector the caller's trace goes on to the upstream as it came. */
const untraced: Spans = {
  begin (_, parent) {
    if (parent === null) return noSpans
    const span = { headers: traceHeaders(parent), ended () {} }
    return { attempt: () => span, ended () {} }
  },
  async close () {}
}

/** As OpenTelemetry's specification puts it together. */
function tracesUrl (config: Settings): string | undefined {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: base, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: traces } = config
  return traces ?? (base === undefined ? undefined : `${base.replace(/\/$/, '')}/v1/traces`)
}

/** A line when the collector stops taking spans, and one when it takes them again. */
function tellOfExports (log: Logger, failed: () => void): (error?: Error) => void {
  let works = true
  return error => {
    if (error !== undefined) failed()
    if (works === (error === undefined)) return
    works = error === undefined
    if (works) log.info('the OTLP endpoint takes spans again')
    else log.warn({ detail: error?.message }, 'the OTLP endpoint does not take spans; they are lost until it does')
  }
}

/** What a process that is well answers when it has enough to do: a line for each would add to the load. */
const refusals: ReadonlyArray<ProblemKind | null> = ['queue-full', 'overloaded', 'shutting-down', 'too-many-requests']

/** Names, times and faults of our own: what upstreams say may quote the prompt. */
function logCall (
  log: Logger, record: CallRecord, { faults, cause }: { faults: readonly Fault[], cause: unknown }
): void {
  const { outcome, problem } = record
  const level = outcome !== 'failed' || refusals.includes(problem) ? 'debug' : problem === 'internal' ? 'error' : 'warn'
  if (!log.isLevelEnabled(level)) return
  if (level !== 'debug') noteTold(cause)
  const { id, path, model, servedModel, upstream, stream, attempts, queueMs, firstByteMs, totalMs } = record
  // A name nobody serves may be anything a caller wrote.
  const name = servedModel === null ? model.slice(0, 100) : model
  const what = { requestId: id, path, model: name, upstream, stream, outcome, problem }
  const reason = level === 'debug' || cause === undefined ? {} : reasonOf(asProblem(cause))
  log[level]({ ...what, attempts, faults, queueMs, firstByteMs, totalMs, ...reason }, outcome === 'failed' ? 'a call failed' : 'a call ended')
}

export const textCharsMax = 4_000
const pieceCharsMax = 1_000

/** What of a request and its answer is text, cut so that images and whole papers do not fill the log. */
function texts ({ messages, prompt, input }: RequestBody, reply = '') {
  const cut = (_: string, value: unknown) => typeof value === 'string' && value.length > pieceCharsMax
    ? `${value.slice(0, pieceCharsMax)}…`
    : value
  const asked = JSON.stringify(messages ?? prompt ?? input ?? null, cut)
  return { prompt: asked.slice(0, textCharsMax), reply: reply.slice(0, textCharsMax) }
}
