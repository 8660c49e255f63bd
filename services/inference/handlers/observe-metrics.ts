/** What Prometheus may read of calls: all labels are names of which there are few. */
import { Counter, Gauge, type Registry } from 'prom-client'
import { counterCells, histogramCells } from '../../../shared/app/cells.ts'
import type { CallRecord } from '../domain/call.ts'

/** Names kept apart in one label; further ones are "other". */
const namesMax = 100
const other = 'other'

const breakers = ['closed', 'probing', 'open'] as const

/** What of the dispatcher's is shown: what waits, by band, and what is under way. */
export interface Gauges {
  queues: ReadonlyArray<{ model: string, waiting: readonly number[] }>
  waitingBytes: number
  upstreams: ReadonlyArray<{
    name: string, inFlight: number, slots: number, breaker: (typeof breakers)[number]
  }>
}

export interface CallMetrics {
  ended: (record: CallRecord) => void
  /** @param ending "answered", "cancelled", or the kind of problem */
  attempted: (upstream: string, ending: string) => void
  /** Steps of the reply ladder one reply took. */
  laddered: (steps: readonly string[]) => void
  exportFailed: () => void
}

/**
 * Counts calls in `registry`.
 *
 * @param observe  of the dispatcher
 */
export function callMetrics (registry: Registry, observe: () => Gauges): CallMetrics {
  const registers = [registry]
  const modelName = boundedNames()
  const upstreamName = boundedNames()
  showGauges(registry, observe, { modelName, upstreamName })
  const cellOf = cells(registry)
  const attemptsOf = counterCells(registry, {
    name: 'viva_upstream_attempts_total',
    help: 'Requests to model servers by how they ended: answered, cancelled, or the kind of problem.',
    labelNames: ['upstream', 'ending']
  })
  const steps = new Counter({
    name: 'viva_ladder_steps_total',
    help: 'Steps of the reply ladder that structured completions took.',
    labelNames: ['step'],
    registers
  })
  const failures = new Counter({
    name: 'viva_span_export_failures_total',
    help: 'Batches of spans the OTLP endpoint did not take; they are lost.',
    registers
  })
  const stepName = boundedNames()
  return {
    ended (record) {
      // A name nobody serves is a caller's text: there may be any number of them.
      const isServed = record.servedModel !== null || record.outcome === 'answered'
      cellOf(record, modelName(record.model, isServed))(record)
    },
    attempted (upstream, ending) { attemptsOf(upstreamName(upstream), ending).add(1) },
    laddered (names) { for (const name of names) steps.inc({ step: stepName(name) }) },
    exportFailed () { failures.inc() }
  }
}

/** @returns the name itself while it is known or may be added, else "other" */
function boundedNames (): (name: string, mayAdd?: boolean) => string {
  const names = new Set<string>()
  return (name, mayAdd = true) => {
    if (names.has(name)) return name
    if (!mayAdd || names.size >= namesMax) return other
    names.add(name)
    return name
  }
}

/** Queueing is a matter of milliseconds or of minutes; so are answers. */
const buckets = [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 30, 60, 120, 300, 900]

function instruments (registry: Registry) {
  return {
    counter: (name: string, help: string, labelNames: string[]) =>
      counterCells(registry, { name, help, labelNames }),
    histogram: (name: string, help: string, labelNames: string[]) =>
      histogramCells(registry, { name, help, labelNames }, buckets)
  }
}

type Cell = (record: CallRecord) => void

