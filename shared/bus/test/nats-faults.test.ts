/** What the bus does while its server does not do what it should. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { connect } from 'nats'
import t, { type Test } from 'tap'
import { engineOrSkip } from '../../testing/engines.ts'
import { temporaryFolder } from '../../testing/temporary-folder.ts'
import { startNats, type NatsServer } from '../../testing/nats-server.ts'
import type { Bus } from '../bus.ts'
import type { BusState } from '../nats-health.ts'
import { natsBus } from '../nats.ts'
import { collecting, gate } from './contract.ts'

const quick = { pauseMs: 50, ackWaitMs: 300, expiresMs: 1_000 }
const one = { durable: 'd', concurrency: 1, deliveriesMax: 3 }
const subject = 'task.test.work'

const path = await engineOrSkip(t, 'nats-server')
if (path !== undefined) {
  await comingAndGoing(t, path)
  await credentials(t, path)
}

async function started (t: Test, path: string, config?: string): Promise<NatsServer> {
  const folder = temporaryFolder(t)
  const file = join(folder, 'nats.conf')
  if (config !== undefined) await writeFile(file, config)
  const server = await startNats(path, folder, config === undefined ? {} : { config: file })
  t.teardown(server.kill)
  return server
}

/** What is told of the server, and a wait until `last` has been told `count` times. */
function watching () {
  const states: boolean[] = []
  let look = (): void => {}
  return {
    states,
    onState ({ working }: BusState) {
      states.push(working)
      look()
    },
    async until (last: boolean, count = 1) {
      await new Promise<void>(resolve => {
        look = () => { if (states.filter(state => state === last).length >= count) resolve() }
        look()
      })
    }
  }
}

async function comingAndGoing (t: Test, path: string): Promise<void> {
  await t.test('a server that is killed with messages in flight, and comes again', async t => {
    const server = await started(t, path)
    const { states, onState, until } = watching()
    const bus = await natsBus({ url: server.url, ...quick, onState })
    t.teardown(async () => await bus.close())
    const release = gate()
    const seen = new Set<string>()
    const whole = gate()
    const begun = collecting<string>(2)
    await bus.consume(subject, { durable: 'd', concurrency: 2, deliveriesMax: 9 }, async ({ taskId }) => {
      begun.took(taskId)
      await release.opened
      seen.add(taskId)
      if (seen.size === 20) whole.open()
    })
    for (let i = 0; i < 20; i++) await bus.publish(subject, { taskId: String(i) })
    await begun.all
    await server.kill()
    await until(false)
    t.notOk(bus.connected())
    release.open()
    await t.rejects(bus.publish(subject, { taskId: 'lost' }), { name: 'Problem', kind: 'bus-unavailable' })
    await server.start()
    await whole.opened
    t.ok(bus.connected())
    t.same(states, [true, false, true], 'told once of each change')
  })

  await t.test('a server that has lost all it kept is filled anew by whoever uses it', async t => {
    const server = await started(t, path)
    const { onState, until } = watching()
    const buses: Bus[] = []
    for (const more of [{ onState }, {}]) buses.push(await natsBus({ url: server.url, ...quick, ...more }))
    t.teardown(async () => { for (const bus of buses) await bus.close() })
    const { took, all } = collecting<string>(3)
    const before = gate()
    const after = gate()
    await buses[0]!.consume(subject, one, async ({ taskId }) => {
      took(taskId)
      if (taskId === 'before') before.open()
      if (taskId === 'after') after.open()
    })
    await buses[0]!.publish(subject, { taskId: 'before' })
    // What a wiped server still had is gone with it: this is about what comes afterwards.
    await before.opened
    await server.kill()
    await server.wipe()
    await server.start()
    await until(true, 2)
    await buses[0]!.publish(subject, { taskId: 'after' })
    await after.opened

    // An operator may do it without a restart: then nobody is told.
    const connection = await connect({ servers: server.url })
    await (await connection.jetstreamManager()).streams.delete('viva')
    await connection.close()
    await buses[1]!.publish(subject, { taskId: 'deleted' })
    t.same(await all, ['before', 'after', 'deleted'])
  })

  await t.test('a server that is reached and takes or gives no message is no working bus, until it does', async t => {
    const { url } = await started(t, path)
    const { states, onState, until } = watching()
    const bus = await natsBus({ url, ...quick, onState })
    const operator = await connect({ servers: url })
    t.teardown(async () => { await Promise.all([bus.close(), operator.close()]) })
    const { streams } = await operator.jetstreamManager()
    await bus.publish(subject, { taskId: 'kept' })
    const { config } = await streams.info('viva')
    await streams.update('viva', { ...config, max_msgs: 1 })
    await t.rejects(bus.publish(subject, { taskId: 'too many' }), { name: 'Problem', kind: 'bus-unavailable' })
    await t.rejects(bus.publish(subject, { taskId: 'another' }), { name: 'Problem', kind: 'bus-unavailable' })
    t.notOk(bus.connected(), 'its stream is full')
    t.same(states, [true, false], 'which is told once')

    const other = await natsBus({ url, ...quick, prefix: 'other', onState })
    t.teardown(async () => await other.close())
    await streams.add({ name: 'other', subjects: ['other.>'] })
    await other.consume(subject, one, async () => {})
    await until(false, 2)
    t.notOk(other.connected(), 'its stream is none of ours')
    await streams.delete('other')
    await until(true, 3)
    t.ok(other.connected())
  })

  await t.test('a server that comes later is found', async t => {
    const server = await started(t, path)
    await server.kill()
    const { onState, until } = watching()
    const bus = await natsBus({ url: server.url, ...quick, onState })
    t.teardown(async () => await bus.close())
    const { took, all } = collecting<string>(1)
    await bus.consume(subject, one, async ({ taskId }) => took(taskId))
    await t.rejects(bus.publish(subject, { taskId: 'x' }), { name: 'Problem', kind: 'bus-unavailable' })
    await server.start()
    await until(true)
    await bus.publish(subject, { taskId: 'x' })
    t.same(await all, ['x'])
  })

  await t.test('a bus whose server never came closes at once', async t => {
    const server = await started(t, path)
    await server.kill()
    const bus = await natsBus({ url: server.url })
    await bus.consume(subject, one, async () => {})
    await bus.close()
    await t.rejects(bus.publish(subject, { taskId: 'x' }), { name: 'Problem', kind: 'shutting-down' })
  })

  await t.test('a server that stands still costs a publisher seconds, and no memory', async t => {
    const server = await started(t, path)
    const bus = await natsBus({ url: server.url, ...quick })
    t.teardown(async () => await bus.close())
    await bus.publish(subject, { taskId: 'x' })
    process.kill(server.pid()!, 'SIGSTOP')
    const details: string[] = []
    await Promise.all(Array.from({ length: 1_010 }, async (_, i) => {
      await bus.publish(subject, { taskId: `w${i}` }).catch((cause: Error) => { details.push(cause.message) })
    }))
    t.equal(details.length, 1_010)
    t.equal(details.filter(detail => /slower/.test(detail)).length, 10)
    process.kill(server.pid()!, 'SIGCONT')
  })
}

