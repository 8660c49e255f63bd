/** Matthews correlation of yes/no answers as a score. */
import type { Score } from '../../../shared/contracts/report.ts'
import { tQuantile } from '../../../shared/stats/distributions.ts'
import { matthews, type Confusion } from '../../../shared/stats/mcc.ts'
import { clustersOf, plainScore, sum } from './score.ts'

export interface YesNo { cluster: string, unit: string, predicted: boolean, actual: boolean }

const level = 0.95

/**
 * No mean, so its interval is a delete-one-group jackknife with Student's t: groups are papers, or
 * the pairs of one paper.
 *
 * @see Efron & Stein 1981, doi:10.1214/aos/1176345462
 */
export function mccScore (signature: string, answers: readonly YesNo[]): Score {
  const measure = { metric: 'mcc', signature }
  const value = matthews(tally(answers))
  if (value === null) {
    return plainScore(measure, null, {
      observations: answers, reason: 'MCC is undefined: only one label was answered, or only one is ever right.'
    })
  }
  const papers = clustersOf(answers)
  const groupOf = papers > 1 ? (answer: YesNo) => answer.cluster : (answer: YesNo) => answer.unit
  const half = jackknifeHalf(answers, groupOf)
  if (typeof half === 'string') return plainScore(measure, value, { observations: answers, reason: half })
  const note = papers > 1
    ? `${papers} papers as clusters.${papers < 5 ? ' Conditional on these papers.' : ''}`
    : 'One paper: an interval over its items, pairs counted once.'
  return {
    ...measure,
    value,
    n: answers.length,
    clusters: papers,
    interval: { low: Math.max(-1, value - half), high: Math.min(1, value + half), level, method: 'jackknife-t', note }
  }
}

/** Half the interval's width, or why there is none. */
function jackknifeHalf (answers: readonly YesNo[], groupOf: (answer: YesNo) => string): number | string {
  const all = tally(answers)
  const groups = new Map<string, YesNo[]>()
  for (const answer of answers) {
    const group = groups.get(groupOf(answer))
    if (group === undefined) groups.set(groupOf(answer), [answer])
    else group.push(answer)
  }
  const count = groups.size
  if (count < 2) return 'One observation gives no interval.'
  const values = [...groups.values()].map(group => matthews(minus(all, tally(group))))
    .filter(value => value !== null)
  if (values.length < count) return 'No interval: without one of its groups the value is undefined.'
  const mean = sum(values) / count
  const variance = (count - 1) / count * sum(values.map(value => (value - mean) ** 2))
  if (variance === 0) return 'No interval: every group says the same.'
  return tQuantile((1 + level) / 2, count - 1) * Math.sqrt(variance)
}

function tally (answers: readonly YesNo[]): Confusion {
  const count = (predicted: boolean, actual: boolean) =>
    answers.filter(answer => answer.predicted === predicted && answer.actual === actual).length
  return {
    truePositives: count(true, true),
    falsePositives: count(true, false),
    trueNegatives: count(false, false),
    falseNegatives: count(false, true)
  }
}

function minus (all: Confusion, some: Confusion): Confusion {
  return {
    truePositives: all.truePositives - some.truePositives,
    falsePositives: all.falsePositives - some.falsePositives,
    trueNegatives: all.trueNegatives - some.trueNegatives,
    falseNegatives: all.falseNegatives - some.falseNegatives
  }
}
