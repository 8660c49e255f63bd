/** How busy an engine says it is, from its `/metrics`. */
import { readSamples, type Sample } from './prometheus-text.ts'
import type { Load } from './replica.ts'

/** Newest name first; the rest are of older versions and of llama.cpp. */
const families = {
  running: ['vllm:num_requests_running', 'llamacpp:requests_processing'],
  waiting: ['vllm:num_requests_waiting', 'llamacpp:requests_deferred'],
  kvUsage: ['vllm:kv_cache_usage_perc', 'vllm:gpu_cache_usage_perc', 'llamacpp:kv_cache_usage_ratio']
} as const
const wanted: ReadonlySet<string> = new Set(Object.values(families).flat())

/**
 * Requests are summed over the engines of a data-parallel server; the share of the KV cache in use is
 * their mean. Series of a model that the server does not list are somebody else's and do not count.
 *
 * @param text    the page
 * @param models  ids the server lists; empty: all series count
 * @returns       null where the page has no such gauge, which is not 0
 */
export function readLoad (text: string, models: readonly string[]): Omit<Load, 'at'> {
  const samples = readSamples(text, wanted)
  const known = new Set(models)
  const valuesOf = (names: readonly string[]): number[] => {
    for (const name of names) {
      const values = (samples.get(name) ?? []).filter(sample => isOurs(sample, known))
      if (values.length > 0) return values.map(({ value }) => value)
    }
    return []
  }
  const usage = valuesOf(families.kvUsage)
  return {
    running: sumOf(valuesOf(families.running)),
    waiting: sumOf(valuesOf(families.waiting)),
    kvUsage: usage.length === 0 ? null : Math.min(1, sumOf(usage)! / usage.length)
  }
}

function isOurs ({ labels, value }: Sample, known: ReadonlySet<string>): boolean {
  if (value < 0) return false
  const model = labels.get('model_name')
  return model === undefined || known.size === 0 || known.has(model)
}

function sumOf (values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0)
}
