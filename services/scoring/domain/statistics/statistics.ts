/** The kinds of statistics that are served, by the names they have in a path. */
import { abilities } from './abilities.ts'
import { agreement } from './agreement.ts'
import { clusters } from './clusters.ts'
import { confidence } from './confidence.ts'
import { correlations } from './correlations.ts'
import { designs } from './designs.ts'
import { distributions } from './distributions.ts'
import { paired } from './paired.ts'
import { papers } from './papers.ts'
import { rankings } from './rankings.ts'
import { resampling } from './resampling.ts'
import { seeded } from './seeded.ts'
import type { Statistic } from './statistic.ts'

const kinds = {
  ...correlations,
  ...paired,
  ...agreement,
  ...resampling,
  ...rankings,
  ...distributions,
  ...clusters,
  ...papers,
  ...confidence,
  ...abilities,
  ...seeded,
  ...designs
} satisfies Record<string, Statistic>

export type StatisticName = keyof typeof kinds

export const statistics: Record<StatisticName, Statistic> = kinds

export const statisticNames = Object.keys(statistics) as StatisticName[]

export function isStatistic (name: string): name is StatisticName {
  return Object.hasOwn(statistics, name)
}
