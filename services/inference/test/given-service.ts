/** The service's routes over a directory of its own, and servers to put behind it. */
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Test as Tap } from 'tap'
import { request } from 'undici'
import { silentLog } from '../../../shared/app/log.ts'
import { startServices } from '../../../shared/app/start.ts'
import { sha256 } from '../../../shared/contracts/hash.ts'
import { fakeVllm, type FakeOptions } from '../../../shared/testing/fake-vllm.ts'
import { temporaryFolder } from '../../../shared/testing/temporary-folder.ts'
import type { UpstreamView } from '../domain/upstream-view.ts'
import { inference } from '../service.ts'

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

interface Given {
  /** UPSTREAMS. */
  setting?: string
  /** DATA_DIR; a new one where absent. */
  folder?: string
  /** Settings by their names. */
  env?: Record<string, string>
}

const pace = {
  INFERENCE_PROBE_INTERVAL_MS: '100',
  INFERENCE_PROBE_TIMEOUT_MS: '400',
  INFERENCE_SCRAPE_INTERVAL_MS: '50',
  INFERENCE_UPSTREAMS_REFRESH_MS: '50'
}
const roles = ['reader', 'writer', 'admin']

/** Inference as it runs, with a key of each role, which is its name. */
export async function givenService (t: Test, { setting = '', folder = temporaryFolder(t), env = {} }: Given = {}) {
  const service = await startServices([inference], {
    PORT: '0',
    DATA_DIR: folder,
    RATE_PER_MINUTE: '0',
    API_KEYS: roles.map(role => `${role}:${role}:${sha256(role)}`).join(','),
    UPSTREAMS: setting,
    ...pace,
    ...env
  }, { log: silentLog() })
  let closed = false
  const close = async () => {
    if (closed) return
    closed = true
    await service.close()
  }
  t.teardown(close)
  const call = async (method: Method, path: string, { body, role = 'admin' }: Asked = {}) => {
    const answer = await request(service.url + path, {
      method,
      headers: { authorization: `Bearer ${role}`, ...body && { 'content-type': 'application/json' } },
      ...body && { body: JSON.stringify(body) }
    })
    const text = await answer.body.text()
    return { status: answer.statusCode, headers: answer.headers, body: (text === '' ? null : JSON.parse(text)) as any }
  }
  const view = async (name: string) => (await call('GET', `/v1/upstreams/${name}`)).body as UpstreamView
  return { call, view, close }
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
