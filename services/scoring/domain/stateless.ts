/** All that is answered from the request alone, by name: metrics and kinds of statistics. */
import type { TSchema } from 'typebox'
import { isHeavy as isHeavyMetric, metricAnswer, metricRequests, type MetricName } from './metrics/requests.ts'
import { isStatistic, statistics, type StatisticName } from './statistics/statistics.ts'

/** No kind of statistics is called like a metric: a test sees to that. */
export type StatelessName = MetricName | StatisticName

export function statelessBody (name: StatelessName): TSchema {
  return isStatistic(name) ? statistics[name].body : metricRequests[name]
}

/** The answer to a body that fits its schema, defaults filled in. */
export function statelessAnswer (name: StatelessName, body: unknown): object {
  return isStatistic(name) ? statistics[name].compute(body) : metricAnswer(name, body)
}

/** Whether a small body still means much work. */
export function isHeavy (name: StatelessName, body: unknown): boolean {
  if (!isStatistic(name)) return isHeavyMetric(name, body)
  return statistics[name].isHeavy?.(body) ?? false
}
