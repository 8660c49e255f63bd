/** What changed between versions of vLLM that somebody in front of it can see. */
import { before, type Version } from './options.ts'

export interface Dialect {
  version: Version
  /** Errors in `{error: {…}}`; older ones are flat. */
  nestedErrors: boolean
  /** Obeys guided_json, guided_regex, …; newer ones ignore them without a word. */
  guided: boolean
  /** Obeys structured_outputs. */
  structured: boolean
  /** Names a chain of thought is given under; none: it stands in the text, in think tags. */
  reasoningNames: ReadonlyArray<'reasoning' | 'reasoning_content'>
  reasoningTokens: boolean
  /** V0: rejects priority, has gpu_* metrics and swapping. */
  legacyEngine: boolean
  /** Refuses with 503 when --max-num-queued-reqs is reached. */
  admission: boolean
  admissionMetric: boolean
  waitingByReason: boolean
  sleepRoutes: boolean
  /** Answer to a body that is not application/json. */
  mediaTypeStatus: 400 | 500
  /** Type of an error that pydantic finds. */
  validationType: 'BadRequestError' | 'Bad Request'
  /** Fields with null in answers grew over time. */
  wideMessages: boolean
  unreachableMediaStatus: 422 | 400 | 500
  /** As 0.32 was seen to do: more fields, refusals that name field and value, room taken where there is. */
  recent: boolean
}

export function dialectOf (version: Version): Dialect {
  const since = (first: string) => !before(version, first)
  return {
    version,
    nestedErrors: since('0.10.1'),
    guided: !since('0.12.0'),
    structured: since('0.10.2'),
    reasoningNames: reasoningNames(version),
    reasoningTokens: since('0.29.0'),
    legacyEngine: !since('0.8.0'),
    admission: since('0.29.0'),
    admissionMetric: since('0.32.0'),
    waitingByReason: since('0.29.0'),
    sleepRoutes: since('0.7.0'),
    mediaTypeStatus: since('0.9.0') ? 400 : 500,
    validationType: since('0.10.0') ? 'Bad Request' : 'BadRequestError',
    wideMessages: since('0.10.0'),
    recent: since('0.32.0'),
    unreachableMediaStatus: since('0.29.0') ? 422 : since('0.9.0') ? 400 : 500
  }
}

function reasoningNames (version: Version): Dialect['reasoningNames'] {
  if (before(version, '0.7.0')) return []
  if (before(version, '0.12.0')) return ['reasoning_content']
  if (before(version, '0.16.0')) return ['reasoning', 'reasoning_content']
  return ['reasoning']
}

/** A refusal or failure as the server words it. */
export class Refusal extends Error {
  readonly status: number
  readonly type: string
  readonly param: string | null

  constructor (status: number, message: string, details: { type?: string, param?: string | null } = {}) {
    super(message)
    const { type, param = null } = details
    this.name = 'Refusal'
    this.status = status
    this.type = type ?? typeOfStatus[status] ?? 'InternalServerError'
    this.param = param
  }
}

const typeOfStatus: Record<number, string> = {
  400: 'BadRequestError',
  404: 'NotFoundError',
  415: 'Unsupported Media Type',
  422: 'UnprocessableEntityError',
  429: 'RateLimitError',
  500: 'InternalServerError',
  501: 'NotImplementedError',
  503: 'Service Unavailable'
}

interface Said { message: string, type: string, param: string | null, code: number }

/** The body of an error; nested since 0.10.1. */
export function errorBody ({ nestedErrors }: Dialect, refusal: Refusal): object {
  const { message, type, param, status: code } = refusal
  const said: Said = { message, type, param, code }
  return nestedErrors ? { error: said } : { object: 'error', ...said }
}

/** An error after the headers are gone; before 0.10.1 its inner object is the flat one. */
export function errorFrame (dialect: Dialect, refusal: Refusal): object {
  const body = errorBody(dialect, refusal)
  return dialect.nestedErrors ? body : { error: body }
}

/** @param asked max_tokens, or null when the request names none */
export function contextRefusal (
  { version }: Dialect, { limit, prompt, asked }: { limit: number, prompt: number, asked: number | null }
): Refusal {
  const total = prompt + (asked ?? 0)
  if (before(version, '0.29.0') && prompt > limit) {
    return new Refusal(400, before(version, '0.9.0')
      ? `This model's maximum context length is ${limit} tokens. However, you requested ${total} tokens in the messages, Please reduce the length of the messages.`
      : `This model's maximum context length is ${limit} tokens. However, your request has ${prompt} input tokens. Please reduce the length of the input messages.`)
  }
  if (before(version, '0.10.0')) {
    return new Refusal(400, `This model's maximum context length is ${limit} tokens. However, you requested ${total} tokens (${prompt} in the messages, ${asked ?? 0} in the completion). Please reduce the length of the messages or completion.`)
  }
  if (before(version, '0.29.0')) {
    return new Refusal(400, `'max_tokens' or 'max_completion_tokens' is too large: ${asked ?? 0}. This model's maximum context length is ${limit} tokens and your request has ${prompt} input tokens (${asked ?? 0} > ${limit} - ${prompt}).`)
  }
  const output = asked ?? 0
  if (!before(version, '0.32.0') && output > limit) {
    return new Refusal(400, `max_tokens=${output} cannot be greater than max_model_len=${limit}. Please request fewer output tokens. (parameter=max_tokens, value=${output})`, { param: 'max_tokens' })
  }
  const message = before(version, '0.32.0')
    ? `You passed ${prompt} input tokens and requested ${output} output tokens. However, the model's context length is only ${limit} tokens, resulting in a maximum input length of ${Math.max(0, limit - output)} tokens. Please reduce the length of the input prompt. (parameter=input_tokens, value=${prompt})`
    : `This model's maximum context length is ${limit} tokens. However, you requested ${output} output tokens and your prompt contains at least ${prompt} input tokens, for a total of at least ${total} tokens. Please reduce the length of the input prompt or the number of requested output tokens. (parameter=input_tokens, value=${prompt})`
  return new Refusal(400, message, { param: 'input_tokens' })
}

/** A text is so long that it need not be counted: 0.32 says so in characters. */
export function longTextRefusal (limit: number, letters: number): Refusal {
  const most = limit * 4
  return new Refusal(400, `This model's maximum context length is ${limit} tokens. However, your prompt contains ${letters} characters (more than ${most} characters, which is the upper bound for ${limit} input tokens). Please reduce the length of the input prompt. (parameter=input_text, value=${letters})`, { param: 'input_text' })
}

/** @param limit 0: a model without eyes */
export function imageLimitRefusal (
  { version }: Dialect, { limit, model }: { limit: number, model: string }
): Refusal {
  if (limit === 0 && !before(version, '0.9.0')) return new Refusal(400, `${model} is not a multimodal model`)
  const place = before(version, '0.10.0') ? 'request' : 'prompt'
  const hint = before(version, '0.9.0')
    ? ''
    : ' You can set `--limit-mm-per-prompt` to increase this limit if the model supports it.'
  return new Refusal(400, `At most ${limit} image(s) may be provided in one ${place}.${hint}`)
}

export const busyRefusal = () => new Refusal(503,
  'The engine is currently busy and cannot accept new requests. Please retry later.')
