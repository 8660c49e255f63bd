/**
 * Reads settings once, at start; refuses to start on wrong ones, and names all faults at once.
 * Every setting may also be written VIVA_NAME, which wins; an unknown VIVA_… is a typo and a fault.
 */
import { Type, type Static, type TObject, type TSchema } from 'typebox'
import { faultsOf } from '../contracts/validate.ts'

/** What a process needs whatever it serves. */
export const HouseConfig = Type.Object({
  HOST: Type.String({ default: '127.0.0.1', description: 'Address to listen on. Another than loopback needs API_KEYS, or ALLOW_OPEN=1.' }),
  PORT: Type.Optional(Type.Integer({ minimum: 0, maximum: 65535, description: '8080 for the suite, 4101 to 4105 for a service alone; 0 takes any free port.' })),
  DATA_DIR: Type.String({ minLength: 1, default: './data', description: 'Where the embedded stores and files are.' }),
  MONGO_URL: Type.Optional(Type.String({ writeOnly: true, description: 'Keeps documents in MongoDB instead of DATA_DIR, for example mongodb://user:password@host:27017/viva?authSource=admin: one database a service, viva-parsing and so on.' })),
  NATS_URL: Type.Optional(Type.String({ writeOnly: true, description: 'NATS server with JetStream that carries events and wake-ups between processes: nats://host:4222, nats://user:password@host:4222, nats://token@host, tls://…; the servers of a cluster separated by commas. Without it they stay in this process.' })),
  NATS_CREDS: Type.Optional(Type.String({ description: 'File with NATS credentials (JWT and seed) or with a token, instead of those in NATS_URL.' })),
  NATS_PREFIX: Type.String({ pattern: '^[A-Za-z0-9_-]{1,32}$', default: 'viva', description: 'Name of the stream and of its subjects; another for each installation that shares a NATS.' }),
  PARSING_URL: Type.String({ format: 'addresses', default: 'http://127.0.0.1:4101', description: 'Where parsing is, when not in this process. Here and below: one address, or those of up to 16 replicas, separated by commas.' }),
  GENERATION_URL: Type.String({ format: 'addresses', default: 'http://127.0.0.1:4102' }),
  REVIEWING_URL: Type.String({ format: 'addresses', default: 'http://127.0.0.1:4103' }),
  INFERENCE_URL: Type.String({ format: 'addresses', default: 'http://127.0.0.1:4104' }),
  SCORING_URL: Type.String({ format: 'addresses', default: 'http://127.0.0.1:4105' }),
  S3_URL: Type.Optional(Type.String({ description: 'Bucket for files of services on several hosts, https://host[:port]/bucket[/prefix]; without it they are in DATA_DIR.' })),
  AWS_REGION: Type.String({ default: 'us-east-1', description: 'Of the bucket; most stores but AWS take any.' }),
  AWS_ACCESS_KEY_ID: Type.Optional(Type.String({ writeOnly: true, minLength: 1, description: 'Keys of the bucket; without them, from where the tools of AWS look: profile, web identity, container, instance.' })),
  AWS_SECRET_ACCESS_KEY: Type.Optional(Type.String({ writeOnly: true, minLength: 1 })),
  AWS_SESSION_TOKEN: Type.Optional(Type.String({ writeOnly: true, minLength: 1 })),
  API_KEYS: Type.String({ writeOnly: true, default: '', description: 'name:role:sha256 of the key, separated by commas; roles: reader, writer, admin.' }),
  SERVICE_KEY: Type.Optional(Type.String({ writeOnly: true, minLength: 16, description: 'Key the services of several processes show each other.' })),
  ALLOW_OPEN: Type.Enum(['0', '1'], { default: '0', description: '1: listen beyond loopback without keys.' }),
  RATE_PER_MINUTE: Type.Integer({ minimum: 0, default: 60000, description: 'Requests a minute from one address; 0 = no limit. Behind the front door, which limits its callers, set 0: services see all requests come from the door.' }),
  REQUESTS_MAX: Type.Integer({ minimum: 10, default: 1000, description: 'Requests of others a process has in hand at once, long polls included; further ones get 503 with Retry-After. Health and metrics always answer.' }),
  QUEUE_MAX: Type.Integer({ minimum: 1, default: 100000, description: 'Tasks waiting and jobs open of one service, beyond which it opens no new job (503 with Retry-After) and plans none. 100,000 tasks are about 100 MB of store.' }),
  LOG_LEVEL: Type.Enum(['silent', 'fatal', 'error', 'warn', 'info', 'debug'], { default: 'info' }),
  STORE_SYNC: Type.Enum(['normal', 'full'], { default: 'normal', description: 'full: also safe against power loss, slower.' })
})
export type HouseConfig = Static<typeof HouseConfig>
export type S3Settings = { S3_URL: string } &
  Pick<HouseConfig, 'AWS_REGION' | 'AWS_ACCESS_KEY_ID' | 'AWS_SECRET_ACCESS_KEY' | 'AWS_SESSION_TOKEN'>

