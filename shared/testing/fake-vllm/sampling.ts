/** Checks of sampling fields, in vLLM's words, and readers of loosely typed fields. */
import { Refusal, type Dialect } from './dialect.ts'
import { before } from './options.ts'

type Body = Record<string, unknown>

export const flag = (value: unknown): boolean => value === true
export const whole = (value: unknown): number | null => typeof value === 'number' && Number.isInteger(value) ? value : null
export const list = (value: unknown): string[] => typeof value === 'string'
  ? [value]
  : Array.isArray(value) ? value.filter(each => typeof each === 'string') : []

interface Finding { type: string, msg: string, input: unknown }

/** What pydantic finds, which vLLM answers with 400. */
export function pydantic (
  { validationType, recent }: Dialect, loc: ReadonlyArray<string | number>, found: Finding
): Refusal {
  const { type, msg, input } = found
  if (recent) {
    const place = loc.join('.')
    return new Refusal(400, `1 validation error:\n  {'type': '${type}', 'loc': '${place}', 'msg': '${msg}', 'input': '${briefly(input)}'}`, {
      type: validationType, param: place
    })
  }
  const where = `(${loc.map(part => typeof part === 'string' ? `'${part}'` : part).join(', ')}${loc.length === 1 ? ',' : ''})`
  const seen = String(JSON.stringify(input)).slice(0, 500)
  return new Refusal(400, `1 validation error:\n  {'type': '${type}', 'loc': ${where}, 'msg': '${msg}', 'input': ${seen}}`, {
    type: validationType, param: validationType === 'Bad Request' ? String(loc.at(-1)) : null
  })
}

/** Recent versions do not repeat what they were sent. */
function briefly (input: unknown): string {
  if (Array.isArray(input)) return `<list of ${input.length} items>`
  if (input === null || input === undefined) return 'None'
  return typeof input === 'object' ? `<dict of ${Object.keys(input).length} items>` : String(input).slice(0, 100)
}

const integers = ['top_k', 'max_tokens', 'max_completion_tokens', 'n', 'seed', 'min_tokens', 'top_logprobs']
const formats = ['text', 'json_object', 'json_schema', 'structural_tag']

const numbers = ['temperature', 'top_p', 'top_k', 'min_p', 'presence_penalty', 'frequency_penalty',
  'repetition_penalty', 'max_tokens', 'max_completion_tokens', 'n', 'seed', 'min_tokens', 'top_logprobs'] as const

/** @throws Refusal for the first field that vLLM would refuse */
export function checkSampling (body: Body, dialect: Dialect): void {
  for (const name of numbers) {
    const value = body[name]
    if (value === undefined || value === null) continue
    if (typeof value === 'number') {
      if (Number.isInteger(value) || !integers.includes(name)) continue
      throw pydantic(dialect, ['body', name], {
        type: 'int_from_float', msg: 'Input should be a valid integer, got a number with a fractional part', input: value
      })
    }
    throw pydantic(dialect, ['body', name], {
      type: 'float_parsing', msg: 'Input should be a valid number, unable to parse string as a number', input: value
    })
  }
  if (body.stream !== undefined && body.stream !== null && typeof body.stream !== 'boolean') {
    throw pydantic(dialect, ['body', 'stream'], {
      type: 'bool_parsing', msg: 'Input should be a valid boolean, unable to interpret input', input: body.stream
    })
  }
  const format = (body.response_format as { type?: unknown } | null | undefined)?.type
  if (format !== undefined && !formats.includes(String(format))) {
    const msg = "Input should be 'text', 'json_object' or 'json_schema'"
    throw pydantic(dialect, ['body', 'response_format', 'type'], { type: 'literal_error', msg, input: format })
  }
  checkRequest(body, dialect)
  const refused = wrongSampling(body as Partial<Record<(typeof numbers)[number], number | null>>, dialect)
  if (refused !== null) throw named(refused, dialect)
}

/** Recent versions name the field, and its value as Python prints it. */
function named (message: string, { recent }: Dialect): Refusal {
  const told = /^(\w+) must .* got (.*)\.$/.exec(message)
  if (!recent || told === null || told[1] === 'n') return new Refusal(400, message)
  const [, param = '', value = ''] = told
  const float = ['temperature', 'top_p', 'min_p'].includes(param) || param.endsWith('penalty')
  const shown = float && /^-?\d+$/.test(value) ? `${value}.0` : value
  const said = message.replace(/ got .*$/, ` got ${shown}.`)
  return new Refusal(400, `${said} (parameter=${param}, value=${shown})`, { param })
}

function checkRequest (body: Body, dialect: Dialect): void {
  const says = (message: string) => { throw new Refusal(400, message) }
  if (body.stream_options !== undefined && body.stream_options !== null && body.stream !== true) {
    if (!dialect.recent) says('Stream options can only be defined when `stream=True`.')
    const said = 'Stream options can only be defined when `stream=True`. (parameter=stream_options)'
    throw new Refusal(400, said, { param: 'stream_options' })
  }
  if (flag(body.stream) && (whole(body.prompt_logprobs) ?? 0) !== 0) {
    says('`prompt_logprobs` are not available when `stream=True`.')
  }
  if (body.messages !== undefined) {
    const top = whole(body.top_logprobs)
    if (top !== null && top < 0) says('`top_logprobs` must be a positive value.')
    if (top !== null && top > 0 && body.logprobs !== true) says('when using `top_logprobs`, `logprobs` must be set to true.')
    if ((top ?? 0) > 20) says(`Requested sample logprobs of ${String(top)}, which is greater than max allowed: 20`)
  }
  if (dialect.legacyEngine && (whole(body.priority) ?? 0) !== 0) {
    says(`Got priority ${String(body.priority)} but Priority scheduling is not enabled.`)
  }
}

type Sampled = Partial<Record<(typeof numbers)[number], number | null>>

function wrongSampling (body: Sampled, { version }: Dialect): string | null {
  const {
    temperature: heat = null, top_p: topP = null, top_k: topK = null, min_p: minP = null, n = null,
    repetition_penalty: repetition = null, min_tokens: minTokens = null
  } = body
  const most = body.max_completion_tokens ?? body.max_tokens ?? null
  if (n !== null && n < 1) return `n must be at least 1, got ${n}.`
  for (const name of ['presence_penalty', 'frequency_penalty'] as const) {
    const value = body[name] ?? null
    if (value !== null && (value < -2 || value > 2)) return `${name} must be in [-2, 2], got ${value}.`
  }
  if (repetition !== null && repetition <= 0) return `repetition_penalty must be greater than zero, got ${repetition}.`
  if (heat !== null && heat < 0) return `temperature must be non-negative, got ${heat}.`
  if (topP !== null && (topP <= 0 || topP > 1)) return `top_p must be in (0, 1], got ${topP}.`
  const old = before(version, '0.9.0')
  if (topK !== null && (topK < -1 || (topK === 0 && old))) {
    return `top_k must be ${old ? -1 : 0} (disable), or at least 1, got ${topK}.`
  }
  if (minP !== null && (minP < 0 || minP > 1)) return `min_p must be in [0, 1], got ${minP}.`
  if (most !== null && most < 1) return `max_tokens must be at least 1, got ${most}.`
  if (minTokens !== null && minTokens < 0) return `min_tokens must be greater than or equal to 0, got ${minTokens}.`
  if (minTokens !== null && most !== null && minTokens > most) {
    return `min_tokens must be less than or equal to max_tokens=${most}, got ${minTokens}.`
  }
  if (heat === 0 && (n ?? 1) > 1) return `n must be 1 when using greedy sampling, got ${String(n)}.`
  return null
}
