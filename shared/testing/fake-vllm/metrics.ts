/** GET /metrics, by the names of each version, as Prometheus's client for Python writes it. */
import type { Histogram } from './counters.ts'
import type { Fake } from './fake.ts'
import { before } from './options.ts'
import { created } from './shapes.ts'

type Labels = Record<string, string>

interface Family {
  name: string
  kind: 'gauge' | 'counter' | 'histogram'
  help: string
  /** Sum over engines, with labels of its own. */
  samples: ReadonlyArray<{ labels?: Labels, value: number | Histogram }>
}

/** The whole page. */
export function metricsText (fake: Fake): string {
  const { options, dialect } = fake
  const families = dialect.legacyEngine ? legacyFamilies(fake) : familiesOf(fake)
  const numbered = Array.from({ length: options.engines }, (_, at) => String(at))
  const engines = dialect.legacyEngine ? [null] : numbered
  const lines = families.flatMap(family => familyLines(family, engines, options.models[0] ?? ''))
  const info = { block_size: String(options.blockSize), num_gpu_blocks: String(options.kvBlocks) }
  lines.push('# HELP vllm:cache_config_info Information of the LLMEngine CacheConfig', '# TYPE vllm:cache_config_info gauge')
  for (const engine of engines) lines.push(sample('vllm:cache_config_info', engine === null ? info : { ...info, engine }, 1))
  return `${lines.join('\n')}\n`
}

function familyLines (family: Family, engines: ReadonlyArray<string | null>, model: string): string[] {
  const { name, kind, help, samples } = family
  const lines = [`# HELP ${name} ${help}`, `# TYPE ${name} ${kind}`]
  const made: string[] = []
  for (const [at, engine] of engines.entries()) {
    for (const { labels, value } of samples) {
      const all = { ...engine !== null && { engine }, model_name: model, ...labels }
      if (typeof value !== 'number') { if (at === 0) lines.push(...histogramLines(name, all, value)); continue }
      const total = kind === 'counter' ? `${name}_total` : name
      lines.push(sample(total, all, share(value, at, engines.length)))
      if (kind === 'counter') made.push(sample(`${name}_created`, all, created))
    }
  }
  if (made.length > 0) lines.push(`# HELP ${name}_created ${help}`, `# TYPE ${name}_created gauge`, ...made)
  return lines
}

/** A count spread over engines, the first ones get the rest; a share of a cache is the same in each. */
function share (value: number, at: number, engines: number): number {
  if (!Number.isInteger(value) || engines === 1) return value
  return Math.floor(value / engines) + (at < value % engines ? 1 : 0)
}

function histogramLines (name: string, labels: Labels, { bounds, counts, sum, count }: Histogram): string[] {
  let below = 0
  const buckets = bounds.map((bound, at) => {
    below += counts[at] ?? 0
    return sample(`${name}_bucket`, { ...labels, le: float(bound) }, below)
  })
  return [...buckets, sample(`${name}_bucket`, { ...labels, le: '+Inf' }, count),
    sample(`${name}_count`, labels, count), sample(`${name}_sum`, labels, sum)]
}

/** Labels in the order of the alphabet. */
function sample (name: string, labels: Labels, value: number): string {
  const inside = Object.keys(labels).sort().map(key => `${key}="${(labels[key] ?? '').replace(/[\\"\n]/g, letter => letter === '\n' ? '\\n' : `\\${letter}`)}"`)
  return `${name}{${inside.join(',')}} ${float(value)}`
}

/** As Python prints it: 3.0. */
const float = (value: number): string => Number.isNaN(value) ? 'NaN' : Number.isInteger(value) ? `${value}.0` : String(value)

const gauge = (name: string, help: string, value: number): Family => ({ name: `vllm:${name}`, kind: 'gauge', help, samples: [{ value }] })
const counter = (name: string, help: string, value: number): Family => ({ name: `vllm:${name}`, kind: 'counter', help, samples: [{ value }] })
const histogram = (name: string, help: string, value: Histogram): Family => ({ name: `vllm:${name}`, kind: 'histogram', help, samples: [{ value }] })

