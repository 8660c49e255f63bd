/** The other side of reply-reader.ts: a reply in, its readings out. A bug ends the thread. */
import { parentPort } from 'node:worker_threads'
import { readReply } from '../answers/outcome.ts'
import type { ToRead } from './reply-reader.ts'

parentPort!.on('message', ({ given, question }: ToRead) => {
  parentPort!.postMessage(readReply(given, question))
})
