/**
 * The fields of a request we know, and what each must be. A field that is not here is forwarded as it is:
 * vLLM takes any, and new ones come with every version. One that is here and of another type is refused,
 * for a server may take it for something else (`"seed": "7"`) or fall over it.
 */
import { fault, shown, tooLarge } from './field-fault.ts'
import { isObject } from './json-object.ts'

type Body = Readonly<Record<string, unknown>>
type Check = (value: unknown) => string | undefined

const bool: Check = value => typeof value === 'boolean' ? undefined : 'is true or false'
const text: Check = value => typeof value === 'string' ? undefined : 'is text'
const object: Check = value => isObject(value) ? undefined : 'is an object'
const list: Check = value => Array.isArray(value) ? undefined : 'is a list'

/** Beyond 2^53 JSON's numbers are rounded on the way: another seed than the one written. */
function integer (min = Number.MIN_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER): Check {
  return value => {
    if (typeof value !== 'number' || !Number.isInteger(value)) return 'is a whole number'
    if (!Number.isSafeInteger(value)) return 'is a whole number of at most 2^53 - 1, because larger ones do not pass through JSON unchanged'
    return value < min ? `is at least ${min}` : value > max ? `is at most ${max}` : undefined
  }
}

function number (min: number, max: number): Check {
  return value => {
    if (typeof value !== 'number' || !Number.isFinite(value)) return 'is a number'
    return value < min || value > max ? `lies between ${min} and ${max}` : undefined
  }
}

function listOf (each: Check, most: number, what: string): Check {
  return value => {
    if (!Array.isArray(value)) return `is a list of ${what}`
    if (value.length > most) return `holds at most ${most} entries`
    for (const entry of value) if (each(entry) !== undefined) return `is a list of ${what}`
    return undefined
  }
}

/** Names of people and things: no control characters, which would break a log or a header. */
function label (most: number): Check {
  return value => {
    if (typeof value !== 'string') return 'is text'
    if (value.length > most) return `is at most ${most} characters long`
    return hasControl(value) ? 'holds no control characters' : undefined
  }
}

const texts = listOf(text, 256, 'texts')
const tokenIds = listOf(integer(0), 4096, 'token ids')
const penalty = number(-2, 2)
const topLogprobs = integer(-1, 100_000)

const known = new Map<string, Check>([
  ['model', value => typeof value === 'string' && value !== '' ? label(300)(value) : 'is the name of a model'],
  ['temperature', number(0, 100)],
  ['top_p', number(0, 1)],
  ['top_k', integer(-1)],
  ['min_p', number(0, 1)],
  ['presence_penalty', penalty],
  ['frequency_penalty', penalty],
  ['repetition_penalty', number(0, 100)],
  ['length_penalty', number(-1000, 1000)],
  ['max_tokens', integer(0)],
  ['max_completion_tokens', integer(0)],
  ['min_tokens', integer(0)],
  ['best_of', integer(1)],
  ['seed', integer()],
  ['stop', value => typeof value === 'string' ? undefined : texts(value) === undefined ? undefined : 'is text or a list of at most 256 texts'],
  ['stop_token_ids', tokenIds],
  ['allowed_token_ids', listOf(integer(0), 1_000_000, 'token ids')],
  ['bad_words', texts],
  ['logit_bias', value => {
    if (!isObject(value)) return 'is an object of numbers by token id'
    for (const each of Object.values(value)) if (number(-100, 100)(each) !== undefined) return 'holds numbers from -100 to 100'
    return undefined
  }],
  ['top_logprobs', topLogprobs],
  ['prompt_logprobs', topLogprobs],
  ['logprob_token_ids', tokenIds],
  ['truncate_prompt_tokens', integer(-1)],
  ['thinking_token_budget', integer(-1)],
  ['priority', integer()],
  ['stream', bool],
  ['stream_options', value => {
    if (!isObject(value)) return 'is an object'
    for (const key of ['include_usage', 'continuous_usage_stats']) {
      const option = value[key]
      if (option !== undefined && option !== null && typeof option !== 'boolean') return `has ${key} true or false`
    }
    return undefined
  }],
  ['stream_interval', integer(1)],
  ['echo', bool],
  ['ignore_eos', bool],
  ['use_beam_search', bool],
  ['include_stop_str_in_output', bool],
  ['skip_special_tokens', bool],
  ['spaces_between_special_tokens', bool],
  ['add_generation_prompt', bool],
  ['continue_final_message', bool],
  ['add_special_tokens', bool],
  ['include_reasoning', bool],
  ['parallel_tool_calls', bool],
  ['return_token_ids', bool],
  ['return_tokens_as_token_ids', bool],
  ['return_token_strs', bool],
  ['chat_template', text],
  ['chat_template_kwargs', object],
  ['mm_processor_kwargs', object],
  ['media_io_kwargs', object],
  ['vllm_xargs', object],
  ['metadata', object],
  ['documents', list],
  ['tools', list],
  ['tool_choice', value => typeof value === 'string' || isObject(value) ? undefined : 'is text or an object'],
  ['reasoning_effort', label(40)],
  ['suffix', text],
  ['user', label(512)],
  ['request_id', label(512)],
  ['session_id', label(512)],
  ['cache_salt', value => value === '' ? 'is not empty' : label(1024)(value)],
  ['dimensions', integer(1, 1_000_000)],
  ['encoding_format', label(40)]
])

