/** What a server last told of itself, kept so that it is known after a restart while the server is away. */
import { canonicalJson } from '../../../shared/contracts/hash.ts'
import { withFindings, type Finding } from './findings.ts'
import { unprobed, type Engine, type Probe, type ServedModel } from './replica.ts'
import type { Upstream } from './upstream.ts'

export interface Known {
  /** Of the server that told it: another one is not known by it. */
  baseUrl: string
  /** Wall clock, ISO 8601. */
  at: string
  engine: Engine
  version: string | null
  build: string | null
  models: readonly ServedModel[]
  found: readonly string[]
}

/** @param probe  of an answer, without what asking models has shown */
export function knownBy (probe: Probe, { baseUrl }: Upstream, at: string): Known {
  const { engine = 'other', version, build, models, found = [] } = probe
  return { baseUrl, at, engine, version, build: build ?? null, models, found }
}

/** As it was when it last answered; whether it is there now is not known. */
export function recalled (upstream: Upstream, known: Known | undefined, findings: readonly Finding[]): Probe {
  if (known?.baseUrl !== upstream.baseUrl) return { ...unprobed, capabilities: upstream.capabilities }
  const { engine, version, build, models, found } = known
  const capabilities = [...new Set([...upstream.capabilities, ...found])].sort()
  const probe: Probe = {
    ...unprobed, engine, version, ...build !== null && { build }, models, found, capabilities
  }
  return withFindings(probe, findings)
}

/** Kept anew this often though nothing has changed, for its age to be told. */
const keptForMs = 3_600_000

export function isWorthKeeping (known: Known, before: Known | undefined): boolean {
  if (before === undefined || Date.parse(known.at) - Date.parse(before.at) >= keptForMs) return true
  return canonicalJson({ ...known, at: '' }) !== canonicalJson({ ...before, at: '' })
}
