/** By what a completion is known again: everything that may change the bytes of its reply, and no more. */
import { canonicalJson, sha256 } from '../../../shared/contracts/hash.ts'
import type { ForwardedPath, RequestBody } from './call.ts'

export interface CompletionKey {
  /** `cmp_` and 32 hex digits of the sha256 of `request`. */
  id: string
  /** Canonical JSON of all that distinguishes the call; kept beside the reply, and compared with it. */
  request: string
}

export interface KeyParts {
  path: ForwardedPath
  /** Canonical JSON of the request: defaults resolved, images by content, without how it is delivered. */
  canonical: string
  form: Form
  sampleIndex: number | null
  /** What the name of the model stands for where it is an alias, ascending; an alias may be given anew. */
  served: readonly string[]
}

/** How the reply is delivered: null is whole; a stream has its options, which change its bytes. */
export type Form = null | Record<string, unknown>

/** What is recorded is the form received: a stream and a whole reply to one request are two entries. */
export function formOf ({ stream, stream_options: options, stream_interval: interval }: RequestBody): Form {
  if (stream !== true) return null
  return { options: options ?? null, interval: interval ?? null }
}

/**
 * A stream that is put together here, and stopped by our rules; its reply may be one that no server
 * would give, so it is nobody else's.
 */
export function assembledForm (rulesVersion: number): Form {
  return { assembled: rulesVersion }
}

/** @throws TypeError when the options of the stream hold what is no JSON */
export function completionKey ({ path, canonical, form, sampleIndex, served }: KeyParts): CompletionKey {
  // Itself canonical JSON, without walking the request a second time.
  const request = `{"form":${canonicalJson(form)},"path":${JSON.stringify(path)},` +
    `"request":${canonical},"sampleIndex":${String(sampleIndex)}` +
    `${served.length === 0 ? '' : `,"served":${canonicalJson(served)}`}}`
  return { id: `cmp_${sha256(request).slice(0, 32)}`, request }
}
