/** Inside the thread: one duty after another, each with its parts. */
import { parentPort } from 'node:worker_threads'
import { problemBody } from '../../../shared/errors/problem-body.ts'
import { Problem } from '../../../shared/errors/problem.ts'
import { begin, type Begun, type Duty } from './duties.ts'

/** A duty, then its parts if it has any, then `finish`; each is answered before the next is sent. */
export type Asked = { duty: Duty } | { part: unknown } | { finish: true }
export type Told = { next: true } | { result: Uint8Array } | { problem: object }

let begun: Begun

parentPort!.on('message', (asked: Asked) => {
  try {
    if ('finish' in asked) {
      const result = begun.finish()
      parentPort!.postMessage({ result } satisfies Told, [result.buffer as ArrayBuffer])
      return
    }
    if ('duty' in asked) begun = begin(asked.duty)
    else begun.take(asked.part)
    parentPort!.postMessage({ next: true } satisfies Told)
  } catch (cause) {
    // A bug ends the thread, and the caller sees it as one.
    if (!(cause instanceof Problem)) throw cause
    parentPort!.postMessage({ problem: problemBody(cause) } satisfies Told)
  }
})
