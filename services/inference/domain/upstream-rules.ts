/** What an upstream may be: its form, and the rules that a form cannot say. */
import { Type } from 'typebox'
import type { FieldError } from '../../../shared/errors/problem.ts'
import { isMetadataAddress } from '../../../shared/net/metadata.ts'
import { pointerStep } from './field-fault.ts'
import type { Upstream } from './upstream.ts'

export const upstreamsMax = 200

const ModelName = Type.String({ minLength: 1, maxLength: 300 })
const Capability = Type.String({ pattern: '^[a-z][a-z0-9-]{0,39}$' })

/** Members of an upstream but its name, none of them needed; as an administrator or UPSTREAMS gives them. */
export const upstreamFields = {
  baseUrl: Type.String({ minLength: 1, maxLength: 2048, description: 'http or https, without user, password and query; /v1 at the end may be left out.', examples: ['http://gpu-1:8000'] }),
  models: Type.Array(ModelName, { maxItems: 1000, uniqueItems: true, description: 'Only these are offered; absent: whatever the server lists.' }),
  aliases: Type.Record(ModelName, ModelName, { maxProperties: 200, description: 'Name that callers may use → name the server knows.' }),
  slots: Type.Integer({ minimum: 1, maximum: 10000, description: 'Most calls in flight there; absent: found by adapting.' }),
  weight: Type.Number({ minimum: 0.01, maximum: 1000, description: 'Share of the load relative to others, 1 where absent.' }),
  capabilities: Type.Array(Capability, { maxItems: 40, uniqueItems: true, description: 'Declared: vision, reasoning, structured-output, embeddings, tools, … Declared ones count, whatever probing finds.' }),
  contextTokens: Type.Integer({ minimum: 1, maximum: 100_000_000, description: 'Context length, where the server does not tell it.' }),
  apiKeyEnv: Type.String({ maxLength: 100, description: 'Name of the environment variable that holds the server\'s key: UPSTREAM_…_KEY or UPSTREAM_…_TOKEN. Never the key.', examples: ['UPSTREAM_LAB_KEY'] }),
  draining: Type.Boolean({ description: 'Gets no new calls; those under way end.' })
}

export const upstreamName = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,59}$/
export const UpstreamName = Type.String({ pattern: upstreamName.source, description: 'Letters, digits, dots, hyphens.', examples: ['lab'] })

const { baseUrl, ...others } = upstreamFields
type OptionalFields = { [K in keyof typeof others]: ReturnType<typeof Type.Optional<(typeof others)[K]>> }
const optionalFields = Object.fromEntries(Object.entries(others)
  .map(([name, schema]) => [name, Type.Optional(schema)])) as OptionalFields

/** A new upstream. */
export const NewUpstream = Type.Object({
  name: UpstreamName,
  baseUrl,
  ...optionalFields
}, {
  $id: 'NewUpstream',
  additionalProperties: false,
  examples: [{ name: 'lab', baseUrl: 'http://127.0.0.1:8000', aliases: { default: 'my-model' } }]
})

/** Who wrote it: the environment is the operator's own, the store what somebody sent with a key. */
export type Source = 'environment' | 'store'

/**
 * A base URL in its one form: no slash and no /v1 at its end.
 *
 * @throws Error that says what is wrong with it, and not what may be secret in it
 */
export function normalBaseUrl (text: string): string {
  // A URL parser drops these in silence; no address that is meant well has them.
  if (/[\s\p{C}\\]/u.test(text) || !URL.canParse(text)) throw new Error('is not a URL such as http://gpu-1:8000')
  const url = new URL(text)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new Error('needs http or https')
  // It would not be sent, and would stand in every message that names the server.
  if (url.username !== '' || url.password !== '') throw new Error('holds a user or a password; name the variable with the key in apiKeyEnv instead')
  if (url.search !== '' || url.hash !== '' || /[?#]/.test(text)) throw new Error('has a query or a fragment, which a base URL cannot have')
  url.hostname = url.hostname.replace(/\.+$/, '')
  if (isMetadataAddress(url.hostname.replace(/^\[|\]$/g, ''))) {
    throw new Error('leads to a link-local address, where clouds hand out secrets; name the server by another address')
  }
  return url.href.replace(/\/+$/, '').replace(/\/v1$/, '').replace(/\/+$/, '')
}

export interface Checked { upstream: Upstream, faults: FieldError[] }

/** Secrets of the house itself; a model server is not to see them, whoever asks for it. */
const houseSecret = /^(VIVA_)?(API_KEYS|SERVICE_KEY|MONGO_URL|NATS_URL|NATS_CREDS|AWS_.*)$/i
/** Variables that exist to hold keys of upstreams, and nothing else's. */
const upstreamSecret = /^UPSTREAM_[A-Z0-9_]{1,80}_(KEY|TOKEN)$/

/**
 * The upstream with its URL in normal form, and what the schema cannot check of it. Whoever may add an
 * upstream chooses where a key is sent: through the API only variables made for that can be named.
 *
 * @returns faults, at pointers from the upstream's root; the upstream counts only where there are none
 */
export function checkUpstream (upstream: Upstream, source: Source): Checked {
  const faults: FieldError[] = []
  const { aliases = {}, apiKeyEnv } = upstream
  let { baseUrl } = upstream
  try { baseUrl = normalBaseUrl(baseUrl) } catch (cause) {
    faults.push({ pointer: '/baseUrl', detail: (cause as Error).message })
  }
  for (const [alias, served] of Object.entries(aliases)) {
    if (!Object.hasOwn(aliases, served)) continue
    const detail = `"${alias}" leads to "${served}", which is an alias itself; an alias names what the server knows`
    faults.push({ pointer: `/aliases/${pointerStep(alias)}`, detail })
  }
  if (apiKeyEnv !== undefined && !mayHoldKey(apiKeyEnv, source)) {
    faults.push({ pointer: '/apiKeyEnv', detail: source === 'store' ? 'is not of the form UPSTREAM_…_KEY or UPSTREAM_…_TOKEN; only such variables are sent to servers named through the API' : 'is no name of a variable for a key of a model server' })
  }
  return { upstream: { ...upstream, baseUrl }, faults }
}

function mayHoldKey (name: string, source: Source): boolean {
  if (source === 'store') return upstreamSecret.test(name)
  return /^[A-Za-z_]\w*$/.test(name) && !houseSecret.test(name)
}
