import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import { pino } from 'pino'
import tap from 'tap'
import { Type } from 'typebox'
import { request } from 'undici'
import { silentLog } from '../log.ts'
import { startServices } from '../start.ts'
import { defineService, type Parts, type ServiceName } from '../service.ts'
import { temporaryFolder } from '../../testing/temporary-folder.ts'

const log = silentLog()

/** A service that hands its parts out, so that a test can use them. */
function probe (name: ServiceName, take: (parts: Parts<any>) => void = () => {}) {
  return defineService({
    name,
    summary: 'A probe',
    config: Type.Object({ PROBE_SIZE: Type.Integer({ default: 3, minimum: 1 }) }),
    async start (parts) {
      take(parts)
      parts.app.get(`/v1/${name}`, { schema: { operationId: name, tags: [name] } },
        async () => ({ name, size: parts.config.PROBE_SIZE }))
    }
  })
}

tap.test('services of one process answer on one port and call each other through the private door', async t => {
  let parts: Parts<any> | undefined
  const suite = await startServices([probe('parsing'), probe('scoring', own => { parts = own })],
    { PORT: '0', DATA_DIR: temporaryFolder(t), VIVA_PROBE_SIZE: '5', PROBE_SIZE: '4', API_KEYS: `a:reader:${'0'.repeat(64)}` }, { log })
  t.teardown(suite.close)
  t.equal((await request(`${suite.url}/v1/parsing`)).statusCode, 401, 'the front door asks for a key')
  t.strictSame(await parts?.call.json('parsing', '/v1/parsing'), { name: 'parsing', size: 5 })
  await t.rejects(async () => await parts?.call.json('parsing', '/v1/nowhere'), { message: /docs/ })
  await t.rejects(async () => await parts?.call.json('generation', '/v1/items'), { message: /GENERATION_URL/ })
  t.equal((await request(`${suite.url}/health/ready`)).statusCode, 200)
  t.match(await (await request(`${suite.url}/problems/not-found`)).body.json(), { status: 404, retry: false })
})

/** Connections to the port that nobody has taken on: in state SYN_SENT (2) of proc_net(5). */
function askingFor (port: number): number {
  const to = `:${port.toString(16).toUpperCase().padStart(4, '0')}`
  return readFileSync('/proc/self/net/tcp', 'utf8').split('\n').filter(line => {
    const [, , remote, state] = line.trim().split(/\s+/u)
    return state === '02' && remote?.endsWith(to)
  }).length
}

tap.test('a thousand callers who come in one moment all have a connection, at either door', async t => {
  let parts: Parts<any> | undefined
  const suite = await startServices([probe('parsing', own => { parts = own })], { PORT: '0', DATA_DIR: temporaryFolder(t) }, { log })
  t.teardown(suite.close)
  const port = Number(new URL(suite.url).port)
  // The system takes these on before this process gets to it; whom it has no room for has to ask again.
  const sockets = Array.from({ length: 1_000 }, () => connect(port, '127.0.0.1'))
  await new Promise(resolve => { process.nextTick(resolve) })
  if (process.platform === 'linux') t.equal(askingFor(port), 0, 'none has to ask twice')
  await Promise.all(sockets.map(async socket => { await once(socket, 'connect') }))
  sockets.forEach(socket => socket.destroy())
  // At the private door whom there is no room for is refused.
  const answers = await Promise.all(Array.from({ length: 1_000 }, async () => await parts?.call.json('parsing', '/v1/parsing')))
  t.equal(answers.length, 1_000)
})

