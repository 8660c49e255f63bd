/** Takes a step through all items in a thread of its own: finding copies among 100,000 takes minutes. */
import { Worker } from 'node:worker_threads'
import type { Work } from '../domain/step-work.ts'
import type { StepResult } from '../domain/steps.ts'
import type { Asked, Told } from './work.ts'

/** So many items are copied into the thread at once, so that the event loop is not held. */
const partItems = 500

/** @throws what the signal was aborted with; the thread is ended either way */
export async function stepInThread (work: Work, signal: AbortSignal): Promise<StepResult> {
  signal.throwIfAborted()
  const thread = new Worker(new URL('entry.mjs', import.meta.url), { execArgv: [] })
  let abort = () => {}
  try {
    const told = new Promise<StepResult>((resolve, reject) => {
      abort = () => { reject(signal.reason) }
      signal.addEventListener('abort', abort, { once: true })
      thread.on('error', reject)
      thread.on('message', (told: Told) => {
        if ('result' in told) resolve(told.result)
        else reject(new Error(`A step of a curation failed: ${told.error}`))
      })
    })
    // Awaited below; an abort while parts are being sent must not be unhandled.
    told.catch(() => {})
    const { entries, ...order } = work
    for (let from = 0; from < entries.length && !signal.aborted; from += partItems) {
      thread.postMessage({ entries: entries.slice(from, from + partItems) } satisfies Asked)
      await new Promise(resolve => { setImmediate(resolve) })
    }
    thread.postMessage({ order } satisfies Asked)
    return await told
  } finally {
    signal.removeEventListener('abort', abort)
    await thread.terminate()
  }
}
