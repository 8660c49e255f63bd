/** A service: what it is called, what it must be told, and how it puts itself together. */
import type { FastifyBaseLogger, FastifyInstance, RawReplyDefaultExpression, RawRequestDefaultExpression, RawServerDefault } from 'fastify'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { Logger } from 'pino'
import type { Registry } from 'prom-client'
import type { Static, TObject } from 'typebox'
import type { Blobs } from '../blobs/blobs.ts'
import type { Bus } from '../bus/bus.ts'
import type { Call } from '../clients/call.ts'
import type { Store } from '../store/store.ts'
import type { Worker } from '../tasks/tasks.ts'

/** A Fastify instance that takes TypeBox schemas. */
export type App = FastifyInstance<
  RawServerDefault, RawRequestDefaultExpression, RawReplyDefaultExpression,
  FastifyBaseLogger, TypeBoxTypeProvider
>

export const serviceNames = ['parsing', 'generation', 'reviewing', 'inference', 'scoring'] as const
export type ServiceName = (typeof serviceNames)[number]

/** What a service is given: its own store, and the ways to others. */
export interface Parts<C extends TObject> {
  app: App
  config: Static<C>
  store: Store
  blobs: Blobs
  bus: Bus
  worker: Worker
  call: Call
  log: Logger
  /** What /metrics shows; a service adds its own, with labels of which there are few. */
  metrics: Registry
}

export interface Service<C extends TObject = TObject> {
  name: ServiceName
  config: C
  /** One sentence for the service's tag in the API documents. */
  summary: string
  /** Registers routes and defines work; nothing runs before the app listens. */
  start: (parts: Parts<C>) => Promise<Running | void>
}

export interface Running {
  /** Called after listen: consumers of events. */
  consume?: () => Promise<void>
  /** Called once at the end, after the worker has stopped. */
  close?: () => Promise<void>
}

export function defineService<C extends TObject> (service: Service<C>): Service<C> {
  return service
}
