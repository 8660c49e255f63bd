/**
 * Spans of calls for an OTLP collector: one for the call, one for each time it waits, one for each
 * request to an upstream. Loaded only where an endpoint is set. Sampling, batches, headers and
 * resource are as the OTEL_… variables say, else as OpenTelemetry has them: at most 2,048 spans wait.
 */
import { ROOT_CONTEXT, SpanKind, SpanStatusCode, createTraceState, trace, type Attributes, type Context, type Span, type Tracer } from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources'
import { BasicTracerProvider, BatchSpanProcessor, type SpanExporter } from '@opentelemetry/sdk-trace-base'
import type { CallRecord, ForwardedPath } from '../domain/call.ts'
import { traceHeaders, type TraceContext } from '../domain/trace-context.ts'
import type { AttemptEnding, AttemptSpan, AttemptTo, Begun, CallSpans, Spans } from './observe-calls.ts'

const closeTimeoutMs = 2_000
const valueCharsMax = 300

/** As the GenAI conventions name them; they have no word for tokenizing. */
const operations: Record<ForwardedPath, string> = {
  '/v1/chat/completions': 'chat',
  '/v1/completions': 'text_completion',
  '/v1/embeddings': 'embeddings',
  '/v1/tokenize': 'tokenize',
  '/v1/detokenize': 'detokenize'
}

/**
 * @param url       where OTLP/HTTP is spoken, for example http://collector:4318/v1/traces
 * @param onExport  told of every batch whether it was taken
 */
export function otlpSpans (url: string, onExport: (error?: Error) => void): Spans {
  const named = resourceFromAttributes({ 'service.name': 'viva-inference' })
  const provider = new BasicTracerProvider({
    resource: defaultResource().merge(named).merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new BatchSpanProcessor(told(new OTLPTraceExporter({ url }), onExport))]
  })
  const tracer = provider.getTracer('viva-inference')
  return {
    begin: (call, parent) => callSpans(tracer, call, parent),
    async close () {
      const late = new Promise<void>(resolve => { setTimeout(resolve, closeTimeoutMs).unref() })
      // What was not taken has been told of already.
      await Promise.race([provider.shutdown().catch(() => {}), late])
    }
  }
}

/** Nothing an exporter does may reach a call, so nobody waits for it; but somebody should know. */
function told (exporter: OTLPTraceExporter, onExport: (error?: Error) => void): SpanExporter {
  return {
    export (spans, done) {
      exporter.export(spans, result => {
        onExport(result.code === 0 ? undefined : result.error ?? new Error('The OTLP endpoint did not take spans.'))
        done(result)
      })
    },
    forceFlush: async () => { await exporter.forceFlush() },
    shutdown: async () => { await exporter.shutdown() }
  }
}

function callSpans (tracer: Tracer, call: Begun, parent: TraceContext | null): CallSpans {
  const { id, path, body, labels } = call
  const operation = operations[path]
  const model = short(body.model)
  const span = tracer.startSpan(`${operation} ${model}`, {
    kind: SpanKind.SERVER,
    attributes: {
      'gen_ai.operation.name': operation,
      'gen_ai.request.model': model,
      'http.request.method': 'POST',
      'http.route': path,
      'viva.request_id': id,
      ...Object.fromEntries(Object.entries(labels).filter(([, label]) => label !== '')
        .map(([name, label]) => [`viva.${name}`, short(label)]))
    }
  }, parent === null ? ROOT_CONTEXT : remote(parent))
  const context = trace.setSpan(ROOT_CONTEXT, span)
  return {
    attempt (to, nth) {
      queueSpan(tracer, context, to.queueMs)
      return attemptSpan(tracer, context, { operation, to, nth, state: parent?.state ?? '' })
    },
    ended (record) {
      if (span.isRecording()) endCall(span, record)
      span.end()
    }
  }
}

function remote ({ traceId, spanId, flags, state }: TraceContext): Context {
  return trace.setSpanContext(ROOT_CONTEXT, {
    traceId, spanId, traceFlags: flags, isRemote: true, ...state !== '' && { traceState: createTraceState(state) }
  })
}

function queueSpan (tracer: Tracer, context: Context, queueMs: number): void {
  const now = Date.now()
  tracer.startSpan('queue', { startTime: now - queueMs }, context).end(now)
}

interface AttemptOf { operation: string, to: AttemptTo, nth: number, state: string }

function attemptSpan (tracer: Tracer, context: Context, of: AttemptOf): AttemptSpan {
  const { operation, to, nth, state } = of
  const { upstream, served } = to
  const { hostname, port, protocol } = new URL(upstream.baseUrl)
  const span = tracer.startSpan(`${operation} ${short(served)}`, {
    kind: SpanKind.CLIENT,
    attributes: {
      'gen_ai.operation.name': operation,
      'gen_ai.request.model': short(served),
      'server.address': hostname,
      'server.port': port === '' ? protocol === 'https:' ? 443 : 80 : Number(port),
      'viva.upstream': upstream.name,
      ...nth > 0 && { 'http.request.resend_count': nth }
    }
  }, context)
  const { traceId, spanId, traceFlags } = span.spanContext()
  return {
    headers: traceHeaders({ traceId, spanId, flags: traceFlags & 1, state }),
    ended (ending) { endAttempt(span, ending) }
  }
}

function endAttempt (span: Span, ending: AttemptEnding): void {
  if (ending !== 'answered') span.setAttribute('error.type', ending)
  if (ending !== 'answered' && ending !== 'cancelled') span.setStatus({ code: SpanStatusCode.ERROR })
  span.end()
}

/** Tokens stand here alone: who adds up spans must not count those of attempts again. */
function endCall (span: Span, record: CallRecord): void {
  const { outcome, problem, usage, upstreamVersion, source, stream, attempts } = record
  const attributes: Attributes = {
    'gen_ai.response.finish_reasons': record.finishReasons.map(short),
    'viva.outcome': outcome,
    'viva.source': source,
    'viva.stream': stream,
    'viva.attempts': attempts,
    'viva.queue_ms': record.queueMs
  }
  const known = {
    'gen_ai.response.model': record.servedModel,
    'gen_ai.usage.input_tokens': usage.promptTokens,
    'gen_ai.usage.output_tokens': usage.completionTokens,
    'gen_ai.usage.cache_read.input_tokens': usage.cachedTokens,
    'gen_ai.usage.reasoning.output_tokens': usage.reasoningTokens,
    'viva.first_byte_ms': record.firstByteMs,
    'viva.upstream': record.upstream,
    'viva.upstream_version': upstreamVersion
  }
  for (const [name, value] of Object.entries(known)) if (value !== null) attributes[name] = value
  if (outcome !== 'answered') attributes['error.type'] = problem ?? outcome
  span.setAttributes(attributes)
  if (outcome === 'failed') span.setStatus({ code: SpanStatusCode.ERROR })
}

function short (text: string): string {
  return text.length > valueCharsMax ? `${text.slice(0, valueCharsMax)}…` : text
}