/** Known to tests and benches only; named so that it is not taken for a typo. */
const otherNames = ['VIVA_CORPUS', 'VIVA_CACHE']

/**
 * Of single services and of the front door: one file of settings serves all processes, so each knows
 * the names of the others' and leaves the values to them. A test holds this list equal to the code.
 */
export const settingsElsewhere: readonly string[] = [
  'DOOR_TIMEOUT_MS', 'FETCH_ALLOW', 'PARSER_ENGINES', 'PARSING_PROCESSES', 'PARSING_TIMEOUT_MS',
  'PARSING_MEMORY_MB', 'PARSING_OUTPUT_MB', 'PARSING_PAGES_MAX', 'PARSING_OCR_PAGES_MAX',
  'PARSING_OCR_TIMEOUT_MS', 'PARSING_OCR_MEMORY_MB', 'PARSING_OCR_LANGUAGES', 'PARSING_UPLOAD_MB',
  'PARSING_DOCUMENTS_PER_PROCESS', 'GENERATION_PLACES_AT_ONCE', 'GENERATION_TIMEOUT_MS',
  'GENERATION_CALLS_AT_ONCE', 'GENERATION_COMPLETION_TIMEOUT_MS', 'GENERATION_IMPORT_TIMEOUT_MS',
  'REVIEWING_PAPERS_AT_ONCE', 'UPSTREAMS',
  'INFERENCE_CONNECT_TIMEOUT_MS', 'INFERENCE_QUEUE_TIMEOUT_MS', 'INFERENCE_FIRST_BYTE_TIMEOUT_MS',
  'INFERENCE_TOTAL_TIMEOUT_MS', 'INFERENCE_QUEUE_MAX', 'INFERENCE_QUEUE_MB', 'INFERENCE_BODY_MB',
  'INFERENCE_CACHE_MB', 'INFERENCE_IDLE_TIMEOUT_MS', 'OTEL_EXPORTER_OTLP_ENDPOINT',
  'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'LOG_PROMPTS', 'SCORING_PREDICTIONS_AT_ONCE',
  'INFERENCE_IMAGES_MAX', 'INFERENCE_IMAGE_MB', 'INFERENCE_IMAGE_MEGAPIXELS', 'INFERENCE_MEDIA',
  'INFERENCE_MEDIA_HOSTS', 'INFERENCE_PROBE_INTERVAL_MS', 'INFERENCE_PROBE_TIMEOUT_MS',
  'INFERENCE_SCRAPE_INTERVAL_MS', 'INFERENCE_UPSTREAMS_REFRESH_MS', 'SCORING_COMPLETION_TIMEOUT_MS',
  'REVIEWING_UNITS_AT_ONCE', 'REVIEWING_COMPLETION_TIMEOUT_MS'
]

export type Env = Record<string, string | undefined>

/**
 * Settings of all `schemas`, in their order.
 *
 * @throws Error whose message names every fault on a line of its own
 */
export function readConfigs<S extends readonly TObject[]> (
  schemas: readonly [...S], env: Env
): { [K in keyof S]: Static<S[K]> } {
  const own = schemas.flatMap(({ properties }) => Object.keys(properties))
  const known = new Set([...settingsElsewhere, ...own])
  const faults = Object.keys(env)
    .filter(name => name.startsWith('VIVA_') && !otherNames.includes(name))
    .filter(name => !/^VIVA_SIM_/.test(name) && !known.has(name.slice(5)))
    .map(name => `${name} is not a setting of Viva`)
  const configs = schemas.map(schema => readOne(schema, env, faults))
  if (faults.length > 0) {
    throw new Error(`Cannot start, wrong settings:\n${faults.map(fault => `  ${fault}`).join('\n')}`)
  }
  return configs as { [K in keyof S]: Static<S[K]> }
}

function readOne (schema: TObject, env: Env, faults: string[]): unknown {
  const given: Record<string, unknown> = {}
  for (const [name, property] of Object.entries(schema.properties)) {
    const text = env[`VIVA_${name}`] ?? env[name]
    // An empty variable is how a compose file says "not set".
    if (text === undefined || text === '') continue
    given[name] = convert(property, text)
  }
  for (const { path, message } of faultsOf(schema, given)) {
    const name = path.slice(1)
    // A secret that is wrong is still one, and this message ends up in logs.
    const isSecret = (schema.properties[name] as { writeOnly?: boolean } | undefined)?.writeOnly === true
    const shown = JSON.stringify(given[name] ?? null).replace(/\/\/[^/@]*@/g, '//…@')
    const got = isSecret ? 'a value that is not shown' : shown
    faults.push(`${name} ${message}, got ${got}`)
  }
  return Object.freeze(given)
}

/** Numbers and booleans from text; what is not one stays text and fails the check by name. */
function convert (property: TSchema, text: string): unknown {
  const { type } = property as { type?: string }
  if ((type === 'integer' || type === 'number') && /^-?\d+(\.\d+)?$/.test(text)) return Number(text)
  if (type === 'boolean' && /^(true|false)$/.test(text)) return text === 'true'
  return text
}