tap.test('a start that cannot be says why, and leaves nothing open', async t => {
  const start = async (env: Record<string, string>) =>
    await startServices([probe('parsing')], { PORT: '0', DATA_DIR: temporaryFolder(t), ...env }, { log })
  const busy = createServer()
  busy.listen(0, '127.0.0.1')
  await once(busy, 'listening')
  t.teardown(() => { busy.close() })
  const { port } = busy.address() as { port: number }

  await t.rejects(start({ PORT: String(port) }), { message: new RegExp(`port ${port} on 127.0.0.1 is busy`) })
  await t.rejects(start({ HOST: '0.0.0.0' }), { message: /API_KEYS/ })
  await t.rejects(start({ API_KEYS: 'x' }), { message: /entry 1/ })
  await t.rejects(start({ NATS_URL: 'nats:/x' }), { message: /NATS_URL/ })
  await t.rejects(start({ NATS_URL: 'nats://127.0.0.1:1', NATS_CREDS: '/nowhere' }), { message: /NATS_CREDS/ })
  const unparsable = await start({ MONGO_URL: 'mongo://user:sesame@x' }).catch((cause: Error) => `${cause.message} ${cause.stack} ${String(cause.cause)}`)
  t.match(unparsable, /MONGO_URL is not a connection string/)
  t.notMatch(unparsable, /sesame/, 'nor the password in it')
  await t.rejects(start({ DATA_DIR: fileURLToPath(import.meta.url) }), { message: /Cannot start: cannot write to DATA_DIR/ })
  const secret = await start({ SERVICE_KEY: 'sesame' }).catch((cause: Error) => cause.message)
  t.match(secret, /SERVICE_KEY/)
  t.notMatch(secret, /sesame/, 'a secret that is wrong is still one')
  const wrong = start({ PROBE_SIZE: 'many', VIVA_TYPO: '1', LOG_LEVEL: 'loud', PARSING_URL: 'nowhere' })
  for (const words of [/PROBE_SIZE/, /VIVA_TYPO is not a setting/, /LOG_LEVEL/, /PARSING_URL/]) {
    await t.rejects(wrong, { message: words }, 'all faults at once')
  }
})

tap.test('data survives a restart', async t => {
  const DATA_DIR = temporaryFolder(t)
  for (const expected of [true, false]) {
    let parts: Parts<any> | undefined
    const suite = await startServices([probe('parsing', own => { parts = own })], { PORT: '0', DATA_DIR }, { log })
    const things = await parts?.store.collection('things')
    t.equal(await things?.insert({ _id: 'one' }), expected)
    await suite.close()
  }
})

tap.test('a half of the walk that is started alone says that events do not reach the other', async t => {
  const warnings = async (names: Array<'generation' | 'reviewing' | 'scoring'>, env = {}) => {
    const lines: string[] = []
    const log = pino({ level: 'warn' }, { write: (line: string) => { lines.push(line) } })
    const suite = await startServices(names.map(name => probe(name)), { PORT: '0', DATA_DIR: temporaryFolder(t), ...env }, { log })
    await suite.close()
    return lines.join('')
  }
  t.match(await warnings(['generation']), /POST \/v1\/reviewings/)
  t.match(await warnings(['reviewing', 'scoring']), /POST \/v1\/reviewings/)
  t.equal(await warnings(['generation', 'reviewing']), '')
  t.equal(await warnings(['scoring']), '')
  // Nothing listens there; the start goes on without, and says it once.
  const away = await warnings(['generation'], { NATS_URL: 'nats://user:sesame@127.0.0.1:1' })
  t.match(away, /NATS cannot be used/)
  t.equal(away.trim().split('\n').length, 1)
  t.notMatch(away, /sesame/)
})

tap.test('an event that nobody could handle is a dead letter until it is handled', async t => {
  let parts: Parts<any> | undefined
  let broken = true
  const generationId = `gen_${'0'.repeat(32)}`
  const suite = await startServices([probe('generation'), defineService({
    ...probe('reviewing'),
    async start (own) {
      parts = own
      return {
        consume: async () => await own.bus.consume('generation.finished', {
          durable: 'reviewing', concurrency: 1, deliveriesMax: 1
        }, async () => {
          if (broken) throw new Error('no')
        })
      }
    }
  })], { PORT: '0', DATA_DIR: temporaryFolder(t) }, { log })
  t.teardown(suite.close)
  const until = async (count: number) => {
    for (;;) {
      const { items } = (await suite.app.inject('/v1/dead-letters')).json()
      if (items.length === count) return items
      // Letters are written and deleted after the handler has ended, which is not seen from here.
      await new Promise(resolve => setImmediate(resolve))
    }
  }
  await parts?.bus.publish('generation.finished', { generationId })
  const [letter] = await until(1)
  t.match(letter, {
    id: /^evt_[0-9a-f]{32}$/,
    service: 'reviewing',
    kind: 'generation.finished',
    jobId: generationId,
    attempts: 1,
    problem: { status: 500 }
  })
  t.same((await suite.app.inject(`/v1/dead-letters?limit=1&cursor=reviewing~${letter.id}`)).json().items, [])
  broken = false
  const retried = await suite.app.inject({ method: 'POST', url: `/v1/dead-letters/${letter.id}/retry` })
  t.equal(retried.statusCode, 202)
  await until(0)
  const gone = await suite.app.inject({ method: 'POST', url: `/v1/dead-letters/${letter.id}/retry` })
  t.equal(gone.statusCode, 404)
})
