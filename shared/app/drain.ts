/** Ending without cutting anybody off: new requests are turned away, running ones may finish. */
import { Problem } from '../errors/problem.ts'
import { isPrivate } from './private-socket.ts'
import type { App } from './service.ts'

export interface Drain {
  readonly draining: boolean
  /** Aborted when draining begins: whoever only waits should answer now. */
  readonly signal: AbortSignal
  /** Turns new requests away and resolves when none is running, or after `timeoutMs`. */
  begin: (timeoutMs: number) => Promise<void>
}

/** Hooks into `app`; health stays open, and so does the private door, for requests under way. */
export function createDrain (app: App): Drain {
  const controller = new AbortController()
  const running = new Set<object>()
  let whenIdle: (() => void) | undefined

  const ended = (request: object) => {
    running.delete(request)
    if (running.size === 0) whenIdle?.()
  }

  app.addHook('onRequest', async (request, reply) => {
    running.add(request)
    // A caller who leaves gets no response, so onResponse never comes for it.
    reply.raw.once('close', () => ended(request))
    const open = request.url.startsWith('/health/') || isPrivate(request)
    if (controller.signal.aborted && !open) {
      void reply.header('connection', 'close')
      throw new Problem('shutting-down', 'This process is shutting down; send the request again in a moment.')
    }
  })
  // A request refused by an earlier hook was never added.
  app.addHook('onResponse', async request => ended(request))

  return {
    get draining () { return controller.signal.aborted },
    signal: controller.signal,
    async begin (timeoutMs) {
      controller.abort()
      if (running.size === 0) return
      await new Promise<void>(resolve => {
        const timer = setTimeout(resolve, timeoutMs)
        whenIdle = () => { clearTimeout(timer); resolve() }
      })
    }
  }
}
