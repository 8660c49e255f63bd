/** The other side of reader.ts: the bytes of one log in, the record and its rows out. */
import { parentPort, workerData } from 'node:worker_threads'
import type { RunImportOptions } from '../../../shared/contracts/run-import.ts'
import { problemBody } from '../../../shared/errors/problem-body.ts'
import { Problem } from '../../../shared/errors/problem.ts'
import { keptOf } from './kept.ts'
import { readLog } from './read-log.ts'

const { bytes, options } = workerData as { bytes: Uint8Array, options: RunImportOptions }
const log = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)

try {
  parentPort!.postMessage({ kept: keptOf(await readLog(log, options)) })
} catch (cause) {
  // A bug ends the thread, and the caller sees it as one.
  if (!(cause instanceof Problem)) throw cause
  parentPort!.postMessage({ problem: problemBody(cause) })
}
