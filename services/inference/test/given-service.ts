/** The service's routes over a directory of its own, and servers to put behind it. */
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Test as Tap } from 'tap'
import { request } from 'undici'
import { createApp } from '../../../shared/app/app.ts'
import type { App } from '../../../shared/app/service.ts'
import { sha256 } from '../../../shared/contracts/hash.ts'
import { fakeVllm, type FakeOptions } from '../../../shared/testing/fake-vllm.ts'
import type { UpstreamView } from '../domain/upstream-view.ts'
import { upstreamRequests } from '../handlers/ask-upstream.ts'
import { routes } from '../routes.ts'
import { upstreamRoutes } from '../upstream-routes.ts'
import { givenDirectory } from './given-directory.ts'

type Test = Pick<Tap, 'teardown' | 'name'>

export async function fakeOf (t: Test, options: FakeOptions = {}) {
  const fake = await fakeVllm(options)
  t.teardown(fake.close)
  return fake
}

/** A server that is no vLLM. */
export async function serverOf (t: Test, listener: RequestListener) {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => { server.close(); server.closeAllConnections() })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'
interface Asked { body?: object, role?: string }

/** The service's routes on a real socket, with keys of each role. */
export async function givenService (t: Test, given: Parameters<typeof givenDirectory>[1] = {}) {
  const parts = await givenDirectory(t, given)
  const key = (role: 'reader' | 'writer' | 'admin') => ({ name: role, role, hash: Buffer.from(sha256(role), 'hex') })
  const app = await createApp({ keys: [key('reader'), key('writer'), key('admin')] })
  const times = { INFERENCE_CONNECT_TIMEOUT_MS: 1000, INFERENCE_REPLY_TIMEOUT_MS: 5000, INFERENCE_IDLE_TIMEOUT_MS: 5000 }
  const requests = upstreamRequests(times, parts.secret)
  await app.register(async scope => {
    const live = (name: string) => name === 'known' ? { limit: 8, breaker: 'closed' } : null
    upstreamRoutes(scope as App, { ...parts, live })
  })
  await app.register(async scope => { routes(scope as App, { requests, directory: parts.directory }) })
  const url = await app.listen({ port: 0 })
  t.teardown(async () => { await app.close(); await requests.close() })
  const call = async (method: Method, path: string, { body, role = 'admin' }: Asked = {}) => {
    const answer = await request(url + path, {
      method,
      headers: { authorization: `Bearer ${role}`, ...body && { 'content-type': 'application/json' } },
      ...body && { body: JSON.stringify(body) }
    })
    const text = await answer.body.text()
    return { status: answer.statusCode, headers: answer.headers, body: (text === '' ? null : JSON.parse(text)) as any }
  }
  const view = async (name: string) => (await call('GET', `/v1/upstreams/${name}`)).body as UpstreamView
  return { ...parts, call, view }
}

/** Asks until it holds. @throws Error when it has not within 10 s */
export async function until<T> (ask: () => T | Promise<T>, holds: (answer: T) => boolean): Promise<T> {
  const endMs = performance.now() + 10_000
  for (;;) {
    const answer = await ask()
    if (holds(answer)) return answer
    if (performance.now() > endMs) throw new Error(`It has not come to hold: ${JSON.stringify(answer)}`)
    await new Promise(resolve => { setTimeout(resolve, 5) })
  }
}

export const chat = (model: string) => ({ model, messages: [{ role: 'user', content: 'Hello?' }] })
