/** Inside the thread: does its duties, and keeps the papers it knows. */
import { parentPort } from 'node:worker_threads'
import { doneFor, type Paper } from './duties.ts'
import type { Asked, Told } from './thread.ts'

/** The same number as the other side counts with: see thread.ts. */
const papers = new Map<string, Paper>()

parentPort?.on('message', (asked: Asked) => {
  const { id, key, duty } = asked
  try {
    if (asked.forget !== undefined) papers.delete(asked.forget)
    if (asked.order !== undefined) papers.set(key, { order: asked.order })
    tell({ id, done: doneFor(duty, papers.get(key)!) })
  } catch (cause) {
    tell({ id, error: cause instanceof Error ? cause.stack ?? cause.message : String(cause) })
  }
})

function tell (told: Told): void {
  parentPort?.postMessage(told)
}
