/** Answers one stateless request, long ones on a thread. */
import { isHeavy, statelessAnswer, type StatelessName } from '../domain/stateless.ts'
import type { Threads } from '../thread/threads.ts'

/** Bodies up to this are parsed and, unless heavy, answered on the event loop: a few ms. */
export const inlineBytesMax = 16 * 1024
export const metricBytesMax = 32 * 1024 * 1024

/**
 * @param body  parsed, or the raw bytes of a long one
 * @throws Problem too-many-requests, not-computable, or whatever is wrong with the body
 */
export async function measure (
  threads: Threads, name: StatelessName, { body, signal }: { body: unknown, signal: AbortSignal }
): Promise<object> {
  if (Buffer.isBuffer(body)) return await threads.run({ do: 'measure', name, bytes: body }, { signal })
  if (!isHeavy(name, body)) return statelessAnswer(name, body)
  return await threads.run({ do: 'measure', name, bytes: Buffer.from(JSON.stringify(body)) }, { signal })
}
