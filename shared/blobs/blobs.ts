/** Bytes by content: the id is the sha256 in hex, so storing twice stores once. */
import type { Readable } from 'node:stream'

export interface Blobs {
  /**
   * Durable when it resolves: written aside, synced, renamed.
   *
   * @param bytesMax  a stream that is longer rejects with Problem body-too-large, and leaves nothing
   */
  put (content: Uint8Array | Readable, bytesMax?: number): Promise<{ id: string, bytes: number }>
  find (id: string): Promise<Buffer | undefined>
  stream (id: string): Promise<Readable | undefined>
  has (id: string): Promise<boolean>
  delete (id: string): Promise<void>
}
