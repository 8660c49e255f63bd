/**
 * What is asked, in one form: two requests have it in common exactly if the same answer answers both.
 * Whatever might change the answer is in it, also fields we do not know; what is left out is listed below
 * with its reason. Record and replay, and coalescing, stand on this.
 */
import { createHash } from 'node:crypto'
import { mediaFields } from './admission-media.ts'
import { isGenerated, type Call, type ForwardedPath } from './call.ts'
import { dataUrlOf } from './data-url.ts'
import { constraintOf, guidedNames } from './dialect/constraint.ts'
import { isObject } from './json-object.ts'

/** Raised when the form changes, so that old records are not found instead of found wrongly. */
const formVersion = 2

/** These do not reach the model, or change only how the answer travels. */
const leftOut = new Set([
  // Whole or in pieces, it is one answer.
  'stream', 'stream_options', 'stream_interval',
  // When it is answered.
  'priority',
  // Whose question it is.
  'user', 'request_id', 'session_id', 'metadata', 'safety_identifier',
  // Only which cache is used.
  'cache_salt', 'prompt_cache_key',
  // Whether OpenAI keeps a copy.
  'store',
  // Written anew below, in one form.
  'model', 'messages', 'max_tokens', 'max_completion_tokens', 'stop',
  'response_format', 'structured_outputs', 'guided_whitespace_pattern', ...guidedNames.map(([name]) => name)
])

/**
 * What the protocol says a field is where it is left out. Not here: temperature, top_p, top_k, min_p, the
 * penalties and max_tokens, for which servers read the model's generation_config.json: left out they are
 * null, "as the server does it", which is no number (vLLM docs, --generation-config).
 */
const defaults = new Map<string, unknown>(Object.entries({
  n: 1,
  logprobs: false,
  top_logprobs: 0,
  logit_bias: {},
  stop_token_ids: [],
  bad_words: [],
  min_tokens: 0,
  ignore_eos: false,
  include_stop_str_in_output: false,
  skip_special_tokens: true,
  spaces_between_special_tokens: true,
  use_beam_search: false,
  length_penalty: 1,
  echo: false,
  add_generation_prompt: true,
  continue_final_message: false,
  chat_template_kwargs: {},
  include_reasoning: true,
  parallel_tool_calls: true,
  return_token_ids: false,
  return_tokens_as_token_ids: false,
  return_prompt_text: false,
  return_token_strs: false,
  encoding_format: 'float'
}))

type Asked = Pick<Call, 'path' | 'body'>

/**
 * What a request asks: its canonical JSON (shared/contracts/hash.ts) is the same for two requests that ask
 * the same. The order of a body's, a message's and a part's own keys, defaults written out or not, null or
 * absent, `guided_*` or `structured_outputs`, types of images and forms of base64 make no difference; the
 * order of keys further inside does. The model is the name asked for.
 */
export function canonicalRequest ({ path, body }: Asked): Record<string, unknown> {
  const fields = Object.create(null) as Record<string, unknown>
  for (const key in body) {
    const value = body[key]
    if (value === null || value === undefined || leftOut.has(key) || isDefault({ path, body }, key)) continue
    fields[key] = asWritten(value)
  }
  const constraint = isGenerated(path) ? constraintOf(body) : undefined
  const { messages, max_completion_tokens: newer, max_tokens: older } = body
  return {
    fields,
    form: formVersion,
    path,
    model: body.model,
    // The newer name is one of chats: a plain completion passes over it.
    maxTokens: isChat(path) ? newer ?? older ?? null : [newer ?? null, older ?? null],
    stop: typeof body.stop === 'string' ? [body.stop] : body.stop ?? [],
    ...messages != null && { messages: Array.isArray(messages) ? messages.map(canonicalMessage) : messages },
    ...constraint !== undefined && {
      constraint: { kind: constraint.kind, value: asWritten(constraint.value), options: constraint.options }
    }
  }
}

function isChat (path: ForwardedPath): boolean {
  return path === '/v1/chat/completions'
}

/**
 * Objects with their members in order: a server writes the properties of a schema into its grammar, and
 * tools and documents into its prompt, in the order they come in. Whether a model reasons before it
 * answers may be told by nothing else.
 */
function asWritten (value: unknown): unknown {
  if (Array.isArray(value)) return value.map(asWritten)
  if (value === null || typeof value !== 'object') return value
  return { members: Object.entries(value).map(([key, each]) => [key, asWritten(each)]) }
}

function isDefault ({ path, body }: Asked, key: string): boolean {
  const value = body[key]
  // The template of a chat writes them itself, also where its tokens are only counted.
  if (key === 'add_special_tokens') return value === (body.messages == null)
  const standard = defaults.get(key)
  if (typeof standard !== 'object' || typeof value !== 'object' || value === null) return value === standard
  return Array.isArray(value) === Array.isArray(standard) && isEmpty(value)
}

function isEmpty (value: object): boolean {
  return Object.keys(value).length === 0
}

function canonicalMessage (message: unknown): unknown {
  if (!isObject(message)) return message
  const fields = Object.create(null) as Record<string, unknown>
  for (const key in message) {
    const value = message[key]
    if (value === null) continue
    // Two names of one thing; the newer counts where both are given, as it does in vLLM.
    if (key === 'reasoning_content') fields.reasoning ??= value
    else fields[key] = key === 'content' && Array.isArray(value) ? value.map(canonicalPart) : asWritten(value)
  }
  return fields
}

/** Media by its content: how its bytes are written makes no other question; all else as it is written. */
function canonicalPart (part: unknown): unknown {
  if (!isObject(part)) return part
  const fields = Object.create(null) as Record<string, unknown>
  for (const [key, value] of Object.entries(part)) {
    if (value !== null) fields[key] = mediaFields.has(key) ? canonicalMedia(value) : asWritten(value)
  }
  return fields
}

function canonicalMedia (value: unknown): unknown {
  // A URL may stand for itself or be inside {url}, which mean the same.
  if (typeof value === 'string') return { url: contentOf(value) }
  if (!isObject(value)) return value
  if (typeof value.url === 'string') return { ...value, url: contentOf(value.url) }
  if (typeof value.data === 'string') return { ...value, data: hashOf(value.data) }
  return value
}

/** An image says itself what it is; of other media the declared type decides how they are read. */
function contentOf (url: string): unknown {
  const data = dataUrlOf(url)
  if (data === undefined) return url
  const { mediaType, base64 } = data
  return mediaType.startsWith('image/') || mediaType === '' ? hashOf(base64) : { mediaType, ...hashOf(base64) }
}

function hashOf (base64: string): { sha256: string } {
  return { sha256: createHash('sha256').update(base64, 'base64').digest('hex') }
}
