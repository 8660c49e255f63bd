/** Inside the thread: makes the items of one place, and keeps what places of a paper share. */
import { parentPort } from 'node:worker_threads'
import { groundworkOf, itemsFor, type Made, type Order } from '../domain/extractive.ts'
import type { Place } from '../domain/plan.ts'
import { tableItems } from '../domain/tables/tables.ts'
import type { Asked, Told } from './maker.ts'

/** The same number as the other side counts with: see maker.ts. */
const papers = new Map<string, (place: Place) => Made>()

parentPort?.on('message', (asked: Asked) => {
  const { id, key, place } = asked
  try {
    if (asked.forget !== undefined) papers.delete(asked.forget)
    if (asked.order !== undefined) papers.set(key, makerFor(asked.order))
    tell({ id, made: papers.get(key)!(place) })
  } catch (cause) {
    tell({ id, error: cause instanceof Error ? cause.stack ?? cause.message : String(cause) })
  }
})

function makerFor (order: Order): (place: Place) => Made {
  if (order.recipe.strategy === 'tables') return place => tableItems(order.document, place.id, order)
  const groundwork = groundworkOf(order)
  return place => itemsFor(place, groundwork)
}

function tell (told: Told): void {
  parentPort?.postMessage(told)
}
