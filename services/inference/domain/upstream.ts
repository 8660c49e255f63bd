/** Model servers as data: who they are and what they serve. */
import { faultsOf } from '../../../shared/contracts/validate.ts'
import { isObject } from './json-object.ts'
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
  if (!isObject(entry)) {
    throw new Error('UPSTREAMS: every entry of the list is an object {name, baseUrl, …}')
  }
  const given = entry as Partial<Upstream>
  const { name } = given
  if (typeof name !== 'string' || !upstreamName.test(name)) {
    throw new Error(`UPSTREAMS: "${String(name).slice(0, 12)}" is not a name of letters, digits, dots and hyphens`)
  }
  const [wrong] = faultsOf(NewUpstream, entry)
  if (wrong !== undefined) throw new Error(`UPSTREAMS: ${wrong.path.slice(1) || 'a member'} of ${name} ${wrong.message}`)
  const { upstream, faults } = checkUpstream({ ...given as Upstream, capabilities: given.capabilities ?? [] }, 'environment')
  if (faults[0] !== undefined) throw new Error(`UPSTREAMS: ${faults[0].pointer.slice(1)} of ${name} ${faults[0].detail}`)
  return upstream
}
