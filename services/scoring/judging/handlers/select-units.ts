/** The predictions of runs that a judgement is about, in the benchmark's order. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { BenchmarkItem } from '../../../../shared/contracts/benchmark.ts'
import { hashingList } from '../../../../shared/contracts/hash.ts'
import type { JudgementRequest } from '../../../../shared/contracts/judgement.ts'
import { Problem } from '../../../../shared/errors/problem.ts'
import { eachInTurns, inTurns } from '../../../../shared/tasks/in-turns.ts'
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
 * In turns with what else this process does: 50,000 of them would hold it for more than a second.
 *
 * @throws Problem not-computable where nothing is selected, or too much; invalid-request for a foreign
 * item
 */
export async function selectUnits (
  { benchmarks, store }: Pick<JudgementParts, 'benchmarks' | 'store'>, request: JudgementRequest, benchmarkId: string
): Promise<Selected> {
  const { runIds, form, itemIds } = request
  const { items, itemById } = await benchmarks.get(benchmarkId)
  const stray = itemIds?.findIndex(id => !itemById.has(id)) ?? -1
  if (stray >= 0) {
    throw new Problem('invalid-request', `Benchmark ${benchmarkId} has no item ${itemIds![stray]}.`, {
      errors: [{ pointer: `/itemIds/${stray}`, detail: 'An item of the benchmark of the runs.' }]
    })
  }
  const wanted = await wantedOf(items, request)
  const perItem = form === 'preferences' ? 1 : runIds.length
  const unitCount = wanted.length * perItem
  if (unitCount === 0 || unitCount > unitsMax) {
    throw new Problem('not-computable', `kinds and itemIds select ${unitCount} predictions, of 1 to ${unitsMax}.`)
  }
  const at = new Map<string, number>()
  await eachInTurns(wanted, ({ id }, place) => { at.set(id, place) })
  const units = new Array<Unit>(unitCount)
  const pairs: Placed[][] = form === 'preferences' ? wanted.map(() => []) : []
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
      await eachInTurns(some, prediction => {
        found.add(prediction.itemId)
        place(prediction)
      })
      await nextTurn()
    }
    await eachInTurns(wanted, item => {
      if (!found.has(item.id)) place(errorPrediction(runId, item, 'It was never asked; retry the run.'))
    })
  }
  await eachInTurns(pairs, (placed, where) => { units[where] = unitOf(placed) })
  return { units, hash: await inTurns(hashingList(units)) }
}

async function wantedOf (
  items: readonly BenchmarkItem[], { kinds, itemIds }: Pick<JudgementRequest, 'kinds' | 'itemIds'>
): Promise<BenchmarkItem[]> {
  const asked = itemIds === undefined ? null : new Set(itemIds)
  const wanted: BenchmarkItem[] = []
  await eachInTurns(items, item => {
    if ((asked?.has(item.id) ?? true) && (kinds?.includes(item.kind) ?? true)) wanted.push(item)
  })
  return wanted
}
