/** Model servers as data: who they are, what they serve, and what their answers mean. */
import { faultsOf } from '../../../shared/contracts/validate.ts'
import { Problem } from '../../../shared/errors/problem.ts'
import { checkUpstream, NewUpstream, upstreamName, upstreamsMax } from './upstream-rules.ts'

export interface Upstream {
  name: string
  /** Without /v1 and without a slash at the end. */
  baseUrl: string
  /** Declared model names; absent: whatever the server lists. */
  models?: string[]
  /** Names callers may use → the name the server knows. */
  aliases?: Record<string, string>
  /** Most requests of ours in flight there; absent: found by adapting. */
  slots?: number
  /** Share of the load relative to others; default 1. */
  weight?: number
  /** For example "vision". What is neither declared nor found by probing is not assumed. */
  capabilities: string[]
  /** Context length, where the server does not tell it. */
  contextTokens?: number
  /** Gets no new requests; those under way end. */
  draining?: boolean
  /** Name of the environment variable that holds the server's key. */
  apiKeyEnv?: string
}

/**
 * @param setting  `name=url,…` or a JSON array of upstreams
 * @throws         Error that says which entry is wrong, and shows no secret
 */
export function parseUpstreams (setting: string): Upstream[] {
  const text = setting.trim()
  if (text === '') return []
  const upstreams = text.startsWith('[') ? fromJson(text) : text.split(',').map(fromPair)
  const names = upstreams.map(({ name }) => name)
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (twice !== undefined) throw new Error(`UPSTREAMS: the name ${twice} stands twice`)
  if (names.length > upstreamsMax) throw new Error(`UPSTREAMS: there are ${names.length}, at most ${upstreamsMax}`)
  return upstreams
}

function fromPair (entry: string): Upstream {
  const at = entry.indexOf('=')
  // Not the whole entry: a URL may hold a password.
  if (at < 1 || entry.slice(0, at).includes('://')) throw new Error(`UPSTREAMS: "${entry.trim().slice(0, 12)}…" is not name=url`)
  return checked({ name: entry.slice(0, at).trim(), baseUrl: entry.slice(at + 1).trim() })
}

function fromJson (text: string): Upstream[] {
  let value: unknown
  try { value = JSON.parse(text) } catch (cause) {
    throw new Error('UPSTREAMS: starts like JSON but is not', { cause })
  }
  return (value as unknown[]).map(checked)
}

function checked (entry: unknown): Upstream {
  if (entry === null || typeof entry !== 'object' || Array.isArray(entry)) {
    throw new Error('UPSTREAMS: every entry of the list is an object {name, baseUrl, …}')
  }
  const { name } = entry as Partial<Upstream>
  if (typeof name !== 'string' || !upstreamName.test(name)) {
    throw new Error(`UPSTREAMS: "${String(name).slice(0, 12)}" is not a name of letters, digits, dots and hyphens`)
  }
  const [wrong] = faultsOf(NewUpstream, entry)
  if (wrong !== undefined) throw new Error(`UPSTREAMS: ${wrong.path.slice(1) || 'a member'} of ${name} ${wrong.message}`)
  const { upstream, faults } = checkUpstream({ ...entry as Upstream, capabilities: (entry as Partial<Upstream>).capabilities ?? [] }, 'environment')
  if (faults[0] !== undefined) throw new Error(`UPSTREAMS: ${faults[0].pointer.slice(1)} of ${name} ${faults[0].detail}`)
  return upstream
}

/**
 * What a status of an upstream means to our caller: a request it refuses is the caller's to mend,
 * a key it refuses is ours, the rest passes with time.
 */
export function upstreamProblem (name: string, status: number, body: string): Problem {
  const said = messageIn(body)
  const words = said === '' ? '' : ` It said: ${said}`
  if (status === 401 || status === 403) {
    return new Problem('upstream-unauthorized', `The model server ${name} does not accept the key it is sent; check its apiKeyEnv.`)
  }
  // 502 comes from a gateway whose server is away.
  if (status === 429 || status === 502 || status === 503) {
    return new Problem('upstream-unavailable', `The model server ${name} is overloaded, starting or away (status ${status}).${words}`, { retryAfterSeconds: 2 })
  }
  if (status === 408 || status === 504) {
    return new Problem('upstream-timeout', `The model server ${name} gave up waiting (status ${status}).${words}`)
  }
  if (status >= 400 && status < 500) {
    return new Problem('upstream-refused', `The model server ${name} refused the request (status ${status}).${words}`)
  }
  return new Problem('upstream-invalid', `The model server ${name} failed (status ${status}).${words}`)
}

/** The message in an error body of any vLLM version; nested and flat forms both exist. */
function messageIn (body: string): string {
  try {
    const value = JSON.parse(body) as { message?: unknown, detail?: unknown, error?: { message?: unknown } }
    const message = value.error?.message ?? value.message ?? value.detail
    return typeof message === 'string' ? message.slice(0, 500) : ''
  } catch { return '' }
}
