/**
 * Counters and histograms for what happens thousands of times a second. Of each set of labels there is one
 * cell, found by the text of its labels, and to be kept by whoever counts often; prom-client writes them out
 * as its own, which look all labels up, by name, each time something is counted.
 */
import type { Metric, Registry } from 'prom-client'

export interface CounterCell { add: (count: number) => void }
export interface HistogramCell { observe: (value: number) => void }

interface Named { name: string, help: string, labelNames: readonly string[] }
interface Sample { metricName?: string, labels: Record<string, string | number>, value: number }

/** @returns the cell of a set of labels, which are in the order of their names */
export function counterCells (registry: Registry, named: Named): (...labels: string[]) => CounterCell {
  const cells = cellsOf(labels => ({ labels, used: false as boolean, value: 0 }), named)
  const samples = () => cells.used().map(({ labels, value }) => ({ labels, value }))
  register(registry, named, { type: 'counter', samples })
  return cells.find(cell => ({
    add (count) {
      cell.used = true
      cell.value += count
    }
  }))
}

/** @param bounds  upper ones of the buckets, ascending */
export function histogramCells (
  registry: Registry, named: Named, bounds: readonly number[]
): (...labels: string[]) => HistogramCell {
  const { name } = named
  const cells = cellsOf(labels => {
    const counts = Array.from({ length: bounds.length + 1 }, () => 0)
    return { labels, used: false as boolean, sum: 0, counts }
  }, named)
  const samples = () => cells.used().flatMap(({ labels, sum, counts }): Sample[] => {
    let count = 0
    const buckets = counts.map((own, at): Sample => {
      count += own
      return { metricName: `${name}_bucket`, labels: { le: bounds[at] ?? '+Inf', ...labels }, value: count }
    })
    return [
      ...buckets,
      { metricName: `${name}_sum`, labels, value: sum },
      { metricName: `${name}_count`, labels, value: count }
    ]
  })
  register(registry, named, { type: 'histogram', samples })
  return cells.find(cell => ({
    observe (value) {
      let at = 0
      while (at < bounds.length && value > bounds[at]!) at++
      cell.used = true
      cell.sum += value
      cell.counts[at]! += 1
    }
  }))
}

interface Known { labels: Record<string, string>, used: boolean }

function cellsOf<C extends Known> (make: (labels: Record<string, string>) => C, { labelNames }: Named) {
  const all: C[] = []
  return {
    /** A cell in which nothing was counted yet is not shown. */
    used: () => all.filter(({ used }) => used),
    find<F> (face: (cell: C) => F): (...labels: string[]) => F {
      const faces = new Map<string, F>()
      return (...labels) => {
        // Labels are names: of code, or bounded and printable.
        const key = labels.join('\0')
        let found = faces.get(key)
        if (found === undefined) {
          const cell = make(Object.fromEntries(labelNames.map((name, at) => [name, labels[at] ?? ''])))
          all.push(cell)
          faces.set(key, found = face(cell))
        }
        return found
      }
    }
  }
}

/** As prom-client asks its own metrics; the types want all that a metric of its own can do. */
function register (
  registry: Registry, { name, help }: Named, write: { type: 'counter' | 'histogram', samples: () => Sample[] }
): void {
  const { type, samples } = write
  const metric = { name, help, get: async () => ({ name, help, type, values: samples(), aggregator: 'sum' }) }
  registry.registerMetric(metric as unknown as Metric<string>)
}
