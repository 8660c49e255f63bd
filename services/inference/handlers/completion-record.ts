/**
 * Completions by what was asked. The first reply to a request stays its reply: an entry is inserted once
 * and never changed, by whatever process, so a replay gives the same bytes each time and everywhere.
 */
import { sha256 } from '../../../shared/contracts/hash.ts'
import { Problem } from '../../../shared/errors/problem.ts'
import type { Blobs } from '../../../shared/blobs/blobs.ts'
import type { Collection, Doc, Store } from '../../../shared/store/store.ts'
import { byteCache } from '../domain/byte-cache.ts'
import type { CompletionKey } from '../domain/completion-key.ts'
import { substanceOf } from '../domain/reply-substance.ts'
import type { Reply } from '../domain/reply.ts'

/** Longer texts and replies are blobs: documents have 16 MiB at most and are read whole. */
const inlineBytesMax = 256 * 1024

type Kept = { text: string } | { base64: string } | { blob: string }

interface Entry extends Doc {
  request: Kept
  reply: Kept
  /** sha256 of the bytes, hex. */
  replyHash: string
  about: Omit<Reply, 'bytes'>
}

export interface Recorded {
  /** Of the record: this reply where it is new, the first one where there was one already. */
  reply: Reply
  isNew: boolean
  /** Whether the record's reply says the same as the one that was to be recorded. */
  sameAnswer: boolean
  sameVersion: boolean
}

export interface CompletionRecord {
  /** The recorded reply if it is at hand without asking the store. */
  remembered: (key: CompletionKey) => Reply | undefined
  /** @throws Problem store-unavailable, also for an entry that is damaged */
  find: (key: CompletionKey) => Promise<Reply | undefined>
  /**
   * Durable when it resolves. Where the record has a reply already, that one stays.
   * @param reply  one that `whyNotRecorded` has nothing against
   */
  record: (key: CompletionKey, reply: Reply) => Promise<Recorded>
}

interface Parts { store: Store, blobs: Blobs, cacheBytesMax: number }
interface Remembered { request: string, reply: Reply }

export async function completionRecord ({ store, blobs, cacheBytesMax }: Parts): Promise<CompletionRecord> {
  const entries: Collection<Entry> = await store.collection<Entry>('completions')
  const cache = byteCache<Remembered>(cacheBytesMax)

  function remembered ({ id, request }: CompletionKey): Reply | undefined {
    const found = cache.find(id)
    return found?.request === request ? found.reply : undefined
  }

  function remember ({ id, request }: CompletionKey, reply: Reply): void {
    cache.keep(id, { request, reply }, reply.bytes.length + 2 * request.length + 1_000)
  }

  async function load (key: CompletionKey): Promise<Reply | undefined> {
    const entry = await entries.find(key.id)
    // Another request under this id is no answer to this one.
    if (entry === undefined || !isKept(entry.request, key.request)) return undefined
    const reply = { ...entry.about, bytes: await bytesOf(blobs, entry) }
    remember(key, reply)
    return reply
  }

  return {
    remembered,
    find: async key => remembered(key) ?? await load(key),
    async record (key, reply) {
      const { bytes, ...about } = reply
      const entry = {
        _id: key.id,
        request: await keep(blobs, Buffer.from(key.request)),
        reply: await keep(blobs, bytes),
        replyHash: sha256(bytes),
        about
      }
      if (await entries.insert(entry)) {
        remember(key, reply)
        return { reply, isNew: true, sameAnswer: true, sameVersion: true }
      }
      const first = await load(key)
      if (first === undefined) {
        throw new Problem('conflict', `The record holds another request under ${key.id}; send this one with another viva-sample-index, or viva-replay: off.`)
      }
      return {
        reply: first,
        isNew: false,
        sameAnswer: saysTheSame(first, reply),
        sameVersion: first.upstreamVersion === reply.upstreamVersion
      }
    }
  }
}

function saysTheSame (first: Reply, second: Reply): boolean {
  if (Buffer.compare(first.bytes, second.bytes) === 0) return true
  const substance = substanceOf(first.bytes, first.contentType)
  return substance !== null && substance === substanceOf(second.bytes, second.contentType)
}

async function keep (blobs: Blobs, bytes: Uint8Array): Promise<Kept> {
  if (bytes.length > inlineBytesMax) return { blob: (await blobs.put(bytes)).id }
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const text = buffer.toString('utf8')
  // What is not UTF-8 would come back as something else.
  return Buffer.from(text).equals(buffer) ? { text } : { base64: buffer.toString('base64') }
}

function isKept (kept: Kept, request: string): boolean {
  if ('text' in kept) return kept.text === request
  return 'blob' in kept ? kept.blob === sha256(request) : kept.base64 === Buffer.from(request).toString('base64')
}

async function bytesOf (blobs: Blobs, { _id, reply, replyHash }: Entry): Promise<Uint8Array> {
  const bytes = 'blob' in reply
    ? await blobs.find(reply.blob)
    : 'text' in reply ? Buffer.from(reply.text) : Buffer.from(reply.base64, 'base64')
  if (bytes === undefined || sha256(bytes) !== replyHash) {
    throw new Problem('store-unavailable', `The recorded reply ${_id} is ${bytes === undefined ? 'missing from' : 'damaged in'} the files of inference: restore it from a copy, or send viva-replay: off.`)
  }
  return bytes
}