async function credentials (t: Test, path: string): Promise<void> {
  await t.test('wrong credentials and addresses refuse the start, and show no secret', async t => {
    const server = await started(t, path, 'authorization { users = [ { user: viva, password: "p@ss:word" } ] }')
    const at = (user: string): string => server.url.replace('//', `//${user}@`)
    const bus = await natsBus({ url: at('viva:p%40ss%3Aword') })
    await bus.publish(subject, { taskId: 'x' })
    await bus.close()
    const credentials = join(temporaryFolder(t, { token: 'sesame\n' }), 'token')
    const wrong = [
      { url: server.url }, { url: at('viva:sesame') }, { url: at('sesame') }, { url: server.url, credentials },
      { url: at('viva:sesame'), credentials }, { url: `${at('viva:sesame')},${at('other:sesame')}` },
      { url: at('viva:sesame%') }, { url: server.url, credentials: `${credentials}-not` },
      { url: 'sesame' }, { url: 'http://viva:sesame@host' }, { url: 'nats://' }, { url: 'nats://host/sesame' }, { url: '' }
    ]
    for (const address of wrong) {
      const message = await natsBus(address).then(() => 'opened', (cause: Error) => cause.message)
      t.match(message, /^Cannot start: .*NATS_(URL|CREDS)/, JSON.stringify(address))
      t.notMatch(message, /sesame/)
    }
  })

  await t.test('credentials that change while the bus runs cost it the time in between, and two lines of log', async t => {
    const configOf = (password: string): string => `authorization { users = [ { user: viva, password: ${password} } ] }`
    const folder = t.testdir({ 'nats.conf': configOf('first') })
    const server = await startNats(path, folder, { config: join(folder, 'nats.conf') })
    t.teardown(server.kill)
    const details: string[] = []
    const { states, onState, until } = watching()
    const bus = await natsBus({
      url: server.url.replace('//', '//viva:first@'),
      ...quick,
      onState (state) {
        details.push(state.detail)
        onState(state)
      }
    })
    t.teardown(async () => await bus.close())
    for (const password of ['second', 'first']) {
      await server.kill()
      await writeFile(join(folder, 'nats.conf'), configOf(password))
      await server.start()
      if (password === 'second') await until(false, 2)
    }
    await until(true, 2)
    t.same(states, [true, false, false, true])
    t.match(details[2], /AUTHORIZATION/)
    await bus.publish(subject, { taskId: 'x' })
  })

  await t.test('a token in a file opens the server', async t => {
    const server = await started(t, path, 'authorization { token: sesame }')
    const credentials = join(temporaryFolder(t, { token: 'sesame\n' }), 'token')
    const bus = await natsBus({ url: server.url, credentials })
    await bus.publish(subject, { taskId: 'x' })
    await bus.close()
  })
}
