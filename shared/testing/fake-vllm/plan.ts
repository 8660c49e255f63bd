/** What a server does with one request, when it is not simply answered; and how that is written down. */

export interface Plan {
  /** As they were told, for the journal. */
  names: string[]
  /** Until the headers; Infinity is for good. */
  headersMs?: number
  /** From the headers to the first byte of the body. */
  firstMs?: number
  stall?: { after: number, ms: number }
  /** Tokens per second. */
  rate?: number
  split?: 'bytes' | 'utf8' | 'crlf'
  /** Events in one write. */
  merge?: number
  bigChunk?: number
  manyEmpty?: number
  /** How the answer breaks off, after so many tokens; null is half of it. */
  cut?: { how: 'rst' | 'fin', after: number | null }
  noDone?: boolean
  noFinish?: boolean
  errFrame?: { after: number, code: number }
  errFirst?: 'error' | 'done'
  badJson?: number
  badPrefix?: boolean
  crlfLines?: boolean
  commentPing?: boolean
  unterminated?: number
  html?: boolean
  jsonTail?: number
  usage?: 'dup' | 'in_choice' | 'zero' | 'continuous' | 'none'
  status?: { code: number, body: string | null, message: string }
  retryAfter?: string
  storm?: { ms: number, share: number }
  refuseMs?: number
  die?: boolean
  contextLength?: boolean
  resetIdle?: boolean
  halfHeaders?: number
  informational?: boolean
  gzip?: boolean
  oversizeHeaders?: number
  wrongLength?: 'more' | 'less'
  metrics?: { fault: string, ms: number }
  sleep?: boolean
  wake?: boolean
  loraAdd?: string
  schemaViolation?: boolean
  slowReaderProbe?: number
  hangUp?: boolean
}

type Made = Omit<Plan, 'names'>
type Reader = (args: readonly string[]) => Made

const number = (text: string | undefined, otherwise: number): number => {
  if (text === undefined || text === '') return otherwise
  if (text === 'never') return Infinity
  const value = Number(text)
  if (Number.isNaN(value)) throw new Error(`"${text}" is not a number; write for example slow_first:200, or never`)
  return value
}

