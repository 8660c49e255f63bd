/** What an upstream says when it refuses: each version and engine has its own shape, callers see one. */
import { isObject } from '../json-object.ts'

export interface UpstreamError {
  /** Its words, at most 2,000 characters; empty where it had none. */
  message: string
  /** Its name of the fault, for example BadRequestError. */
  type: string | null
  /** The field it blames. */
  param: string | null
  code: number | string | null
  /** The prompt, or what was asked for on top of it, does not fit the model: never worth a retry. */
  contextLength: boolean
}

const wordsMax = 2000
const contextWords = /context length|maximum input length|context size|context window|max_model_len/i

/**
 * The error of a body that did not come with 2xx.
 *
 * @param status  400 and 413 may be about the context length; nothing else is
 */
export function parseUpstreamError (body: string, status: number): UpstreamError {
  let value: unknown
  try { value = JSON.parse(body) } catch { value = undefined }
  const error = errorIn(value) ?? unshaped(value === undefined ? plain(body) : '')
  const contextLength = error.contextLength && (status === 400 || status === 413)
  return { ...error, code: error.code ?? status, contextLength }
}

/**
 * The error of a parsed body or frame of a stream; undefined when it is none: a reply has `choices` or
 * `object`, and no `error`.
 */
export function errorIn (value: unknown): UpstreamError | undefined {
  if (!isObject(value)) return undefined
  const { error, object, detail, message, choices } = value
  // 401 of vLLM is {"error": "Unauthorized"}.
  if (typeof error === 'string') return unshaped(error)
  if (error !== null && typeof error === 'object') return shaped(error as Record<string, unknown>)
  // Up to 0.10.0 the error is the body itself.
  if (object === 'error') return shaped(value)
  if (choices !== undefined) return undefined
  // FastAPI: a text, or one entry for each fault.
  if (typeof detail === 'string') return unshaped(detail)
  if (Array.isArray(detail)) return fromFaults(detail)
  if (typeof message === 'string' && object === undefined) return shaped(value)
  return undefined
}

function shaped ({ message, type, param, code }: Record<string, unknown>): UpstreamError {
  const words = typeof message === 'string' ? message : message === undefined ? '' : JSON.stringify(message)
  return {
    ...unshaped(words),
    type: typeof type === 'string' ? type : null,
    param: typeof param === 'string' ? param : parameterIn(words),
    code: typeof code === 'number' ? code : typeof code !== 'string' ? null : /^\d{3}$/.test(code) ? Number(code) : code
  }
}

function unshaped (words: string): UpstreamError {
  return {
    message: words.trim().slice(0, wordsMax),
    type: null,
    param: parameterIn(words),
    code: null,
    contextLength: contextWords.test(words.slice(0, wordsMax))
  }
}

function fromFaults (faults: readonly unknown[]): UpstreamError {
  const [first] = faults as Array<{ msg?: unknown, loc?: unknown } | null>
  const place = Array.isArray(first?.loc) ? first.loc.filter(step => step !== 'body').join('.') : ''
  const error = unshaped(typeof first?.msg === 'string' ? first.msg : JSON.stringify(faults))
  return { ...error, param: place === '' ? null : place }
}

/** New vLLM writes "… (parameter=input_tokens, value=5000)". */
function parameterIn (words: string): string | null {
  return /\(parameter=(\w{1,80})/.exec(words.slice(-wordsMax))?.[1] ?? null
}

/** A page of HTML is no message; its title may be ("502 Bad Gateway"). */
function plain (body: string): string {
  const start = body.slice(0, 4096).trim()
  if (!start.startsWith('<')) return start.slice(0, 500)
  return /<title>([^<]{0,200})/i.exec(start)?.[1]?.trim() ?? ''
}
