/** Opens a sitting, or finds the one that is the same. */
import type { Sitting, SittingRequest } from '../../../../shared/contracts/sitting.ts'
import { Problem } from '../../../../shared/errors/problem.ts'
import { inTurns } from '../../../../shared/tasks/in-turns.ts'
import { whyNotRunnable } from '../../domain/plan.ts'
import { drawItems } from '../domain/draw.ts'
import { sittingIdOf, specOf, type SittingSpec } from '../domain/spec.ts'
import type { SittingParts } from './parts.ts'
import { getSitting } from './view-sitting.ts'

/**
 * @throws Problem benchmark-not-found; invalid-request for items that are not the benchmark's, a dimension
 *         it has not, or a condition about models; not-computable where nothing can be asked so;
 *         sitting-deleted for one that was
 */
export async function openSitting (
  parts: SittingParts, request: SittingRequest
): Promise<{ created: boolean, sitting: Sitting }> {
  const spec = specOf(request)
  const id = sittingIdOf(spec)
  const known = await parts.sittings.isKnown(id)
  const created = !known && await parts.sittings.insert(id, { spec, order: await orderOf(parts, spec) })
  return { created, sitting: await getSitting(parts, id) }
}

async function orderOf ({ benchmarks }: SittingParts, spec: SittingSpec): Promise<string[]> {
  const frozen = await benchmarks.get(spec.benchmarkId)
  const obstacle = whyNotRunnable(frozen, spec.condition)
  if (obstacle !== undefined) throw new Problem('not-computable', obstacle)
  const { itemIds, stratifyBy } = spec
  const stranger = itemIds?.find(id => !frozen.itemById.has(id))
  if (stranger !== undefined) throw wrong('itemIds', `Item ${stranger} is not of benchmark ${spec.benchmarkId}; GET /v1/benchmarks/${spec.benchmarkId}/items lists its items.`)
  if (stratifyBy !== null && !frozen.items.some(({ slices }) => Object.hasOwn(slices, stratifyBy))) {
    const known = [...new Set(frozen.items.flatMap(({ slices }) => Object.keys(slices)))].sort().slice(0, 50)
    throw wrong('stratifyBy', `No item has the dimension ${stratifyBy}. Dimensions: ${known.join(', ') || 'none'}.`)
  }
  const order = await inTurns(drawItems(frozen.items, spec))
  if (order.length > 0) return order
  throw new Problem('not-computable', 'No item fits: leave out kinds or itemIds, allow two items where all are minimal pairs, or ask under another condition.')
}

function wrong (part: string, detail: string): Problem {
  return new Problem('invalid-request', detail, { errors: [{ pointer: `/body/${part}`, detail: 'is not of the benchmark' }] })
}
