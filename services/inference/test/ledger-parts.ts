/** What tests of the ledger share: a store and blobs in a folder, and replies to keep there. */
import { join } from 'node:path'
import { folderBlobs } from '../../../shared/blobs/folder.ts'
import { embeddedStore } from '../../../shared/store/embedded.ts'
import { completionKey, type CompletionKey } from '../domain/completion-key.ts'
import type { CallRecord } from '../domain/call.ts'
import type { Reply } from '../domain/reply.ts'
import { completionRecord, type CompletionRecord } from '../handlers/completion-record.ts'

/** As another process on the same folder has it. */
export async function openParts (folder: string, cacheBytesMax = 0) {
  const store = await embeddedStore(join(folder, 'inference.db'))
  const blobs = await folderBlobs(join(folder, 'blobs'))
  const record: CompletionRecord = await completionRecord({ store, blobs, cacheBytesMax })
  return { store, blobs, record }
}

export function replyOf (body: string | Uint8Array, changes: Partial<Reply> = {}): Reply {
  return {
    status: 200,
    contentType: 'application/json',
    bytes: Buffer.from(body),
    servedModel: 'served',
    upstream: 'lab',
    upstreamVersion: '0.12.0',
    usage: { promptTokens: 3, completionTokens: 2, cachedTokens: null, reasoningTokens: null },
    finishReasons: ['stop'],
    ...changes
  }
}

/** A reply as vLLM gives it: another id and time each time. */
export function chatReply (content: string, id = 'a'): string {
  return JSON.stringify({
    id: `chatcmpl-${id}`,
    created: id.length,
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }]
  })
}

export function keyOf (canonical: object, sampleIndex: number | null = null): CompletionKey {
  return completionKey({
    path: '/v1/chat/completions', canonical: JSON.stringify(canonical), form: null, sampleIndex, served: []
  })
}

/** An answered call of ten and five tokens. */
export function callOf (changes: Partial<CallRecord> = {}): CallRecord {
  return {
    id: 'id',
    path: '/v1/chat/completions',
    model: 'm',
    servedModel: 'm',
    upstream: 'lab',
    upstreamVersion: '0.12.0',
    labels: { caller: 'scoring', group: 'run_1', purpose: 'predict' },
    stream: false,
    outcome: 'answered',
    problem: null,
    finishReasons: ['stop'],
    usage: { promptTokens: 10, completionTokens: 5, cachedTokens: null, reasoningTokens: null },
    source: 'upstream',
    attempts: 1,
    queueMs: 1.5,
    firstByteMs: 20,
    totalMs: 100,
    ...changes
  }
}
