/** The trace a request belongs to, as W3C Trace Context (level 1) writes it in headers. */

export interface TraceContext {
  /** 32 hex digits, not all 0. */
  traceId: string
  /** 16 hex digits, not all 0; of the caller's span. */
  spanId: string
  /** 1 = sampled. */
  flags: number
  /** Of other tracing systems, passed on as it came; empty when there is none. */
  state: string
}

const parentPattern = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/
/** Longer ones need not be passed on. */
const stateCharsMax = 512
const parentCharsMax = 200

/**
 * @param traceparent  the header as received; whatever is not valid is no trace
 * @see                https://www.w3.org/TR/trace-context/#traceparent-header
 */
export function readTraceContext (traceparent: unknown, tracestate?: unknown): TraceContext | null {
  if (typeof traceparent !== 'string' || traceparent.length > parentCharsMax) return null
  const [, version, traceId = '', spanId = '', flags = '', rest] = parentPattern.exec(traceparent) ?? []
  if (version === undefined || version === 'ff' || (version === '00' && rest !== undefined)) return null
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return null
  const state = typeof tracestate === 'string' && isHeaderText(tracestate) ? tracestate : ''
  return { traceId, spanId, flags: Number.parseInt(flags, 16) & 1, state }
}

/** The headers that carry it on. */
export function traceHeaders ({ traceId, spanId, flags, state }: TraceContext): Record<string, string> {
  const traceparent = `00-${traceId}-${spanId}-0${flags}`
  return state === '' ? { traceparent } : { traceparent, tracestate: state }
}

function isHeaderText (text: string): boolean {
  return text.length <= stateCharsMax && /^[\x20-\x7e]*$/.test(text)
}
