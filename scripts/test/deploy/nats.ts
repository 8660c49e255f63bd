/** A nats-server started as deployments start it: who gets in, and what they may do. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { AckPolicy, connect, Events, RetentionPolicy, StorageType, type NatsConnection } from 'nats'
import type { Test } from 'tap'
import { parse } from 'yaml'
import { temporaryFolder } from '../../../shared/testing/temporary-folder.ts'

const password = 'only-for-tests'
/** The command of both deployments, with the server at hand and the ports free ones. */
function commandFor (path: string): string[] {
  const [ofCompose] = parse(readFileSync('docker-compose.yml', 'utf8'), { merge: true }).services.nats.command as string[]
  return ['-c', String(ofCompose).replaceAll('$$', '$')
    .replace('nats-server', `"${path}"`).replace('/etc/nats/nats.conf', 'deploy/nats.conf --addr 127.0.0.1 --port -1 --http_port -1')]
}

export async function natsRefusals (t: Test, path: string): Promise<void> {
  await t.test('starts with no empty password', async t => {
    for (const NATS_PASSWORD of ['', undefined]) {
      const child = spawn('sh', commandFor(path), { stdio: 'ignore', env: { ...process.env, NATS_PASSWORD, NATS_DIR: temporaryFolder(t) } })
      const [code] = await once(child, 'exit') as [number]
      t.not(code, 0)
    }
  })
  const child = spawn('sh', commandFor(path), {
    stdio: ['ignore', 'ignore', 'pipe'], env: { ...process.env, NATS_PASSWORD: password, NATS_DIR: temporaryFolder(t) }
  })
  t.teardown(async () => { child.kill('SIGKILL'); await once(child, 'exit') })
  let servers = ''
  for await (const line of createInterface({ input: child.stderr })) {
    servers = /Listening for client connections on (\S+)/.exec(line)?.[1] ?? servers
    if (line.includes('Server is ready')) break
  }
  const enter = async (who: object): Promise<NatsConnection> =>
    await connect({ servers, reconnect: false, timeout: 3_000, ...who })

  await t.test('refuses who shows no password, an empty or a wrong one', async t => {
    for (const who of [{}, { user: 'viva', pass: '' }, { user: 'viva', pass: 'wrong' }, { user: 'admin', pass: password }]) {
      await t.rejects(enter(who), { code: 'AUTHORIZATION_VIOLATION' }, JSON.stringify(who))
    }
  })
  const viva = await enter({ user: 'viva', pass: password })
  t.teardown(async () => { await viva.close() })
  await t.test('lets Viva do what it needs', async t => { await whatIsNeeded(t, viva) })
  await t.test('and nothing else', async t => { await whatIsRefused(t, viva) })
}

async function whatIsNeeded (t: Test, viva: NatsConnection): Promise<void> {
  const manager = await viva.jetstreamManager({ checkAPI: false })
  const config = {
    name: 'viva', subjects: ['viva.>'], retention: RetentionPolicy.Workqueue, storage: StorageType.File, max_msgs: 10
  }
  await manager.streams.add(config)
  const { config: found } = await manager.streams.info('viva')
  await manager.streams.update('viva', { ...found, max_msgs: 20 })
  const durable = { durable_name: 'reviewing=generation=finished', filter_subject: 'viva.generation.finished.*', ack_policy: AckPolicy.Explicit }
  await manager.consumers.add('viva', durable)
  await manager.consumers.update('viva', durable.durable_name, { ...durable, max_ack_pending: 9 })
  await viva.jetstream().publish('viva.generation.finished.1', 'x')
  const consumer = await viva.jetstream().consumers.get('viva', durable.durable_name)
  const message = await consumer.next({ expires: 2_000 })
  t.equal(message?.string(), 'x')
  t.ok(await message?.ackAck())
  t.equal((await manager.streams.info('viva')).state.messages, 0)
}

async function whatIsRefused (t: Test, viva: NatsConnection): Promise<void> {
  for (const subject of ['other.thing', '$JS.API.STREAM.CREATE.other', '$JS.API.STREAM.DELETE.viva',
    '$JS.API.STREAM.PURGE.viva', '$JS.API.STREAM.LIST', '$SYS.REQ.SERVER.PING']) {
    t.equal(await refusal(viva, () => { viva.publish(subject, '{}') }), `publish of ${subject}`)
  }
  for (const subject of ['>', 'viva.>', '$JS.>']) {
    const hear = (): void => { viva.subscribe(subject, { callback: () => {} }) }
    t.equal(await refusal(viva, hear), `subscription of ${subject}`)
  }
}

/** What the server says to it; a test that nothing is said to waits until it times out. */
async function refusal (viva: NatsConnection, act: () => void): Promise<string> {
  const said = (async () => {
    for await (const { type, permissionContext } of viva.status()) {
      if (type === Events.Error) return `${permissionContext?.operation} of ${permissionContext?.subject}`
    }
    return 'nothing'
  })()
  act()
  await viva.flush()
  return await Promise.race([said, delay(5_000, 'nothing', { ref: false })])
}
