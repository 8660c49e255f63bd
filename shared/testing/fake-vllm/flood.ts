/** Bytes as fast as they are taken, to see whether the one in front stops taking them. */
import type { Exchange } from './fake.ts'

/**
 * Writes `part` over and over until `bytes` are written or the client leaves; waits when the socket
 * is full, and notes the most that waited.
 */
export async function flood (
  { response, entry }: Exchange, { first = '', part, bytes }: { first?: string, part: string, bytes: number }
): Promise<void> {
  const block = Buffer.from(part)
  if (first !== '') response.write(first)
  while (entry.bytesSent < bytes && !response.destroyed) {
    const room = response.write(block)
    entry.bytesSent += block.length
    entry.unackedBytesMax = Math.max(entry.unackedBytesMax, response.writableLength)
    if (!room) await drained(response)
    else await new Promise(resolve => { setImmediate(resolve) })
  }
}

async function drained (response: Exchange['response']): Promise<void> {
  await new Promise<void>(resolve => {
    const go = () => {
      response.off('drain', go).off('close', go)
      resolve()
    }
    response.on('drain', go).on('close', go)
  })
}
