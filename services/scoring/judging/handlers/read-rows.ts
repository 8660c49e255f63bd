/** Everything there is of a judgement, units beside their ratings, as what is computed from it reads it. */
import type { Rating } from '../../../../shared/contracts/judgement.ts'
import { outcomes } from '../../../../shared/contracts/run.ts'
import { askingFrom, type Asking, type JudgementSpec, type Unit } from '../domain/spec.ts'
import { meanOf, type JudgedUnit, type Rated } from '../domain/summary/judged.ts'
import type { PreferredUnit, Side } from '../domain/summary/preferences.ts'
import type { Counted } from '../domain/summary/run-scores.ts'
import type { PeopleSay } from '../domain/summary/summary.ts'
import type { JudgingStore } from '../store.ts'

export interface Of { judgementId: string, spec: JudgementSpec }

export interface ReadRows<Row> {
  units: Row[]
  /** By run (of preferences one row) and judge. */
  counts: Counted[][]
  complete: boolean
}

export async function readScores (judging: JudgingStore, of: Of): Promise<ReadRows<JudgedUnit>> {
  const { criteria } = of.spec.rubric
  return await readRows<Rated | null>(judging, of, {
    blank: null,
    put: (_, { scores, total }) => scores === null || total === null
      ? null
      : { values: criteria.map(({ name }) => scores[name]!), total }
  })
}

export async function readPreferences (judging: JudgingStore, of: Of): Promise<ReadRows<PreferredUnit>> {
  const { runIds: [first], positionSwap } = of.spec
  const unasked: Array<Side | null> = positionSwap ? [null, null] : [null]
  return await readRows<Array<Side | null>>(judging, of, {
    blank: [],
    put (before, { preferred }, { swapped }) {
      const side = preferred === null ? null : preferred === 'tie' ? 0 : preferred === first ? 1 : -1
      return (before.length === 0 ? unasked : before).with(swapped ? 1 : 0, side)
    }
  })
}

interface Reading<R> {
  blank: R
  put: (before: R, rating: Rating, asking: Asking) => R
}

async function readRows<R> (
  judging: JudgingStore, { judgementId, spec }: Of, { blank, put }: Reading<R>
): Promise<ReadRows<{ unit: Unit, ratings: R[][] }>> {
  const units: Array<{ unit: Unit, ratings: R[][] }> = []
  for await (const some of judging.unitsOf(judgementId)) {
    for (const { value: unit } of some) {
      units.push({ unit, ratings: spec.judges.map(() => new Array<R>(spec.repeats).fill(blank)) })
    }
  }
  const rows = spec.form === 'scores' ? spec.runs.length : 1
  const counts = Array.from({ length: rows }, () => spec.judges.map(nothingCounted))
  let [seen, errors] = [0, 0]
  for await (const some of judging.ratingsOf(judgementId)) {
    for (const { id, value } of some) {
      const asking = askingFrom(id)
      const { unit, ratings } = units[asking.unit]!
      const own = ratings[asking.judge]!
      own[asking.repeat] = put(own[asking.repeat]!, value, asking)
      count(counts[spec.form === 'scores' ? unit.runs[0]! : 0]![asking.judge]!, value)
      seen++
      if (value.outcome === 'error') errors++
    }
  }
  return { units, counts, complete: seen === spec.ratingCount && errors === 0 }
}

function nothingCounted (): Counted {
  const none = Object.fromEntries(outcomes.map(outcome => [outcome, 0])) as Counted['outcomes']
  return { outcomes: none, cutReplies: 0 }
}

function count (counted: Counted, { outcome, leftOut }: Rating): void {
  counted.outcomes[outcome]++
  if (leftOut.length > 0) counted.cutReplies++
}

/** The mean of the raters' totals. A probability is of the prediction: its raters share it. */
export async function readPeople (
  judging: JudgingStore, judgementId: string
): Promise<Map<string, PeopleSay>> {
  const said = new Map<string, { totals: number[], probability: number | null }>()
  for await (const some of judging.labelsOf(judgementId)) {
    for (const { value: { predictionId, total, inclusionProbability = null } } of some) {
      const { totals, probability } = said.get(predictionId) ?? { totals: [], probability: null }
      said.set(predictionId, { totals: [...totals, total], probability: probability ?? inclusionProbability })
    }
  }
  return new Map([...said].map(([id, { totals, probability }]) => (
    [id, { total: meanOf(totals), probability }])))
}