const scripts: Record<string, Reader> = {
  ok: () => ({}),
  never: () => ({ headersMs: Infinity }),
  slow_headers: ([ms]) => ({ headersMs: number(ms, 1000) }),
  slow_first: ([ms]) => ({ firstMs: number(ms, 1000) }),
  stall: ([after, ms]) => ({ stall: { after: number(after, 1), ms: number(ms, 1000) } }),
  rate: ([perS]) => ({ rate: number(perS, 10) }),
  split: ([how = '1']) => ({ split: how === 'utf8' || how === 'crlf' ? how : 'bytes' }),
  merge: ([events]) => ({ merge: number(events, 2) }),
  big_chunk: ([bytes]) => ({ bigChunk: number(bytes, 2 ** 20) }),
  many_empty: ([count]) => ({ manyEmpty: number(count, 100) }),
  rst: ([after]) => ({ cut: { how: 'rst', after: after === undefined ? null : number(after, 1) } }),
  fin: ([after]) => ({ cut: { how: 'fin', after: after === undefined ? null : number(after, 1) } }),
  no_done: () => ({ noDone: true }),
  no_finish: () => ({ noFinish: true }),
  err_frame: ([after, code]) => ({ errFrame: { after: number(after, 1), code: number(code, 500) } }),
  err_first: () => ({ errFirst: 'error' }),
  done_only: () => ({ errFirst: 'done' }),
  bad_json: ([at]) => ({ badJson: number(at, 1) }),
  bad_prefix: () => ({ badPrefix: true }),
  crlf_lines: () => ({ crlfLines: true }),
  comment_ping: () => ({ commentPing: true }),
  unterminated: ([bytes]) => ({ unterminated: number(bytes, Infinity) }),
  html_200: () => ({ html: true }),
  json_tail: ([after]) => ({ jsonTail: number(after, 1) }),
  dup_usage: () => ({ usage: 'dup' }),
  usage_in_choice_chunk: () => ({ usage: 'in_choice' }),
  usage_zero: () => ({ usage: 'zero' }),
  continuous_usage: () => ({ usage: 'continuous' }),
  no_usage: () => ({ usage: 'none' }),
  status: ([code, ...body]) => ({
    status: { code: number(code, 500), body: body.length === 0 ? null : body.join(','), message: 'as told' }
  }),
  retry_after: ([seconds = '1']) => ({ retryAfter: seconds }),
  '503_storm': ([ms, share]) => ({ storm: { ms: number(ms, 1000), share: number(share, 1) } }),
  '500_once': () => ({ status: { code: 500, body: null, message: 'EngineGenerateError' } }),
  refuse: ([ms]) => ({ refuseMs: number(ms, 1000) }),
  die: () => ({ die: true }),
  ctx_len: () => ({ contextLength: true }),
  reset_idle: () => ({ resetIdle: true }),
  half_headers: ([ms]) => ({ halfHeaders: number(ms, 0) }),
  '1xx': () => ({ informational: true }),
  gzip_body: () => ({ gzip: true }),
  oversize_headers: ([kb]) => ({ oversizeHeaders: number(kb, 64) }),
  wrong_content_length: ([how]) => ({ wrongLength: how === 'less' ? 'less' : 'more' }),
  metrics: ([fault = 'stale']) => {
    const [name = '', ms] = fault.split(':')
    return { metrics: { fault: name, ms: number(ms, 1000) } }
  },
  sleep: () => ({ sleep: true }),
  wake: () => ({ wake: true }),
  lora_add: ([name = 'lora']) => ({ loraAdd: name }),
  schema_violation: () => ({ schemaViolation: true }),
  slow_reader_probe: ([bytes]) => ({ slowReaderProbe: number(bytes, 200 * 2 ** 20) }),
  hang_up: () => ({ hangUp: true }),
  // What these were called before there was a catalogue.
  cut: () => ({ cut: { how: 'rst', after: null } }),
  'hang-up': () => ({ hangUp: true }),
  'no-done': () => ({ noDone: true }),
  html: () => ({ html: true })
}

/** The catalogue, for a reader. */
export const scriptNames: readonly string[] = Object.keys(scripts)

/**
 * Several scripts make one plan.
 *
 * @param steps  each `name` or `name:argument,argument`
 * @throws       Error that names the known ones
 */
export function planOf (steps: readonly string[]): Plan {
  const plan: Plan = { names: [] }
  for (const step of steps) {
    const text = step.trim()
    const colon = text.indexOf(':')
    const name = colon < 0 ? text : text.slice(0, colon)
    const args = colon < 0 ? [] : text.slice(colon + 1).split(',')
    const read = Object.hasOwn(scripts, name) ? scripts[name] : undefined
    if (read === undefined) throw new Error(`There is no script "${name}". There is: ${scriptNames.join(', ')}.`)
    Object.assign(plan, read(args))
    if (name !== 'ok') plan.names.push(text)
  }
  return plan
}

/** What `behave` may answer; a list is several at once. */
export type Behaviour =
  | string
  | readonly string[]
  | { slowMs: number }
  | { status: number, message?: string, retryAfter?: string }

export function planOfBehaviour (behaviour: Behaviour): Plan {
  if (typeof behaviour === 'string') return behaviour === 'ok' ? ordinary : planOf([behaviour])
  if ('slowMs' in behaviour) return { names: [`slow_headers:${behaviour.slowMs}`], headersMs: behaviour.slowMs }
  if ('status' in behaviour) {
    const { status, message = 'as told', retryAfter } = behaviour
    return {
      names: [`status:${status}`],
      status: { code: status, body: null, message },
      ...retryAfter !== undefined && { retryAfter }
    }
  }
  return planOf(behaviour)
}

/** Nothing out of the ordinary. */
export const ordinary: Plan = Object.freeze({ names: [] })
