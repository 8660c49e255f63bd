/** Inside the thread: makes the items of one place, and keeps what places of a paper share. */
import { parentPort } from 'node:worker_threads'
import { groundworkOf, itemsFor, type Groundwork, type Made, type Order } from '../domain/extractive.ts'
import type { Place } from '../domain/plan.ts'
import { tableItems } from '../domain/tables/tables.ts'
import type { Asked, Told } from './maker.ts'

/** The same number as the other side counts with: see maker.ts. */
const papers = new Map<string, Paper>()

interface Paper { order: Order, groundwork?: Groundwork }

parentPort?.on('message', (asked: Asked) => {
  const { id, key, place } = asked
  try {
    if (asked.forget !== undefined) papers.delete(asked.forget)
    if (asked.order !== undefined) papers.set(key, { order: asked.order })
    tell({ id, made: madeFor(place, papers.get(key) as Paper) })
  } catch (cause) {
    tell({ id, error: cause instanceof Error ? cause.stack ?? cause.message : String(cause) })
  }
})

function madeFor (place: Place, paper: Paper): Made {
  const { order } = paper
  if (order.recipe.strategy === 'tables') return tableItems(order.document, place.id, order)
  paper.groundwork ??= groundworkOf(order)
  return itemsFor(place, paper.groundwork)
}

function tell (told: Told): void {
  parentPort?.postMessage(told)
}
