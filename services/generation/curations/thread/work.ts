/** Inside the thread: one step over all items, which come in parts. */
import { parentPort } from 'node:worker_threads'
import { stepWork, type Work } from '../domain/step-work.ts'
import type { Entry, StepResult } from '../domain/steps.ts'

export type Asked = { entries: Entry[] } | { order: Omit<Work, 'entries'> }
export type Told = { result: StepResult } | { error: string }

const entries: Entry[] = []

parentPort?.on('message', (asked: Asked) => {
  if ('entries' in asked) {
    entries.push(...asked.entries)
    return
  }
  let told: Told
  try {
    told = { result: stepWork({ ...asked.order, entries }) }
  } catch (cause) {
    told = { error: cause instanceof Error ? cause.stack ?? cause.message : String(cause) }
  }
  parentPort?.postMessage(told)
})
