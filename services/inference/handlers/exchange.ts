/**
 * One request to one model server, at the level of sockets: bytes as they come, pauses that reach
 * the server, limits of our own on every wait, and a close that reaches it at once.
 */
import type { IncomingHttpHeaders } from 'node:http'
import { Pool, type Dispatcher } from 'undici'
import { Problem } from '../../../shared/errors/problem.ts'
import { socketFault, UpstreamFault } from '../domain/fault.ts'
import type { Leaving } from '../domain/call.ts'
import type { Upstream } from '../domain/upstream.ts'
import { upstreamConnector } from './connect-upstream.ts'

export interface Timeouts {
  /** Until the first piece of the answer: a stream's head comes at once, and its first token in its turn. */
  firstByteMs: number
  /** Between two pieces of the body; a reader who takes none is for whoever pauses to see to. */
  idleMs: number
  /** Of everything; monotonic. */
  deadline: number
}

export interface Question {
  method: 'GET' | 'POST'
  path: string
  body: string | Uint8Array | null
  headers: Record<string, string>
  timeouts: Timeouts
}

/** Told in this order; `fail` or `end` last, and one of them once. */
export interface Listener {
  head: (status: number, headers: IncomingHttpHeaders) => void
  data: (chunk: Buffer) => void
  end: () => void
  /** An UpstreamFault, or the reason given to `close`. */
  fail: (cause: unknown) => void
}

export interface Exchange {
  pause: () => void
  resume: () => void
  /** Closes the connection unless the answer has ended; `fail` gets the reason. */
  close: (reason: unknown) => void
  /** All that is wanted has come: the server may still end its answer, at once. */
  finish: () => void
}

export interface Exchanges {
  ask: (upstream: Upstream, question: Question, listener: Listener) => Exchange
  /** When the last byte of any answer came from there, monotonic; -Infinity before the first. */
  heardAt: (upstream: Upstream) => number
  close: () => Promise<void>
}

/** Waits are checked this often; none is cut earlier than it should be. */
const tickMs = 50
/** From the last byte that is wanted to the end of the answer, which lets the connection be used again. */
const endingMs = 1000

interface Waiting {
  /** Its place among those who wait. */
  at: number
  overdue: (now: number) => void
  close: Exchange['close']
}
/** `prefix`: of the path, where the server lies under one. */
interface Server { pool: Pool, prefix: string, heardAt: number }

/** @param connectTimeoutMs  for the connection itself */
export function openExchanges (connectTimeoutMs: number): Exchanges {
  const servers = new Map<string, Server>()
  const waiting: Waiting[] = []
  // One timer for all: one for each call would be made and thrown away a thousand times a second.
  const timer = setInterval(() => {
    const now = performance.now()
    // After what has arrived is read: this process may have stood still, and not the servers.
    setImmediate(() => {
      // From the end: whoever is closed gives its place to the last.
      for (let at = waiting.length - 1; at >= 0; at--) waiting[at]?.overdue(now)
    })
  }, tickMs)
  timer.unref()

  function serverAt (baseUrl: string): Server {
    let server = servers.get(baseUrl)
    if (server === undefined) {
      const { origin, pathname } = new URL(baseUrl)
      const pool = new Pool(origin, {
        // How many are under way is the dispatcher's to bound.
        connections: null,
        pipelining: 1,
        connect: upstreamConnector(connectTimeoutMs),
        // vLLM's server closes idle connections after 5 s without saying so.
        keepAliveTimeout: 4_000,
        keepAliveMaxTimeout: 4_000,
        headersTimeout: 0,
        bodyTimeout: 0
      })
      server = { pool, prefix: pathname === '/' ? '' : pathname, heardAt: -Infinity }
      servers.set(baseUrl, server)
    }
    return server
  }

  return {
    ask (upstream, question, listener) {
      return begin(serverAt(upstream.baseUrl), { upstream, question, listener, waiting })
    },
    heardAt: ({ baseUrl }) => servers.get(baseUrl)?.heardAt ?? -Infinity,
    async close () {
      clearInterval(timer)
      // The end is ours: no server is to be blamed for it.
      for (const each of [...waiting]) each.close(shuttingDown())
      await Promise.all([...servers.values()].map(async ({ pool }) => { await pool.destroy() }))
    }
  }
}

interface Begun { upstream: Upstream, question: Question, listener: Listener, waiting: Waiting[] }

