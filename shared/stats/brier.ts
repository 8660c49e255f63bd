/** Whether probabilities that a model gives come true as often as it says. */

export interface Forecast {
  /** Stated for what then came true or not, in [0, 1]. */
  probability: number
  right: boolean
}

export interface Bin {
  low: number
  high: number
  n: number
  /** Null for an empty bin. */
  meanProbability: number | null
  shareRight: number | null
}

export interface Brier {
  n: number
  /** Mean squared difference of probability and outcome, in [0, 1]; lower is better. */
  score: number
  /**
   * Murphy's parts over groups of equal forecasts or over bins:
   * score = reliability - resolution + uncertainty + withinBins.
   */
  reliability: number
  resolution: number
  uncertainty: number
  /** What forecasts that differ within a bin add; 0 (but for rounding) over groups of equal forecasts. */
  withinBins: number
  /**
   * 1 - score / uncertainty: above 0 is better than always to say the share of right answers. Null
   * without variance.
   */
  skill: number | null
  /** Mean distance of stated and true share over the bins, weighted by their n. */
  calibrationError: number
  bins: Bin[]
}

/**
 * @param binCount  equal widths of [0, 1], the last with its upper end; null: groups of equal forecasts
 * @returns         null for no forecasts
 * @throws RangeError unless probabilities are in [0, 1]
 * @see Brier 1950; Murphy 1973, doi:10.1175/1520-0450(1973)012<0595:ANVPOT>2.0.CO;2; Stephenson, Coelho &
 *      Jolliffe 2008, doi:10.1175/2007WAF2006116.1 (the part within bins)
 */
export function brierScore (forecasts: readonly Forecast[], binCount: number | null = 10): Brier | null {
  const n = forecasts.length
  if (n === 0) return null
  const wrong = forecasts.find(({ probability }) => !(probability >= 0 && probability <= 1))
  if (wrong !== undefined) throw new RangeError(`A probability is in [0, 1], got ${wrong.probability}`)
  const bins = binCount === null ? equalForecasts(forecasts) : equalWidths(forecasts, binCount)
  const base = forecasts.filter(({ right }) => right).length / n
  const uncertainty = base * (1 - base)
  const score = forecasts.reduce(
    (sum, { probability, right }) => sum + (probability - (right ? 1 : 0)) ** 2, 0
  ) / n
  const over = (
    term: (mean: number, share: number) => number
  ) => bins.reduce((sum, { n: size, meanProbability, shareRight }) =>
    meanProbability === null || shareRight === null
      ? sum
      : sum + size * term(
        meanProbability, shareRight
      ), 0) / n
  const reliability = over((mean, share) => (mean - share) ** 2)
  const resolution = over((_, share) => (share - base) ** 2)
  return {
    n,
    score,
    reliability,
    resolution,
    uncertainty,
    withinBins: score - reliability + resolution - uncertainty,
    skill: uncertainty > 0 ? 1 - score / uncertainty : null,
    calibrationError: over((mean, share) => Math.abs(mean - share)),
    bins
  }
}

function equalForecasts (forecasts: readonly Forecast[]): Bin[] {
  const groups = grouped(forecasts, ({ probability }) => probability)
  return [...groups].sort(([a], [b]) => a - b).map(([value, own]) => binOf(own, value, value))
}

function equalWidths (forecasts: readonly Forecast[], count: number): Bin[] {
  const groups = grouped(forecasts, ({ probability }) => Math.min(count - 1, Math.floor(probability * count)))
  return Array.from({ length: count }, (_, i) => binOf(groups.get(i) ?? [], i / count, (i + 1) / count))
}

function grouped (
  forecasts: readonly Forecast[], keyOf: (forecast: Forecast) => number
): Map<number, Forecast[]> {
  const groups = new Map<number, Forecast[]>()
  for (const forecast of forecasts) {
    const own = groups.get(keyOf(forecast))
    if (own === undefined) groups.set(keyOf(forecast), [forecast])
    else own.push(forecast)
  }
  return groups
}

function binOf (own: readonly Forecast[], low: number, high: number): Bin {
  const mean = (of: (forecast: Forecast) => number) =>
    own.length === 0 ? null : own.reduce((sum, forecast) => sum + of(forecast), 0) / own.length
  return {
    low,
    high,
    n: own.length,
    meanProbability: mean(({ probability }) => probability),
    shareRight: mean(({ right }) => right ? 1 : 0)
  }
}
