/** The other side of reader.ts: the bytes of a log in, its record and rows out. */
import { parentPort } from 'node:worker_threads'
import type { RunImportOptions } from '../../../shared/contracts/run-import.ts'
import { problemBody } from '../../../shared/errors/problem-body.ts'
import { Problem } from '../../../shared/errors/problem.ts'
import { keptOf } from './kept.ts'
import { readLog } from './read-log.ts'

interface Asked { bytes: Uint8Array, options: RunImportOptions }

parentPort!.on('message', ({ bytes, options }: Asked) => {
  const log = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  readLog(log, options).then(imported => {
    parentPort!.postMessage({ kept: keptOf(imported) })
  }).catch((cause: unknown) => {
    // A bug ends the thread, and the caller sees it as one.
    if (!(cause instanceof Problem)) queueMicrotask(() => { throw cause })
    else parentPort!.postMessage({ problem: problemBody(cause) })
  })
})