function begin (server: Server, { upstream, question, listener, waiting }: Begun): Exchange {
  const { pool, prefix } = server
  const { timeouts, method, path, headers, body } = question
  let controller: Dispatcher.DispatchController | undefined
  let closed: { reason: unknown } | undefined
  let ended = false
  let hasBegun = false
  let hasBody = false
  let paused = false
  let finishedAt = Infinity
  let since = performance.now()

  const watch: Waiting = {
    at: waiting.length,
    close (reason) { exchange.close(reason) },
    overdue (now) {
      const isSpeaking = hasBody || (hasBegun && timeouts.firstByteMs === Infinity)
      const limit = isSpeaking ? timeouts.idleMs : timeouts.firstByteMs
      if (now >= timeouts.deadline) exchange.close(lateFault(upstream))
      else if (now - finishedAt >= endingMs) exchange.close(new Error('The server does not end its answer.'))
      // A reader who is slow is not the server's fault.
      else if (!paused && now - since >= limit) exchange.close(silenceFault(upstream, isSpeaking, limit))
    }
  }

  function finish (tell: () => void): void {
    if (ended) return
    ended = true
    takeOut(waiting, watch)
    tell()
  }

  const exchange: Exchange = {
    pause () { if (!ended && !paused) { paused = true; controller?.pause() } },
    resume () { if (!ended && paused) { paused = false; since = performance.now(); controller?.resume() } },
    close (reason) {
      if (ended || closed !== undefined) return
      closed = { reason }
      // It was kept from speaking: its silence is no sign.
      if (paused) server.heardAt = performance.now()
      // First, for undici tells of the abort too, as of any broken connection.
      finish(() => { listener.fail(reason) })
      controller?.abort(reason instanceof Error ? reason : new Error('closed', { cause: reason }))
    },
    finish () {
      finishedAt = Math.min(finishedAt, performance.now())
      exchange.resume()
    }
  }

  waiting.push(watch)
  pool.dispatch({ method, path: prefix + path, headers, body }, {
    onRequestStart (started) {
      controller = started
      if (closed !== undefined) started.abort(new Error('closed', { cause: closed.reason }))
    },
    onResponseStart (_, status, headers) {
      // 100 to 199 announce; the answer is still to come.
      if (ended || status < 200) return
      hasBegun = true
      // The head of a stream says nothing yet.
      if (timeouts.firstByteMs === Infinity) since = performance.now()
      listener.head(status, headers)
    },
    onResponseData (_, chunk) {
      hasBody = true
      server.heardAt = since = performance.now()
      if (!ended) listener.data(chunk)
    },
    onResponseEnd () { finish(listener.end) },
    onResponseError (_, cause) {
      finish(() => { listener.fail(socketFault(upstream, cause, hasBegun)) })
    }
  })
  return exchange
}

/** A Set that lives long costs more, for what it has held stays in it until it is made anew. */
function takeOut (waiting: Waiting[], { at }: Waiting): void {
  const last = waiting.pop()
  if (last === undefined || last.at === at) return
  last.at = at
  waiting[at] = last
}

function shuttingDown (): Problem {
  return new Problem('shutting-down', 'The service shut down before the answer was whole; ask again in a moment.')
}

function silenceFault ({ name }: Upstream, hasBegun: boolean, limitMs: number): UpstreamFault {
  const detail = hasBegun
    ? `The model server ${name} sent nothing more for ${limitMs} ms (INFERENCE_IDLE_TIMEOUT_MS).`
    : `The model server ${name} did not begin to answer within ${limitMs} ms (INFERENCE_FIRST_BYTE_TIMEOUT_MS).`
  return new UpstreamFault('upstream-timeout', detail, { retry: 'never', blame: 'fault' })
}

/** A long answer is not the server's fault. */
function lateFault ({ name }: Upstream): UpstreamFault {
  return new UpstreamFault('upstream-timeout', `The answer of the model server ${name} was not whole within the time for all of the call (INFERENCE_TOTAL_TIMEOUT_MS, viva-timeout-ms).`, { retry: 'never', blame: 'none' })
}

/** Closes the exchange when the signal is aborted, until it is unbound. @param signal  one that is not yet */
export function closeWith (exchange: Exchange, signal: Leaving): () => void {
  const close = (): void => { exchange.close(signal.reason) }
  signal.addEventListener('abort', close)
  return () => { signal.removeEventListener('abort', close) }
}
