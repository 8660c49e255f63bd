/** An upstream as GET shows it: what was set, what its server said, and what goes on there. */
import { Type, type Static, type TSchema } from 'typebox'
import { pageOf } from '../../../shared/contracts/page.ts'
import { warningsOf, type Finding } from './findings.ts'
import type { Replica } from './replica.ts'
import { UpstreamName, upstreamFields, type Source } from './upstream-rules.ts'

const Nullable = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()])
const Capabilities = Type.Array(Type.String())

export const UpstreamView = Type.Object({
  name: UpstreamName,
  source: Type.Enum(['environment', 'store'], { description: 'environment: from UPSTREAMS; here only its draining can be changed.' }),
  baseUrl: upstreamFields.baseUrl,
  models: Nullable(upstreamFields.models),
  aliases: upstreamFields.aliases,
  slots: Nullable(upstreamFields.slots),
  weight: upstreamFields.weight,
  capabilities: upstreamFields.capabilities,
  contextTokens: Nullable(upstreamFields.contextTokens),
  apiKeyEnv: Nullable(upstreamFields.apiKeyEnv),
  draining: upstreamFields.draining,
  state: Type.Enum(['unknown', 'up', 'sleeping', 'down']),
  detail: Nullable(Type.String({ description: 'Why it is down.' })),
  engine: Nullable(Type.Enum(['vllm', 'llama.cpp', 'other'])),
  engineVersion: Nullable(Type.String()),
  served: Type.Array(Type.Object({
    id: Type.String(),
    parent: Nullable(Type.String({ description: 'Of a LoRA adapter: its model.' })),
    contextTokens: Nullable(Type.Integer()),
    foundCapabilities: Capabilities
  }), { description: 'As the server listed them last; at most 1,000.' }),
  foundCapabilities: Type.Array(Type.String(), { description: 'What the engine told by itself; those of single models stand with them.' }),
  findings: Type.Array(Type.Object({
    model: Type.String(),
    vision: Nullable(Type.Boolean()),
    reasoning: Nullable(Type.Boolean()),
    structuredOutput: Nullable(Type.Boolean()),
    embeddings: Nullable(Type.Boolean()),
    at: Type.String()
  }), { description: 'What POST …/probe showed; null: neither.' }),
  warnings: Type.Array(Type.String()),
  probedAt: Nullable(Type.String({ description: 'Last probe of this process, in vain or not.' })),
  known: Nullable(Type.Object({
    from: Type.Enum(['probe', 'store'], { description: 'store: told before this start, and not confirmed since.' }),
    at: Type.String()
  }, { description: 'When the server told engine, engineVersion, served and foundCapabilities; null: it never has, and only what is declared counts.' })),
  lastFault: Nullable(Type.Object({ at: Type.String(), detail: Type.String() })),
  load: Nullable(Type.Object({
    running: Nullable(Type.Number()),
    waiting: Nullable(Type.Number()),
    kvUsage: Nullable(Type.Number({ description: '0 to 1.' })),
    ageMs: Type.Integer({ minimum: 0 })
  }, { description: 'Of the server\'s /metrics, others\' calls included; null: it does not say.' })),
  inFlight: Type.Integer({ minimum: 0, description: 'Calls of this process under way there.' }),
  limit: Nullable(Type.Number({ description: 'Most calls this process has there at once, at present.' })),
  breaker: Nullable(Type.String({ description: 'closed, open or probing.' }))
}, { $id: 'Upstream' })
export type UpstreamView = Static<typeof UpstreamView>

export const UpstreamList = pageOf(UpstreamView)

/** What only the dispatcher knows of an upstream. */
export interface Live { limit: number | null, breaker: string | null, suspected: boolean }

export interface Viewed {
  replica: Replica
  source: Source
  /** A stored upstream of the same name does not count. */
  hides: boolean
  findings: readonly Finding[]
  facts: Pick<UpstreamView, 'probedAt' | 'known' | 'lastFault'>
  live: Live | null
  /** Monotonic, as `Load.at`. */
  nowMs: number
  /** apiKeyEnv names a variable that is not set. */
  keyMissing: boolean
}

export function upstreamView (viewed: Viewed): UpstreamView {
  const { replica, source, findings, facts, live } = viewed
  const { upstream, probe } = replica
  const { models, slots, contextTokens, apiKeyEnv } = upstream
  return {
    name: upstream.name,
    source,
    baseUrl: upstream.baseUrl,
    models: models ?? null,
    aliases: upstream.aliases ?? {},
    slots: slots ?? null,
    weight: upstream.weight ?? 1,
    capabilities: upstream.capabilities,
    contextTokens: contextTokens ?? null,
    apiKeyEnv: apiKeyEnv ?? null,
    draining: upstream.draining ?? false,
    state: probe.state,
    detail: probe.detail,
    engine: probe.engine ?? null,
    engineVersion: probe.version ?? probe.build ?? null,
    served: probe.models.map(model => ({
      id: model.id,
      parent: model.parent ?? null,
      contextTokens: model.contextTokens,
      foundCapabilities: [...model.capabilities ?? []]
    })),
    foundCapabilities: [...probe.found ?? []],
    findings: findings.map(({ baseUrl: _, ...finding }) => finding),
    warnings: allWarnings(viewed),
    ...facts,
    load: loadOf(viewed),
    inFlight: replica.inFlight,
    limit: live?.limit ?? null,
    breaker: live?.breaker ?? null
  }
}

function allWarnings ({ replica, findings, hides, keyMissing, live }: Viewed): string[] {
  const { name, apiKeyEnv } = replica.upstream
  return [
    ...warningsOf(replica, findings),
    ...hides ? [`A stored upstream ${name} does not count, for UPSTREAMS names one.`] : [],
    ...live?.suspected === true ? ['It sent no byte while callers waited, and left: it may hang, and gets one call at a time until it answers one.'] : [],
    ...keyMissing ? [`The variable ${apiKeyEnv} is not set; the server is asked without a key.`] : []
  ]
}

function loadOf ({ replica: { load }, nowMs }: Viewed): UpstreamView['load'] {
  if (load === null) return null
  const { at, ...gauges } = load
  return { ...gauges, ageMs: Math.max(0, Math.round(nowMs - at)) }
}
