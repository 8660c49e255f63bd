/** The kinds of statistics that are served, by the names they have in a path. */
import { correlations } from './correlations.ts'
import { agreement } from './agreement.ts'
import { distributions } from './distributions.ts'
import { paired } from './paired.ts'
import type { Statistic } from './statistic.ts'

export const statistics = {
  ...correlations,
  ...paired,
  ...agreement,
  ...distributions
} satisfies Record<string, Statistic>

export type StatisticName = keyof typeof statistics

export const statisticNames = Object.keys(statistics) as StatisticName[]

export function isStatistic (name: string): name is StatisticName {
  return Object.hasOwn(statistics, name)
}