/** What reaches past the model into the server: other hosts, pickled tensors, code. */
const refusedFields = new Map([
  ['kv_transfer_params', 'tells the server to exchange its cache with another host; that is between servers'],
  ['ec_transfer_params', 'tells the server to exchange its cache with another host; that is between servers'],
  ['prompt_embeds', 'is a tensor the server would unpickle; send text or token ids'],
  ['image_embeds', 'is a tensor the server would unpickle; send the image']
])

/**
 * @param choicesMax  answers to one request
 * @throws            Problem invalid-request at the first field that is of a wrong type or may not pass;
 *                    limit-exceeded for `n`
 */
export function checkFields (body: Body, isChat: boolean, choicesMax: number): void {
  for (const key in body) {
    const value = body[key]
    // Clients write null for what they leave out.
    if (value === null || value === undefined) continue
    const reason = refusedFields.get(key)
    if (reason !== undefined) throw fault(`/${key}`, `${reason}.`)
    const wrong = known.get(key)?.(value)
    if (wrong !== undefined) throw fault(`/${pointerStep(key)}`, `${wrong}, not ${shown(value)}.`)
  }
  checkChoices(body.n, choicesMax)
  checkLogprobs(body.logprobs, isChat)
  if (body.model === undefined || body.model === null) throw fault('/model', 'is missing; GET /v1/models lists the names.')
}

function checkChoices (n: unknown, choicesMax: number): void {
  if (n === undefined || n === null) return
  const wrong = integer(1)(n)
  if (wrong !== undefined) throw fault('/n', `${wrong}, not ${shown(n)}.`)
  if ((n as number) > choicesMax) throw tooLarge('/n', `asks for more than ${choicesMax} answers at once; ask several times.`)
}

/** In a chat whether, in a completion how many. */
function checkLogprobs (value: unknown, isChat: boolean): void {
  if (value === undefined || value === null) return
  const wrong = isChat ? bool(value) : integer(-1, 100_000)(value)
  if (wrong !== undefined) throw fault('/logprobs', `${wrong}${isChat ? '; top_logprobs says how many' : ''}.`)
}

/** C0, C1 and DEL. */
function hasControl (value: string): boolean {
  for (let at = 0; at < value.length; at++) {
    const code = value.charCodeAt(at)
    if (code < 0x20 || (code >= 0x7f && code <= 0x9f)) return true
  }
  return false
}

/** A key as one step of a JSON pointer. */
function pointerStep (key: string): string {
  return key.slice(0, 80).replaceAll('~', '~0').replaceAll('/', '~1')
}
