/** A caller of a bench: as many connections as calls at once, times in milliseconds of performance.now(). */
import { Pool } from 'undici'

export interface Watched {
  /** First byte of the body. */
  first?: (at: number) => void
  /** Events of a stream that came whole so far, or pieces of another body. */
  data?: (chunk: Buffer) => void
}

export interface Ended { status: number, bytes: number, ms: number }

export interface Asked {
  /** Resolves when the body has ended; rejects when it breaks or is left. */
  done: Promise<Ended>
  /** Closes the connection. */
  leave: () => void
}

export interface Caller {
  ask: (body: string, watched?: Watched, headers?: Record<string, string>) => Asked
  text: (body: string, headers?: Record<string, string>) => Promise<Ended & { text: string }>
  get: (path: string) => Promise<string>
  close: () => Promise<void>
}

export function callerOf (url: string, path = '/v1/chat/completions'): Caller {
  const pool = new Pool(url, { pipelining: 1, headersTimeout: 0, bodyTimeout: 0, keepAliveTimeout: 30_000 })

  function ask (body: string, watched: Watched = {}, headers: Record<string, string> = {}): Asked {
    const began = performance.now()
    let status = 0
    let bytes = 0
    let leave = (): void => {}
    const done = new Promise<Ended>((resolve, reject) => {
      pool.dispatch({ method: 'POST', path, body, headers: { 'content-type': 'application/json', ...headers } }, {
        onRequestStart (controller) { leave = () => { controller.abort(new Error('left')) } },
        onResponseStart (_, code) { status = code },
        onResponseData (_, chunk) {
          if (bytes === 0) watched.first?.(performance.now())
          bytes += chunk.length
          watched.data?.(chunk)
        },
        onResponseEnd () { resolve({ status, bytes, ms: performance.now() - began }) },
        onResponseError (_, cause) { reject(cause) }
      })
    })
    return { done, leave: () => { leave() } }
  }

  return {
    ask,
    async text (body, headers = {}) {
      const parts: Buffer[] = []
      const ended = await ask(body, { data: chunk => { parts.push(chunk) } }, headers).done
      return { ...ended, text: Buffer.concat(parts).toString() }
    },
    async get (path) { return await (await pool.request({ method: 'GET', path })).body.text() },
    async close () { await pool.destroy() }
  }
}

/** Runs `count` calls, `width` at once. */
export async function inTurns (
  { count, width }: { count: number, width: number }, call: (nth: number) => Promise<void>
): Promise<void> {
  let next = 0
  await Promise.all(Array.from({ length: Math.min(width, count) }, async () => {
    while (next < count) await call(next++)
  }))
}

export async function rest (ms: number): Promise<void> {
  await new Promise(resolve => { setTimeout(resolve, ms) })
}
