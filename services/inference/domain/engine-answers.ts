/** What the answers to a probe say about a model server. */
import type { Engine, Probe, ServedModel } from './replica.ts'
import type { Upstream } from './upstream.ts'

/** What one GET came to: an answer, or why there is none. */
export type Said = { status: number, body: string } | {
  fault: string
  /** Whether it is certain: a port nobody listens on is; silence may be a busy moment. */
  sure: boolean
}

export interface Answers {
  models: Said
  version: Said
  health: Said
  /** Null: was not asked. */
  sleeping: Said | null
  props: Said | null
}

export type ProbeReading =
  | { ok: true, probe: Probe }
  | { ok: false, detail: string, sure: boolean }

/** Of one server; more are left out, and a warning says so. */
export const servedModelsMax = 1000
const modelCharsMax = 300

/** Since 0.6 every vLLM constrains output to a schema, under whatever name. */
const constrainingSince = [0, 6] as const

/** vLLM answers this path; no other engine we know does. */
export function versionIn (said: Said): string | null {
  const version = memberOf(jsonOf(said), 'version')
  return typeof version === 'string' && /^v?\d{1,4}\.\d{1,4}/.test(version) ? version.slice(0, 100) : null
}

/**
 * Up with what it serves, asleep, or why it counts as down.
 *
 * @param upstream  where it declares its models, a server need not list them
 */
export function readProbe (upstream: Upstream, answers: Answers): ProbeReading {
  const { models: listed, health } = answers
  if ('fault' in listed) return { ok: false, detail: listed.fault, sure: listed.sure }
  if (listed.status === 401 || listed.status === 403) {
    return down(`does not accept the key it is sent (GET /v1/models: ${listed.status}); check apiKeyEnv`)
  }
  if ('status' in health && health.status >= 500 && health.status !== 501) {
    return down(`is loading its model, or its engine is dead (GET /health: ${health.status})`)
  }
  const version = versionIn(answers.version)
  if (version !== null && 'fault' in health) return { ok: false, detail: health.fault, sure: health.sure }
  const models = listed.status === 200 ? modelsIn(listed) : undefined
  const unlisted = [404, 405, 501].includes(listed.status) && upstream.models !== undefined
  if (models === undefined && !unlisted) {
    return down(listed.status === 200 || listed.status === 404
      ? `lists no models at GET /v1/models; is ${upstream.baseUrl} really a model server?`
      : `cannot list its models (GET /v1/models: ${listed.status})`)
  }
  const engine = engineOf(answers, version)
  const props = engine === 'llama.cpp' && answers.props !== null ? jsonOf(answers.props) : undefined
  const found = foundIn({ engine, version, props })
  const asleep = answers.sleeping !== null && memberOf(jsonOf(answers.sleeping), 'is_sleeping') === true
  return {
    ok: true,
    probe: {
      state: asleep ? 'sleeping' : 'up',
      version,
      engine,
      ...buildOf(props),
      models: withContext(models ?? declaredIn(upstream), props),
      capabilities: [...new Set([...upstream.capabilities, ...found])].sort(),
      found,
      detail: null
    }
  }
}

/** Where a server has no list, what is declared stands for it. */
function declaredIn ({ models = [] }: Upstream): ServedModel[] {
  return models.map(id => ({ id, contextTokens: null }))
}

interface Told { engine: Engine, version: string | null, props: unknown }

/** What the engine tells of its capabilities, without being asked to answer anything. */
function foundIn ({ engine, version, props }: Told): string[] {
  if (engine === 'vllm') return isSince(version) ? ['structured-output'] : []
  if (engine === 'other') return []
  const modalities = memberOf(props, 'modalities')
  return ['structured-output', ...['vision', 'audio'].filter(each => memberOf(modalities, each) === true)]
}

function down (detail: string): ProbeReading {
  return { ok: false, detail, sure: true }
}

function engineOf ({ models, props }: Answers, version: string | null): Engine {
  if (version !== null) return 'vllm'
  const owners = listIn(models).map(each => memberOf(each, 'owned_by'))
  if (owners.includes('llamacpp')) return 'llama.cpp'
  const settings = props === null ? undefined : memberOf(jsonOf(props), 'default_generation_settings')
  return settings === undefined ? 'other' : 'llama.cpp'
}

/** Undefined where the answer is no list; entries that are none are left out, a name twice counts once. */
function modelsIn (said: Said): ServedModel[] | undefined {
  if (!Array.isArray(memberOf(jsonOf(said), 'data'))) return undefined
  const models = new Map<string, ServedModel>()
  for (const entry of listIn(said)) {
    const id = memberOf(entry, 'id')
    if (typeof id !== 'string' || id === '' || id.length > modelCharsMax || models.has(id)) continue
    // One more than counts: its presence says that the list was longer.
    if (models.size > servedModelsMax) break
    const parent = memberOf(entry, 'parent')
    const capabilities = memberOf(entry, 'capabilities')
    models.set(id, {
      id,
      contextTokens: wholeOf(memberOf(entry, 'max_model_len')),
      ...typeof parent === 'string' && { parent: parent.slice(0, modelCharsMax) },
      // Another proxy of this kind says what its models can do.
      ...isTexts(capabilities) && { capabilities: capabilities.slice(0, 40) }
    })
  }
  return [...models.values()]
}

function withContext (models: readonly ServedModel[], props: unknown): ServedModel[] {
  const contextTokens = wholeOf(memberOf(memberOf(props, 'default_generation_settings'), 'n_ctx'))
  return models.map(model => ({ ...model, contextTokens: model.contextTokens ?? contextTokens }))
}

function buildOf (props: unknown): { build?: string } {
  const build = memberOf(props, 'build_info')
  return typeof build === 'string' ? { build: build.slice(0, 100) } : {}
}

function isSince (version: string | null): boolean {
  const [, major, minor] = /^v?(\d{1,4})\.(\d{1,4})/.exec(version ?? '') ?? []
  if (major === undefined) return false
  return Number(major) > constrainingSince[0] || Number(minor) >= constrainingSince[1]
}

function listIn (said: Said): unknown[] {
  const data = memberOf(jsonOf(said), 'data')
  return Array.isArray(data) ? data : []
}

/** Of an answer with 200; undefined for everything else. */
export function jsonOf (said: Said): unknown {
  if ('fault' in said || said.status !== 200) return undefined
  try { return JSON.parse(said.body) } catch { return undefined }
}

/** A member of its own; undefined where there is none. */
export function memberOf (value: unknown, name: string): unknown {
  return value !== null && typeof value === 'object' && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined
}

function wholeOf (value: unknown): number | null {
  return Number.isSafeInteger(value) && (value as number) > 0 ? value as number : null
}

function isTexts (value: unknown): value is string[] {
  return Array.isArray(value) && value.every(each => typeof each === 'string' && each.length <= 40)
}