/** Counters of all calls alike in their labels, found by one look-up: what it costs is per call. */
function cells (registry: Registry): (record: CallRecord, model: string) => Cell {
  const { counter, histogram } = instruments(registry)
  const calls = counter('viva_calls_total', 'Model calls that ended. source: an upstream, the record (a replay) or coalesced with a call under way.', ['path', 'model', 'outcome', 'problem', 'source', 'stream'])
  const tokens = counter('viva_call_tokens_total', 'Tokens as upstreams counted them; those of replays and coalesced calls were paid for before. cached is part of prompt, reasoning of completion.', ['model', 'kind', 'source'])
  const retries = counter('viva_call_retries_total', 'Requests to upstreams beyond the first of a call.', ['model'])
  const truncated = counter('viva_call_truncated_streams_total', 'Streams that broke off after their first byte; their callers got an error frame.', ['model'])
  const queue = histogram('viva_call_queue_duration_seconds', 'Waiting for a place at an upstream.', ['model'])
  const firstByte = histogram('viva_call_first_byte_duration_seconds', 'From the start of a call to the first byte of the upstream\'s answer.', ['path', 'model'])
  const total = histogram('viva_call_duration_seconds', 'Whole calls, waiting included.', ['path', 'model', 'source'])

  function cell ({ path, outcome, problem, source, stream }: CallRecord, model: string): Cell {
    const count = calls(path, model, outcome, problem ?? '', source, String(stream))
    const [prompt, completion, cached, reasoning] = ['prompt', 'completion', 'cached', 'reasoning']
      .map(kind => tokens(model, kind, source))
    const retried = retries(model)
    const cut = truncated(model)
    const queued = queue(model)
    const begun = firstByte(path, model)
    const whole = total(path, model, source)
    return ({ usage, attempts, queueMs, firstByteMs, totalMs }) => {
      count.add(1)
      if (usage.promptTokens !== null) prompt?.add(usage.promptTokens)
      if (usage.completionTokens !== null) completion?.add(usage.completionTokens)
      if (usage.cachedTokens !== null) cached?.add(usage.cachedTokens)
      if (usage.reasoningTokens !== null) reasoning?.add(usage.reasoningTokens)
      whole.observe(totalMs / 1_000)
      if (source !== 'upstream') return
      if (attempts > 1) retried.add(attempts - 1)
      if (attempts > 0) queued.observe(queueMs / 1_000)
      if (firstByteMs === null) return
      begun.observe(firstByteMs / 1_000)
      if (stream && outcome === 'failed') cut.add(1)
    }
  }

  const known = new Map<string, Cell>()
  return (record, model) => {
    const { path, outcome, problem, source, stream } = record
    // No path, outcome, kind or source holds a space, and the model is last: no two share a key.
    const key = `${path} ${outcome} ${problem ?? ''} ${source} ${stream ? 1 : 0} ${model}`
    const found = known.get(key)
    if (found !== undefined) return found
    const made = cell(record, model)
    known.set(key, made)
    return made
  }
}

interface Names { modelName: (name: string) => string, upstreamName: (name: string) => string }

function showGauges (registry: Registry, observe: () => Gauges, { modelName, upstreamName }: Names): void {
  const gauge = <N extends string>(name: string, help: string, labelNames: N[]) =>
    (show: (gauge: Gauge<N>, gauges: Gauges) => void) => new Gauge<N>({
      name,
      help,
      labelNames,
      registers: [registry],
      collect () {
        // What is gone from the queue or the list must not stay as it was.
        this.reset()
        show(this, observe())
      }
    })
  gauge('viva_call_queue_calls', 'Calls that wait, by model and band (0 interactive, 1 normal, 2 bulk).',
    ['model', 'band'])((calls, { queues }) => {
    for (const { model, waiting } of queues) {
      for (const [band, count] of waiting.entries()) calls.inc({ model: modelName(model), band }, count)
    }
  })
  gauge('viva_call_queue_bytes', 'Bytes of request bodies that wait.', [])((all, { waitingBytes }) => {
    all.set(waitingBytes)
  })
  gauge('viva_upstream_in_flight', 'Requests of this process under way.', ['upstream'])((all, { upstreams }) => {
    for (const { name, inFlight } of upstreams) all.inc({ upstream: upstreamName(name) }, inFlight)
  })
  gauge('viva_upstream_limit', 'Most requests this process has under way there, as declared or found.',
    ['upstream'])((all, { upstreams }) => {
    for (const { name, slots } of upstreams) all.inc({ upstream: upstreamName(name) }, slots)
  })
  gauge('viva_upstream_breaker', 'State of the breaker: 1 for the one it is in.',
    ['upstream', 'state'])((all, { upstreams }) => {
    for (const { name, breaker } of upstreams) {
      const upstream = upstreamName(name)
      for (const state of breakers) all.set({ upstream, state }, Number(state === breaker))
    }
  })
}
