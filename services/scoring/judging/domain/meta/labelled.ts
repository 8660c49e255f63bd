/** Replies as people labelled them, beside what one judge gave. */
import { meanOf, type Rated } from '../summary/judged.ts'
import { weightedMean } from '../summary/numbers.ts'

export interface LabelledReply {
  run: number
  item: string
  cluster: string
  /** Of the reply in means: the inverse of its inclusion probability, or 1. */
  weight: number
  /** By rater; null where one has not labelled it. */
  people: ReadonlyArray<Rated | null>
}

export interface HeldReply extends LabelledReply { judge: Rated }

/** The mean of the raters there are. @throws RangeError without one */
export function peopleMean ({ people }: Pick<LabelledReply, 'people'>): Rated {
  const found = people.filter(rated => rated !== null)
  if (found.length === 0) throw new RangeError('A labelled reply has a label')
  return {
    values: found[0]!.values.map((_, i) => meanOf(found.map(({ values }) => values[i]!))),
    total: meanOf(found.map(({ total }) => total))
  }
}

/** One number of each reply, by two: the judge and people, or two people. */
export interface Twice { run: number, item: string, cluster: string, weight: number, a: number, b: number }

/** Weighted means of each run, in the order in which they are met. */
export function meansByRun (
  replies: readonly Twice[]
): Array<{ run: number, a: number, b: number, n: number }> {
  return [...new Set(replies.map(({ run }) => run))].map(run => {
    const own = replies.filter(reply => reply.run === run)
    const over = (key: 'a' | 'b') => weightedMean(own.map(reply => ({ value: reply[key], weight: reply.weight })))
    return { run, a: over('a'), b: over('b'), n: own.length }
  })
}
