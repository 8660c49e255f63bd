/** Which upstream serves which model, under which name; and why one does not. */
import { Problem } from '../../../shared/errors/problem.ts'
import { servedModelsMax } from './engine-answers.ts'
import type { Replica, Target } from './replica.ts'

export interface Candidate extends Target {
  /** The upstream promises the model, and the server does not list it. */
  missing: boolean
}

/** By the names that callers use, aliases included; of all upstreams, those that are away as well. */
export type ServingTable = ReadonlyMap<string, readonly Candidate[]>

const namedMax = 20

export function servingTable (replicas: readonly Replica[]): ServingTable {
  const table = new Map<string, Candidate[]>()
  for (const replica of replicas) {
    for (const [name, candidate] of offersOf(replica)) {
      const others = table.get(name)
      if (others === undefined) table.set(name, [candidate])
      else others.push(candidate)
    }
  }
  return table
}

/**
 * The names one upstream answers to. Only vLLM's list is complete: llama.cpp takes any name, and a
 * gateway need not list what it has, so there what is declared is believed. An alias hides a listed
 * model of its name.
 */
export function offersOf (replica: Replica): Map<string, Candidate> {
  const { upstream: { models: declared, aliases = {} }, probe: { models, engine } } = replica
  const listed = models.slice(0, servedModelsMax).map(({ id }) => id)
  const known = new Set(listed)
  const isMissing = (served: string) => engine === 'vllm' && known.size > 0 && !known.has(served)
  const offers = new Map<string, Candidate>()
  const offer = (name: string, served: string) => {
    offers.set(name, { replica, served, missing: isMissing(served) })
  }
  for (const id of declared ?? listed) offer(id, id)
  for (const [alias, served] of Object.entries(aliases)) offer(alias, served)
  return offers
}

/** What upstreams declare the name to stand for, ascending; none where it is no alias. Needs no server. */
export function aliasedBy (replicas: readonly Replica[], name: string): string[] {
  const served = replicas.flatMap(({ upstream: { aliases = {} } }) =>
    Object.hasOwn(aliases, name) ? [aliases[name]!] : [])
  return [...new Set(served)].sort()
}

/** Declared, found of the engine, and found of this model there. */
export function capabilitiesOf ({ replica, served }: Target): string[] {
  const { upstream, probe } = replica
  const own = probe.models.find(({ id }) => id === served)?.capabilities ?? []
  return [...new Set([...upstream.capabilities, ...probe.capabilities, ...own])].sort()
}

/** Those that can take a call now. */
export function readyFor (candidates: readonly Candidate[], needs: readonly string[]): readonly Candidate[] {
  return candidates.filter(candidate => whyNot(candidate) === null && can(candidate, needs))
}

function can (candidate: Candidate, needs: readonly string[]): boolean {
  if (needs.length === 0) return true
  const capabilities = capabilitiesOf(candidate)
  return needs.every(need => capabilities.includes(need))
}

/** Why a candidate gets no call now, in words; null when it does. */
export function whyNot ({ replica: { upstream, probe }, served, missing }: Candidate): string | null {
  const { name, baseUrl, draining } = upstream
  if (draining === true) return `${name} is being drained`
  if (probe.state === 'unknown') return `${name} has not answered yet`
  if (probe.state === 'sleeping') return `${name} is asleep; wake its engine with POST ${baseUrl}/wake_up`
  if (probe.state === 'down') return `${name} is down: ${probe.detail ?? 'it does not answer'}`
  if (missing) return `${name} is up, but lists no ${served.slice(0, 200)}`
  return null
}

/**
 * Why no upstream can take a call, as what the caller can do about it.
 *
 * @param asked  model null: whatever models there are
 * @param table  of `replicas`
 */
export function absence (
  asked: { model: string | null, needs: readonly string[] }, replicas: readonly Replica[], table: ServingTable
): Problem {
  const model = asked.model?.slice(0, 200) ?? ''
  const candidates = asked.model === null ? [] : table.get(asked.model) ?? []
  // One that can, and is away, may be back; what is there and cannot will never do.
  // What one can that has never answered is not known.
  const away = candidates.filter(candidate =>
    whyNot(candidate) !== null &&
    (candidate.replica.probe.engine === undefined || can(candidate, asked.needs)))
  if (away.length === 0 && candidates.length > 0) {
    return new Problem('capability-missing', `The request needs ${asked.needs.join(', ')}, which is neither declared nor found for "${model}" at ${namesOf(candidates)}. Ask a model that has it, or declare it in the upstream's capabilities, or have it probed: POST /v1/upstreams/{name}/probe.`)
  }
  // Nobody can say that a server which never answered has no such model.
  const strangers = replicas.filter(isStranger)
  const mayKnow = strangers.map(replica => ({ replica, served: model, missing: false }))
  const reasons = away.length > 0 ? away : mayKnow
  if (reasons.length > 0) {
    const words = reasons.slice(0, 3).map(whyNot).join('; ')
    return new Problem('upstream-unavailable', `${asked.model === null ? 'No model server has said yet which models it has' : `No model server can take "${model}" now`}: ${words}.`, { retryAfterSeconds: 2 })
  }
  if (replicas.length === 0) {
    return new Problem('model-not-found', 'No model server is configured; start with UPSTREAMS=name=http://host:8000, or POST /v1/upstreams.')
  }
  const known = [...table.keys()].slice(0, namedMax).map(name => name.slice(0, 200)).join(', ')
  const more = table.size > namedMax ? ` and ${table.size - namedMax} more, see GET /v1/models` : ''
  return new Problem('model-not-found', `No upstream serves "${model}". There is: ${known || 'none'}${more}.`)
}

function isStranger ({ upstream, probe }: Replica): boolean {
  return upstream.models === undefined && upstream.draining !== true &&
    probe.models.length === 0 && probe.state !== 'up'
}

function namesOf (candidates: readonly Candidate[]): string {
  return candidates.slice(0, 3).map(({ replica }) => replica.upstream.name).join(', ')
}

/** A model as the list shows it, however many upstreams serve it. */
export interface ModelEntry {
  id: string
  /** As the upstreams know it; the first one's where they differ. */
  root: string
  parent: string | null
  /** The least of the upstreams'; null where none says. */
  contextTokens: number | null
  upstreams: string[]
  /** Whether one of them takes calls now. */
  available: boolean
  /** Of any of them: a call that needs one goes only where it is. */
  capabilities: string[]
}

export function modelEntry (id: string, candidates: readonly Candidate[]): ModelEntry {
  const cards = candidates.map(({ replica, served }) => replica.probe.models.find(card => card.id === served))
  const lengths = candidates
    .map(({ replica: { upstream } }, at) => cards[at]?.contextTokens ?? upstream.contextTokens ?? null)
    .filter(length => length !== null)
  return {
    id,
    root: candidates[0]?.served ?? id,
    parent: cards.find(card => card?.parent !== undefined)?.parent ?? null,
    contextTokens: lengths.length === 0 ? null : Math.min(...lengths),
    upstreams: candidates.map(({ replica }) => replica.upstream.name),
    available: candidates.some(candidate => whyNot(candidate) === null),
    capabilities: [...new Set(candidates.flatMap(capabilitiesOf))].sort()
  }
}
