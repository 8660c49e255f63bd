/** A model server as this process sees it now: what it said last, and what we have under way there. */
import type { Upstream } from './upstream.ts'

/** A model an upstream lists, LoRA adapters included. */
export interface ServedModel {
  id: string
  /** `max_model_len`; null where the server does not say. */
  contextTokens: number | null
  /** Of a LoRA adapter: the model it belongs to. */
  parent?: string
  /** Found of this model alone; those of the whole engine are in `Probe.capabilities`. */
  capabilities?: readonly string[]
}

export type Engine = 'vllm' | 'llama.cpp' | 'other'

export interface Probe {
  state: 'unknown' | 'up' | 'sleeping' | 'down'
  /** Of GET /version, for example 0.12.0; null where there is none: another engine than vLLM. */
  version: string | null
  /** Absent before it has answered. */
  engine?: Engine
  /** What another engine calls its version, where it says. */
  build?: string
  models: readonly ServedModel[]
  /** Declared and found. */
  capabilities: readonly string[]
  /** What the engine told by itself, without being asked to answer anything. */
  found?: readonly string[]
  /** Why it is down. */
  detail: string | null
}

/** Gauges of GET /metrics, summed over engines; null is missing, which is not 0. */
export interface Load {
  running: number | null
  waiting: number | null
  /** 0 to 1. */
  kvUsage: number | null
  /** Monotonic milliseconds of the answer. */
  at: number
}

export interface Replica {
  /** Replaced when the upstream is edited; `name` stays. */
  upstream: Upstream
  probe: Probe
  /** Null before the first scrape, and when scraping fails. */
  load: Load | null
  /** Ours, now. */
  inFlight: number
}

/** Where a call may go, and the name by which the model is known there. */
export interface Target { replica: Replica, served: string }

export const unprobed: Probe = { state: 'unknown', version: null, models: [], capabilities: [], detail: null }