function familiesOf (fake: Fake): Family[] {
  const { engine, dialect, options } = fake
  const { counters } = engine
  const deferred = engine.sleeping ? engine.waiting : 0
  const families = [gauge('num_requests_running', 'Number of requests in model execution batches.', engine.running)]
  if (dialect.waitingByReason) {
    families.push({
      name: 'vllm:num_requests_waiting_by_reason',
      kind: 'gauge',
      help: 'Number of requests waiting, by reason.',
      samples: [
        { labels: { reason: 'capacity' }, value: engine.waiting - deferred },
        { labels: { reason: 'deferred' }, value: deferred }
      ]
    })
  }
  families.push(gauge('num_requests_waiting', 'Number of requests waiting to be processed.', engine.waiting))
  const old = before(options.version, '0.10.0')
  families.push(
    gauge(before(options.version, '0.9.0') ? 'gpu_cache_usage_perc' : 'kv_cache_usage_perc', 'KV-cache usage. 1 means 100 percent usage.', engine.kvUsage()),
    counter('prefix_cache_queries', 'Prefix cache queries, in terms of number of queried tokens.', counters.prefixQueries),
    counter('prefix_cache_hits', 'Prefix cache hits, in terms of number of cached tokens.', counters.prefixHits),
    ...sharedFamilies(fake),
    histogram(old ? 'time_per_output_token_seconds' : 'inter_token_latency_seconds', 'Time between two output tokens in seconds.', counters.interToken)
  )
  if (dialect.sleepRoutes && !before(options.version, '0.12.0')) {
    families.push({
      name: 'vllm:engine_sleep_state',
      kind: 'gauge',
      help: 'Engine sleep state; awake = 0 means engine is sleeping.',
      samples: [{ labels: { sleep_state: 'awake' }, value: engine.sleeping ? 0 : 1 }]
    })
  }
  if (dialect.admissionMetric) {
    families.push({
      name: 'vllm:admission_rejections',
      kind: 'counter',
      help: 'Requests refused at the door, by reason.',
      samples: [{ labels: { reason: 'max_num_queued_reqs' }, value: counters.rejections }]
    })
  }
  return families
}

function sharedFamilies ({ engine: { counters } }: Fake): Family[] {
  return [
    counter('num_preemptions', 'Cumulative number of preemption from the engine.', 0),
    counter('prompt_tokens', 'Number of prefill tokens processed.', counters.promptTokens),
    counter('generation_tokens', 'Number of generation tokens processed.', counters.generationTokens),
    {
      name: 'vllm:request_success',
      kind: 'counter',
      help: 'Count of successfully processed requests.',
      samples: Object.entries(counters.finished)
        .map(([reason, value]) => ({ labels: { finished_reason: reason }, value }))
    },
    histogram('time_to_first_token_seconds', 'Histogram of time to first token in seconds.', counters.firstToken),
    histogram('e2e_request_latency_seconds', 'Histogram of e2e request latency in seconds.', counters.whole),
    histogram('request_queue_time_seconds', 'Histogram of time spent in WAITING phase for request.', counters.queue),
    histogram('request_prefill_time_seconds', 'Histogram of time spent in PREFILL phase for request.', counters.prefill),
    histogram('request_decode_time_seconds', 'Histogram of time spent in DECODE phase for request.', counters.decode)
  ]
}

function legacyFamilies (fake: Fake): Family[] {
  const { engine } = fake
  const { counters } = engine
  return [
    gauge('num_requests_running', 'Number of requests currently running on GPU.', engine.running),
    gauge('num_requests_waiting', 'Number of requests waiting to be processed.', engine.waiting),
    gauge('num_requests_swapped', 'Number of requests swapped to CPU.', 0),
    gauge('gpu_cache_usage_perc', 'GPU KV-cache usage. 1 means 100 percent usage.', engine.kvUsage()),
    gauge('cpu_cache_usage_perc', 'CPU KV-cache usage. 1 means 100 percent usage.', 0),
    gauge('gpu_prefix_cache_hit_rate', 'GPU prefix cache block hit rate.', counters.prefixQueries === 0 ? -1 : counters.prefixHits / counters.prefixQueries),
    ...sharedFamilies(fake),
    histogram('time_per_output_token_seconds', 'Histogram of time per output token in seconds.', counters.interToken)
  ]
}
