/**
 * Requests in hand, counted: never more than a process can hold, and at its end none is cut off:
 * new ones are turned away, running ones may finish.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../errors/problem.ts'
import { isPrivate } from './private-socket.ts'
import type { App } from './service.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Not counted among the requests in hand: they wait in a queue with bounds of its own. */
    queued?: boolean
  }
  interface FastifyRequest {
    /** As the drain counts it. */
    inHand: 'no' | 'running' | 'bounded'
  }
}

export interface Drain {
  readonly draining: boolean
  /** Aborted when draining begins: whoever only waits should answer now. */
  readonly signal: AbortSignal
  /** Turns new requests away and resolves when none is running, or after `timeoutMs`. */
  begin: (timeoutMs: number) => Promise<void>
}

/**
 * Hooks into `app`. Health and metrics stay open: whoever asks for them decides what to do about
 * the load. So does the private door: what comes through it is part of a request or task in hand.
 *
 * @param requestsMax  others' requests in hand at once, those that only wait included
 */
export function createDrain (app: App, requestsMax = Infinity): Drain {
  const controller = new AbortController()
  let running = 0
  /** Of these, the ones that are bounded. */
  let bounded = 0
  let whenIdle: (() => void) | undefined

  const ended = (request: FastifyRequest) => {
    const { inHand } = request
    if (inHand === 'no') return
    request.inHand = 'no'
    running--
    if (inHand === 'bounded') bounded--
    if (running === 0) whenIdle?.()
  }
  app.decorateRequest('inHand', 'no')

  /** Why it is turned away. */
  function refusal (request: FastifyRequest, reply: FastifyReply): Problem | undefined {
    running++
    request.inHand = 'running'
    // A caller who leaves gets no response, so onResponse never comes for it.
    reply.raw.once('close', () => ended(request))
    if (controller.signal.aborted && !isHealth(request) && !isPrivate(request)) {
      void reply.header('connection', 'close')
      return new Problem('shutting-down', 'This process is shutting down; send the request again in a moment.')
    }
    if (isHealth(request) || isMetrics(request) || isPrivate(request) || isQueued(request)) {
      return undefined
    }
    if (bounded >= requestsMax) {
      return new Problem('overloaded', `This process has ${requestsMax} requests in hand and takes no more; send this one again after the time in Retry-After. Waiting with ?wait= counts; REQUESTS_MAX is the bound.`)
    }
    bounded++
    request.inHand = 'bounded'
    return undefined
  }

  app.addHook('onRequest', (request, reply, done) => { done(refusal(request, reply)) })
  // A request refused by an earlier hook was never added.
  app.addHook('onResponse', (request, _, done) => { ended(request); done() })

  return {
    get draining () { return controller.signal.aborted },
    signal: controller.signal,
    async begin (timeoutMs) {
      controller.abort()
      if (running === 0) return
      await new Promise<void>(resolve => {
        const timer = setTimeout(resolve, timeoutMs)
        whenIdle = () => { clearTimeout(timer); resolve() }
      })
    }
  }
}

function isHealth ({ url }: FastifyRequest): boolean {
  return url.startsWith('/health/')
}

/** Its service holds such requests in a queue with bounds of its own. */
function isQueued ({ routeOptions }: FastifyRequest): boolean {
  return routeOptions.config?.queued === true
}

function isMetrics ({ routeOptions }: FastifyRequest): boolean {
  return routeOptions.url === '/metrics'
}
