import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { connect } from 'nats'
import t, { type Test } from 'tap'
import { engineOrSkip } from '../../testing/engines.ts'
import { startNats, type NatsServer } from '../../testing/nats-server.ts'
import type { Bus, DeliveryFailure } from '../bus.ts'
import { natsBus, type BusState } from '../nats.ts'
import { busContract, collecting, gate } from './contract.ts'

const quick = { pauseMs: 50, ackWaitMs: 300, expiresMs: 1_000 }
const one = { durable: 'd', concurrency: 1, deliveriesMax: 3 }
const subject = 'task.test.work'

const path = await engineOrSkip(t, 'nats-server')
if (path !== undefined) {
  await onOneServer(t, path)
  await faults(t, path)
}

async function started (t: Test, path: string, config?: string): Promise<NatsServer> {
  const folder = t.testdir()
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

async function onOneServer (t: Test, path: string): Promise<void> {
  const { url } = await started(t, path)
  let prefixes = 0
  const open = async (t: Test, prefix = `p${prefixes++}`, more = {}): Promise<Bus> => {
    const bus = await natsBus({ url, prefix, ...quick, ...more })
    t.teardown(async () => await bus.close())
    return bus
  }

  await busContract(t, {
    name: 'NATS JetStream',
    open: async () => ({ bus: await natsBus({ url, prefix: 'contract', ...quick }) }),
    exempt: ['several durables on one subject']
  })

  await t.test('processes that give the same durable name share the messages', async t => {
    const { took, all } = collecting<string>(40)
    const seen = new Set<string>()
    const buses = { left: await open(t, 'shared'), right: await open(t, 'shared') }
    for (const [who, bus] of Object.entries(buses)) {
      await bus.consume(subject, { ...one, durable: 'shared' }, async ({ taskId }) => {
        seen.add(who)
        took(taskId)
      })
    }
    for (let i = 0; i < 40; i++) await buses.left.publish(subject, { taskId: String(i) })
    t.equal(new Set(await all).size, 40)
    t.equal(seen.size, 2)
    const other = { ...one, durable: 'other' }
    await t.rejects(buses.left.consume(subject, other, async () => {}), { name: 'TypeError', message: /work queue/ })
    const third = await open(t, 'shared')
    await t.rejects(third.consume(subject, other, async () => {}), { name: 'TypeError', message: /work queue/ })
  })

  await t.test('installations with prefixes of their own do not hear each other', async t => {
    const [left, right] = [await open(t, 'mine'), await open(t, 'mine-too')]
    const { took, all } = collecting<string>(2)
    for (const [who, bus] of [['left', left], ['right', right]] as const) {
      await bus.consume(subject, one, async ({ taskId }) => took(`${who} ${taskId}`))
    }
    await left.publish(subject, { taskId: 'x' })
    await right.publish(subject, { taskId: 'y' })
    t.same((await all).sort(), ['left x', 'right y'])
  })

  await t.test('an event that still waits stands for its equals, and one that was handled does not', async t => {
    const bus = await open(t)
    const { took, all } = collecting<string>(3)
    for (const taskId of ['a', 'a', 'b', 'a']) await bus.publish(subject, { taskId })
    await bus.consume(subject, one, async ({ taskId }) => {
      took(taskId)
      // When this is taken, `a` has been acknowledged.
      if (taskId === 'b') await bus.publish(subject, { taskId: 'a' })
    })
    t.same(await all, ['a', 'b', 'a'])
  })

  await t.test('a message whose every process ended in its handler is given up, and can be sent again', async t => {
    const bus = await open(t, 'dying')
    await bus.consume(subject, one, async () => {})
    await bus.close()
    const connection = await connect({ servers: url })
    t.teardown(async () => await connection.close())
    const late = await open(t, 'dying')
    await late.publish(subject, { taskId: 'poison' })
    // As processes that were killed: taken, and never heard of again.
    const taken = await connection.jetstream().consumers.get('dying', 'd=task=test=work')
    for (let i = 0; i < one.deliveriesMax; i++) await taken.next({ expires: 2_000 })

    const failures = collecting<DeliveryFailure>(1)
    const { took, all } = collecting<string>(2)
    const third = await open(t, 'dying', { onFailure: failures.took })
    await third.consume(subject, {
      ...one,
      onGivenUp: async ({ taskId }) => took(`given up: ${taskId}`)
    }, async ({ taskId }) => took(taskId))
    t.match(await failures.all, [{ subject, durable: 'd', delivery: 4, givenUp: true, cause: /ended before/ }])
    await third.publish(subject, { taskId: 'poison' })
    t.same(await all, ['given up: poison', 'poison'])
  })

  await t.test('what is no event is given up at once', async t => {
    const failures = collecting<DeliveryFailure>(1)
    const bus = await open(t, 'strange', { onFailure: failures.took })
    await bus.consume(subject, one, async () => {})
    const connection = await connect({ servers: url })
    t.teardown(async () => await connection.close())
    await connection.jetstream().publish(`strange.${subject}.x`, '{"taskId":7}')
    t.match(await failures.all, [{ delivery: 1, givenUp: true, cause: { name: 'TypeError' } }])
  })

  await t.test('a long handler is not taken for a dead one', async t => {
    const bus = await open(t)
    const { took, all } = collecting<string>(2)
    // By the server's clock: a message that is left alone comes again after ackWaitMs, three times here.
    const abandoned = await open(t, 'abandoned')
    await abandoned.consume('task.test.other', one, async () => {})
    await abandoned.close()
    const sender = await open(t, 'abandoned')
    await sender.publish('task.test.other', { taskId: 'x' })
    const connection = await connect({ servers: url })
    t.teardown(async () => await connection.close())
    const consumer = await connection.jetstream().consumers.get('abandoned', 'd=task=test=other')
    await bus.consume(subject, { ...one, concurrency: 2 }, async ({ taskId }) => {
      took(`${taskId} begins`)
      for (let i = 0; i < 4; i++) await consumer.next({ expires: 2_000 })
      took(`${taskId} ends`)
    })
    await bus.publish(subject, { taskId: 'long' })
    t.same(await all, ['long begins', 'long ends'])
  })
}

async function faults (t: Test, path: string): Promise<void> {
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
    const buses = [await natsBus({ url: server.url, ...quick, onState }), await natsBus({ url: server.url, ...quick })]
    t.teardown(async () => { for (const bus of buses) await bus.close() })
    const { took, all } = collecting<string>(2)
    await buses[0]!.consume(subject, one, async ({ taskId }) => took(taskId))
    await buses[0]!.publish(subject, { taskId: 'before' })
    await server.kill()
    await server.wipe()
    await server.start()
    await until(true, 2)
    await buses[0]!.publish(subject, { taskId: 'after' })
    t.same(await all, ['before', 'after'])

    // An operator may do it without a restart: then nobody is told.
    const connection = await connect({ servers: server.url })
    await (await connection.jetstreamManager()).streams.delete('viva')
    await connection.close()
    const again = collecting<string>(1)
    await buses[1]!.publish('task.test.more', { taskId: 'x' })
    await buses[1]!.consume('task.test.more', one, async ({ taskId }) => again.took(taskId))
    t.same(await again.all, ['x'])
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

  await t.test('wrong credentials and addresses refuse the start, and show no secret', async t => {
    const server = await started(t, path, 'authorization { users = [ { user: viva, password: "p@ss:word" } ] }')
    const at = (user: string): string => server.url.replace('//', `//${user}@`)
    const bus = await natsBus({ url: at('viva:p%40ss%3Aword') })
    await bus.publish(subject, { taskId: 'x' })
    await bus.close()
    const credentials = join(t.testdir({ token: 'sesame\n' }), 'token')
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

  await t.test('a token in a file opens the server', async t => {
    const server = await started(t, path, 'authorization { token: sesame }')
    const credentials = join(t.testdir({ token: 'sesame\n' }), 'token')
    const bus = await natsBus({ url: server.url, credentials })
    await bus.publish(subject, { taskId: 'x' })
    await bus.close()
  })
}
