/** What the engine counts since it started, times as histograms. */

/** Upper bounds in seconds, as vLLM's for times of requests. */
export const requestBounds = [
  0.3, 0.5, 0.8, 1, 1.5, 2, 2.5, 5, 10, 15, 20, 30, 40, 50, 60, 120, 240, 480, 960, 1920, 7680
]
export const firstTokenBounds = [
  0.001, 0.005, 0.01, 0.02, 0.04, 0.06, 0.08, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5,
  10, 20, 40, 80, 160, 640, 2560
]
export const interTokenBounds = [
  0.01, 0.025, 0.05, 0.075, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.75, 1, 2.5, 5, 7.5, 10, 20, 40, 80
]

export interface Histogram { bounds: readonly number[], counts: number[], sum: number, count: number }

export interface Counters {
  promptTokens: number
  generationTokens: number
  /** In tokens. */
  prefixQueries: number
  prefixHits: number
  rejections: number
  finished: { stop: number, length: number, abort: number }
  firstToken: Histogram
  interToken: Histogram
  queue: Histogram
  prefill: Histogram
  decode: Histogram
  whole: Histogram
}

export function countersOf (): Counters {
  return {
    promptTokens: 0,
    generationTokens: 0,
    prefixQueries: 0,
    prefixHits: 0,
    rejections: 0,
    finished: { stop: 0, length: 0, abort: 0 },
    firstToken: histogram(firstTokenBounds),
    interToken: histogram(interTokenBounds),
    queue: histogram(requestBounds),
    prefill: histogram(requestBounds),
    decode: histogram(requestBounds),
    whole: histogram(requestBounds)
  }
}

function histogram (bounds: readonly number[]): Histogram {
  return { bounds, counts: bounds.map(() => 0), sum: 0, count: 0 }
}

export function observeTime (histogram: Histogram, ms: number): void {
  const seconds = ms / 1000
  histogram.sum += seconds
  histogram.count++
  const { bounds } = histogram
  for (let at = 0; at < bounds.length; at++) {
    if (seconds > (bounds[at] ?? 0)) continue
    histogram.counts[at] = (histogram.counts[at] ?? 0) + 1
    return
  }
}
