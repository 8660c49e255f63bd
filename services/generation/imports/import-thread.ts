/** Inside the thread: reads one bank at a time, and hands over what is kept of it as it comes. */
import { parentPort } from 'node:worker_threads'
import { problemBody } from '../../../shared/errors/problem-body.ts'
import { Problem } from '../../../shared/errors/problem.ts'
import type { FromThread, Order, ToThread } from './bank-thread.ts'
import { examBank } from './domain/exam/exam.ts'
import { readBank, type Summary } from './read-bank.ts'
import { openBank, type Opened } from './readers/open-bank.ts'

/** What waits for the other side to have kept what it was given. */
let kept: (() => void) | undefined

parentPort!.on('message', (message: ToThread) => {
  if ('order' in message) {
    read(message.order).then(summary => { tell({ summary }) }).catch((cause: unknown) => {
      // A bug ends the thread, and the caller sees it as one.
      if (!(cause instanceof Problem)) queueMicrotask(() => { throw cause })
      else tell({ problem: problemBody(cause) })
    })
  } else kept?.()
})

async function read (order: Order): Promise<Summary> {
  const { importId, options } = order
  return await readBank({ ...await opened(order), importId, options }, {
    image: async image => { await hand({ image }) },
    batch: async batch => { await hand({ batch }) }
  })
}

async function opened (order: Order): Promise<Opened> {
  if ('document' in order) return { bank: examBank(order.document, order.images) }
  const { bytes, container, options } = order
  return await openBank(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), container, options)
}

/** One at a time, so that what waits to be kept is never more than one image or batch. */
async function hand (message: FromThread): Promise<void> {
  const done = new Promise<void>(resolve => { kept = resolve })
  tell(message)
  await done
}

function tell (message: FromThread): void {
  parentPort!.postMessage(message)
}
