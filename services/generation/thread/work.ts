/** Inside the thread: makes the items of one place, and keeps what places of a paper share. */
import { parentPort } from 'node:worker_threads'
import { groundworkOf, itemsFor, type Groundwork } from '../domain/extractive.ts'
import type { Place } from '../domain/plan.ts'
import type { Asked, Told } from './maker.ts'

/** The same number as the other side counts with: see maker.ts. */
const papers = new Map<string, Groundwork>()

parentPort?.on('message', (asked: Asked) => {
  const { id, key, place } = asked
  try {
    if (asked.forget !== undefined) papers.delete(asked.forget)
    if (asked.order !== undefined) papers.set(key, groundworkOf(asked.order))
    tell({ id, made: itemsFor(place as Place, papers.get(key) as Groundwork) })
  } catch (cause) {
    tell({ id, error: cause instanceof Error ? cause.stack ?? cause.message : String(cause) })
  }
})

function tell (told: Told): void {
  parentPort?.postMessage(told)
}
