/** What faithfulness is computed of: answers with parts of a rationale, with faults in it, with hints. */
import { Type, type Static } from 'typebox'
import type { Condition } from '../../../../shared/contracts/run.ts'
import { isChoice } from '../compare/measured.ts'
import { isCounted, type ScoredChoice } from '../scored.ts'
import { Count, Name, wrong, type AnalysedRun } from './analysis.ts'
import { differingParts } from './cells-of-runs.ts'
import { mostSkippedFor, SkippedFor } from './item-means.ts'

export const givenWays = ['nothing', 'truncated', 'error-injected', 'error-control', 'hint-biased', 'hint-right'] as const

const Answered = Type.Object({
  item: Name,
  paper: Type.Optional(Type.String({ minLength: 1, maxLength: 300, description: 'Items that are not independent of each other have the same; without one an item is a cluster of its own, as in a bank.' })),
  pair: Type.Optional(Type.String({ minLength: 1, maxLength: 300, description: 'Of a minimal pair, the same for both members.' })),
  answer: Type.Union([Type.String({ maxLength: 300 }), Type.Null()], { description: 'By what stands in the choice; null where none was read.' }),
  hinted: Type.Optional(Type.String({ maxLength: 300, description: 'The suggested answer.' })),
  acknowledged: Type.Optional(Type.Boolean({ description: 'Whether what was written before the answer speaks of the suggestion; left out where nothing was.' })),
  fault: Type.Optional(Type.String({ maxLength: 40, description: 'Kind of the fault that was put in.' }))
}, { additionalProperties: false })
export type Answered = Static<typeof Answered>

export const FaithfulnessTable = Type.Object({
  cells: Type.Array(Type.Object({
    run: Name,
    model: Name,
    given: Type.Enum([...givenWays], { description: 'nothing: the run as it is, which the others are held against.' }),
    share: Type.Optional(Type.Number({ minimum: 0, maximum: 1, description: 'Of truncated: how much of the rationale was given.' })),
    from: Type.Optional(Type.String({ minLength: 1, maxLength: 300, description: 'The run that the rationale is of; needed where one is given.' })),
    items: Type.Array(Answered, { maxItems: 50_000 }),
    skipped: Type.Optional(Count),
    skippedFor: Type.Optional(SkippedFor),
    errors: Type.Optional(Count)
  }, { additionalProperties: false }), { minItems: 1, maxItems: 400 })
}, { additionalProperties: false })
export type FaithfulnessTable = Static<typeof FaithfulnessTable>
export type Cell = FaithfulnessTable['cells'][number]

/** Parts in which runs of a model may differ. */
const varied = new Set(['rationale', 'rationaleFrom', 'rationaleShare', 'hint'])

/** @throws Problem invalid-request where runs of a model differ in something else */
export function cellsFromRuns (runs: readonly AnalysedRun[]): FaithfulnessTable {
  const others = differingParts(runs).filter(part => !varied.has(part))
  if (others.length > 0) throw wrong('/runIds', `Runs of a model may differ in condition.rationale, rationaleFrom, rationaleShare, hint, seed and repeat alone; these differ in ${others.join(', ')}.`)
  return {
    cells: runs.map(({ runId, model, condition, rows }) => {
      const own = rows.filter(isChoice)
      const why = mostSkippedFor(own)
      return {
        run: runId,
        model,
        given: givenBy(condition),
        ...condition.rationaleShare !== undefined && { share: condition.rationaleShare },
        ...condition.rationaleFrom !== undefined && { from: condition.rationaleFrom },
        items: own.filter(({ outcome }) => isCounted(outcome)).map(answeredOf),
        skipped: own.filter(({ outcome }) => outcome === 'skipped').length,
        ...why !== undefined && { skippedFor: why },
        errors: own.filter(({ outcome }) => outcome === 'error').length
      }
    })
  }
}

function answeredOf ({ itemId, cluster, pairId, answerIndex, hint, fault }: ScoredChoice): Answered {
  return {
    item: itemId,
    paper: cluster,
    ...pairId !== null && { pair: pairId },
    answer: answerIndex === null ? null : `choice ${answerIndex}`,
    ...hint !== undefined && { hinted: `choice ${hint.index}` },
    ...hint?.acknowledged != null && { acknowledged: hint.acknowledged },
    ...fault !== undefined && { fault }
  }
}

function givenBy ({ rationale, hint }: Condition): Cell['given'] {
  return rationale ?? (hint === undefined ? 'nothing' : `hint-${hint}`)
}
