import { connect } from 'nats'
import t, { type Test } from 'tap'
import { engineOrSkip } from '../../testing/engines.ts'
import { startNats } from '../../testing/nats-server.ts'
import type { Bus, DeliveryFailure } from '../bus.ts'
import { temporaryFolder } from '../../testing/temporary-folder.ts'
import { natsBus } from '../nats.ts'
import { busContract, collecting } from './contract.ts'

const quick = { pauseMs: 50, ackWaitMs: 300, expiresMs: 1_000 }
const one = { durable: 'd', concurrency: 1, deliveriesMax: 3 }
const subject = 'task.test.work'

const path = await engineOrSkip(t, 'nats-server')
if (path !== undefined) await t.test('on one server', async t => { await onOneServer(t, path) })

async function onOneServer (t: Test, path: string): Promise<void> {
  const { url, kill } = await startNats(path, temporaryFolder(t))
  t.teardown(kill)
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
    // A pull may end empty before the message comes back: only what came counts.
    for (let count = 0; count < one.deliveriesMax;) {
      if (await taken.next({ expires: 2_000 }) !== null) count++
    }

    const failures = collecting<DeliveryFailure>(1)
    const { took, all } = collecting<string>(2)
    const third = await open(t, 'dying', { onFailure: failures.took })
    await third.consume(subject, {
      ...one,
      onGivenUp: async ({ taskId }) => took(`given up: ${taskId}`)
    }, async ({ taskId }) => took(taskId))
    t.match(await failures.all, [{ subject, durable: 'd', delivery: 4, givenUp: true, cause: { kind: 'internal', message: /3 times/ } }])
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
