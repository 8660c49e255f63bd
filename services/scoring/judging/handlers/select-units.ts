/** The predictions of runs that a judgement is about, in the benchmark's order. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { canonicalJson, sha256 } from '../../../../shared/contracts/hash.ts'
import type { JudgementRequest } from '../../../../shared/contracts/judgement.ts'
import { Problem } from '../../../../shared/errors/problem.ts'
import { errorPrediction } from '../../domain/plan.ts'
import type { Prediction } from '../../../../shared/contracts/run.ts'
import { unitOf, type Placed, type Unit } from '../domain/spec.ts'
import type { JudgementParts } from './parts.ts'

const unitsMax = 50_000

export interface Selected {
  units: Unit[]
  /** Of all units, their replies among them. */
  hash: string
}

/**
 * @throws Problem not-computable where nothing is selected, or too much; invalid-request for a foreign
 * item
 */
export async function selectUnits (
  { benchmarks, store }: Pick<JudgementParts, 'benchmarks' | 'store'>, request: JudgementRequest, benchmarkId: string
): Promise<Selected> {
  const { runIds, form, kinds, itemIds } = request
  const { items, itemById } = await benchmarks.get(benchmarkId)
  const stray = itemIds?.findIndex(id => !itemById.has(id)) ?? -1
  if (stray >= 0) {
    throw new Problem('invalid-request', `Benchmark ${benchmarkId} has no item ${itemIds![stray]}.`, {
      errors: [{ pointer: `/itemIds/${stray}`, detail: 'An item of the benchmark of the runs.' }]
    })
  }
  const asked = itemIds === undefined ? null : new Set(itemIds)
  const wanted = items.filter(({ id, kind }) => (asked?.has(id) ?? true) && (kinds?.includes(kind) ?? true))
  const perItem = form === 'preferences' ? 1 : runIds.length
  const unitCount = wanted.length * perItem
  if (unitCount === 0 || unitCount > unitsMax) {
    throw new Problem('not-computable', `kinds and itemIds select ${unitCount} predictions, of 1 to ${unitsMax}.`)
  }
  const at = new Map(wanted.map(({ id }, place) => [id, place]))
  const units = new Array<Unit>(unitCount)
  const pairs: Placed[][] = wanted.map(() => [])
  for (const [run, runId] of runIds.entries()) {
    const place = (prediction: Prediction) => {
      const where = at.get(prediction.itemId)
      if (where === undefined) return
      const placed = { prediction, item: wanted[where]!, run }
      if (form === 'preferences') pairs[where]!.push(placed)
      else units[where * perItem + run] = unitOf([placed])
    }
    const found = new Set<string>()
    for await (const some of store.predictionsOf(runId)) {
      for (const prediction of some) {
        found.add(prediction.itemId)
        place(prediction)
      }
      await nextTurn()
    }
    for (const item of wanted) if (!found.has(item.id)) place(errorPrediction(runId, item, 'It was never asked; retry the run.'))
  }
  if (form === 'preferences') for (const [where, placed] of pairs.entries()) units[where] = unitOf(placed)
  return { units, hash: sha256(canonicalJson(units)) }
}
