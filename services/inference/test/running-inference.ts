/** Inference as it runs, on a real socket in front of fakes that do as they are told. */
import type { Logger } from 'pino'
import type { Test } from 'tap'
import { request } from 'undici'
import { silentLog } from '../../../shared/app/log.ts'
import { startServices } from '../../../shared/app/start.ts'
import { fakeVllm, type FakeOptions, type FakeVllm } from '../../../shared/testing/fake-vllm.ts'
import { temporaryFolder } from '../../../shared/testing/temporary-folder.ts'
import { inferenceWith } from '../service.ts'

export const question = { model: 'fake-model', messages: [{ role: 'user', content: 'Is 漢 a letter? 🙂' }], seed: 7 }

export interface Given {
  /** One each; default one. */
  fakes?: FakeOptions[]
  env?: Record<string, string>
  /** Of an upstream, beside its address. */
  upstream?: object
  folder?: string
  log?: Logger
}

export interface Asked {
  path?: string
  /** x-fake: what the upstream shall do. */
  fake?: string
  headers?: Record<string, string>
  signal?: AbortSignal
}

export async function runningInference (t: Test, given: Given = {}) {
  const folder = given.folder ?? temporaryFolder(t)
  const fakes: FakeVllm[] = []
  for (const options of given.fakes ?? [{}]) {
    const fake = await fakeVllm(options)
    t.teardown(fake.close)
    fakes.push(fake)
  }
  const upstreams = fakes.map(({ url }, at) => ({ name: `lab${at}`, baseUrl: url, ...given.upstream }))
  const env = { PORT: '0', DATA_DIR: folder, RATE_PER_MINUTE: '0', UPSTREAMS: JSON.stringify(upstreams), ...given.env }
  const service = await startServices([inferenceWith({ passHeaders: ['x-fake'], random: () => 0 })], env, { log: given.log ?? silentLog() })
  let closed = false
  const close = async () => { if (!closed) { closed = true; await service.close() } }
  t.teardown(close)

  async function ask (body: object, { path = '/v1/chat/completions', fake, headers = {}, signal }: Asked = {}) {
    return await request(service.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...fake !== undefined && { 'x-fake': fake }, ...headers },
      body: JSON.stringify(body),
      ...signal !== undefined && { signal }
    })
  }
  const get = async (path: string) => await request(service.url + path)
  /** Calls that reached upstreams, probes aside. */
  const journal = () => fakes.flatMap(each => each.journal)
  return { url: service.url, folder, fakes, fake: fakes[0]!, ask, get, journal, close }
}

/** What an upstream answers when it is asked itself. */
export async function askDirectly (fake: FakeVllm, body: object, behaviour = 'ok'): Promise<string> {
  const { body: answer } = await request(`${fake.url}/v1/chat/completions`, {
    method: 'POST', headers: { 'content-type': 'application/json', 'x-fake': behaviour }, body: JSON.stringify(body)
  })
  return await answer.text()
}
