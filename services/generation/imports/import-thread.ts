/** Inside the thread: reads one bank at a time, and hands over what is kept of it as it comes. */
import { parentPort } from 'node:worker_threads'
import { problemBody } from '../../../shared/errors/problem-body.ts'
import { Problem } from '../../../shared/errors/problem.ts'
import type { FromThread, Order, ToThread } from './bank-thread.ts'
import { readBank, type Summary } from './read-bank.ts'
import { openBank } from './readers/open-bank.ts'

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

async function read ({ bytes, container, importId, options }: Order): Promise<Summary> {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return await readBank({ ...await openBank(file, container, options), importId, options }, {
    image: async image => { await hand({ image }) },
    batch: async batch => { await hand({ batch }) }
  })
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
