/** A judge held against people: the parts put together. */
import type { Ceiling, JudgeHeld, OfScale } from '../../../../../shared/contracts/meta-evaluation.ts'
import type { Rubric } from '../../../../../shared/contracts/rubric.ts'
import { alphaOf, iccOf } from '../summary/agreement.ts'
import { meanOf, type Rated } from '../summary/judged.ts'
import { alternativeAnnotator } from './alternative-annotator.ts'
import { biasOf } from './bias.ts'
import { peopleMean, type HeldReply, type LabelledReply, type Twice } from './labelled.ts'
import { modelLevel, responseLevel, withinItem } from './rank-agreement.ts'

export interface Holding {
  judge: string
  rubric: Rubric
  runIds: readonly string[]
  raters: readonly string[]
  epsilon: number
}

type Read = (rated: Rated) => number

function scalesOf ({ criteria }: Rubric): Array<{ of: string, read: Read }> {
  return [
    ...criteria.map(({ name }, i) => ({ of: name, read: ({ values }: Rated) => values[i]! })),
    { of: 'total', read: ({ total }: Rated) => total }
  ]
}

export function holdJudge (replies: readonly HeldReply[], holding: Holding): JudgeHeld {
  const { judge, rubric, runIds } = holding
  const beside = (read: Read) => replies.map((reply): Twice => (
    { ...placeOf(reply), a: read(reply.judge), b: read(peopleMean(reply)) }))
  const totals = beside(({ total }) => total)
  return {
    judge,
    n: replies.length,
    modelLevel: modelLevel(totals),
    responseLevel: responseLevel(totals),
    withinItem: withinItem(totals),
    scales: scalesOf(rubric).map(({ of, read }): OfScale => {
      const both = beside(read)
      const given = both.map(({ a, b, cluster }) => ({ ratings: [a, b], cluster }))
      const agreement = { alpha: alphaOf(given), iccA1: iccOf(given) }
      return { of, n: both.length, ...agreement, responseLevel: responseLevel(both) }
    }),
    bias: biasOf(totals, runIds),
    alternativeAnnotator: alternativeAnnotator(replies, holding)
  }
}

function placeOf ({ run, item, cluster, weight }: LabelledReply) {
  return { run, item, cluster, weight }
}

/** The same of people: every pair of raters over the replies that both have labelled. */
export function ceilingOf (
  replies: readonly LabelledReply[], { raters, rubric }: Pick<Holding, 'raters' | 'rubric'>
): Ceiling {
  const pairs = raters.flatMap((_, j) => raters.slice(j + 1).map((_, k) => [j, j + 1 + k] as const))
    .map(([j, k]) => sharedBy(replies, j, k)).filter(shared => shared.length > 0)
  const nothing = { raterPairs: 0, modelLevel: null, responseLevel: null, withinItem: null, scales: [] }
  if (pairs.length === 0) return { ...nothing, reason: 'No reply was labelled by two raters.' }
  const both = pairs.flatMap(shared => [shared, shared.map(each => ({ ...each, a: each.b, b: each.a }))])
  return {
    raterPairs: pairs.length,
    modelLevel: meanOfThose(pairs.map(shared => modelLevel(shared).tauB)),
    responseLevel: meanOfThose(pairs.map(shared => responseLevel(shared).tauB)),
    withinItem: meanOfThose(both.map(shared => withinItem(shared).accuracy)),
    scales: scalesOf(rubric).map(({ of, read }) => {
      const given = replies.map(({ people, cluster }) => (
        { ratings: people.map(rated => rated === null ? null : read(rated)), cluster }))
      const n = given.filter(({ ratings }) => ratings.filter(rating => rating !== null).length > 1).length
      return { of, n, alpha: alphaOf(given), iccA1: iccOf(given) }
    })
  }
}

function sharedBy (replies: readonly LabelledReply[], j: number, k: number): Twice[] {
  return replies.flatMap(reply => {
    const [a, b] = [reply.people[j], reply.people[k]]
    return a === null || a === undefined || b === null || b === undefined
      ? []
      : [{ ...placeOf(reply), a: a.total, b: b.total }]
  })
}

/** Null is not averaged, and of nothing there is no mean. */
function meanOfThose (values: ReadonlyArray<number | null>): number | null {
  const found = values.filter(value => value !== null)
  return found.length === 0 ? null : meanOf(found)
}
