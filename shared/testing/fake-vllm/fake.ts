/** The parts of one fake server, as its handlers see them. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Clock } from './clock.ts'
import type { Dialect } from './dialect.ts'
import type { Engine } from './engine.ts'
import type { Entry, Journal } from './journal.ts'
import type { ServerOptions } from './options.ts'
import type { Behaviour, Plan } from './plan.ts'
import type { Scripts } from './scripts.ts'

export interface Fake {
  options: ServerOptions
  dialect: Dialect
  clock: Clock
  engine: Engine
  /** Requests that ask for something. */
  journal: Journal
  /** GETs: lists of models, health, metrics. */
  probes: Journal
  scripts: Scripts
  state: State
  /** The text of an answer; null: made up. */
  reply: ((body: Record<string, unknown>) => string | null) | null
  behave: ((entry: Entry, nth: number) => Behaviour) | null
  /** Stops listening, and listens again after so long. */
  refuse: (ms: number) => void
  /** Closes everything, as a dead engine's server does. */
  die: () => void
}

export interface State {
  dead: boolean
  loras: string[]
  /** Requests being answered, for /load. */
  inFlight: number
  storm: { until: number, share: number, draws: number } | null
  /** Fault of /metrics; `frozen` is what it said when it became stale. */
  metrics: { fault: string, ms: number, frozen: string }
  sockets: Set<Socket>
  /** To be reset when their next request comes. */
  doomed: WeakSet<Socket>
}

export function freshState (loras: readonly string[]): State {
  return {
    dead: false,
    loras: [...loras],
    inFlight: 0,
    storm: null,
    metrics: { fault: '', ms: 0, frozen: '' },
    sockets: new Set(),
    doomed: new WeakSet()
  }
}

export interface Exchange {
  request: IncomingMessage
  response: ServerResponse
  entry: Entry
  plan: Plan
}

/** Names a request may give: the model's and those of adapters. */
export const servedNames = ({ options, state }: Fake): string[] => [...options.models, ...state.loras]
