import t from 'tap'
import type { DeliveryFailure } from '../bus.ts'
import { memoryBus } from '../memory.ts'
import { decodeEvent } from '../message.ts'
import { busContract, collecting, gate } from './contract.ts'

/** Timers that go off when told to, in the order in which they were set. */
function timers () {
  const waiting: Array<{ callback: () => void, ms: number }> = []
  return {
    waiting,
    setTimer (callback: () => void, ms: number) {
      const timer = { callback, ms }
      waiting.push(timer)
      return () => {
        const place = waiting.indexOf(timer)
        if (place >= 0) waiting.splice(place, 1)
      }
    },
    elapse: () => { for (const { callback } of waiting.splice(0)) callback() }
  }
}

await busContract(t, {
  name: 'this process',
  open: async () => {
    const { setTimer, elapse } = timers()
    return { bus: memoryBus({ setTimer }), elapse }
  }
})

const one = { durable: 'd', concurrency: 1, deliveriesMax: 2 }

t.test('a full queue drops further messages and counts them', async t => {
  const bus = memoryBus({ pendingMax: 3 })
  const busy = gate()
  const started = gate()
  const { took, all } = collecting<string>(4)
  await bus.consume('task.a.b', one, async ({ taskId }) => {
    started.open()
    await busy.opened
    took(taskId)
  })
  await bus.publish('task.a.b', { taskId: 'running' })
  await started.opened
  for (let i = 0; i < 5; i++) await bus.publish('task.a.b', { taskId: String(i) })
  t.equal(bus.dropped(), 2)
  busy.open()
  t.same(await all, ['running', '0', '1', '2'])
  for (let i = 0; i < 5; i++) await bus.publish('task.nobody.listens', { taskId: String(i) })
  t.equal(bus.dropped(), 4, 'also where nobody listens')
  await bus.close()
})

t.test('a failure is told, and whether its message was given up', async t => {
  const { setTimer, elapse, waiting } = timers()
  const { took, all } = collecting<DeliveryFailure>(2)
  const bus = memoryBus({
    setTimer,
    onFailure (failure) {
      took(failure)
      setImmediate(elapse)
    }
  })
  const cause = new Error('no')
  await bus.consume('task.a.b', one, async () => { throw cause })
  await bus.publish('task.a.b', { taskId: 'x' })
  const expected = { subject: 'task.a.b', durable: 'd', cause }
  t.same(await all, [
    { ...expected, delivery: 1, givenUp: false }, { ...expected, delivery: 2, givenUp: true }
  ])
  t.equal(waiting.length, 0, 'none is set for a message that was given up')
  await bus.close()
})

t.test('closing calls off the pause before a redelivery', async t => {
  const { setTimer, waiting } = timers()
  const paused = gate()
  const bus = memoryBus({
    setTimer (callback, ms) {
      t.equal(ms, 1_000)
      setImmediate(paused.open)
      return setTimer(callback, ms)
    }
  })
  // Not async, so it throws before there is a promise.
  await bus.consume('task.a.b', one, () => { throw new Error('no') })
  await bus.publish('task.a.b', { taskId: 'x' })
  await paused.opened
  t.equal(waiting.length, 1)
  await bus.close()
  t.equal(waiting.length, 0)
})

t.test('a message that came from elsewhere is checked before it is handled', async t => {
  t.same(decodeEvent('task.a.b', '{"taskId":"x"}'), { taskId: 'x' })
  for (const text of ['', '{', 'null', '{"taskId":1}', '{"taskId":"x","more":1}', '[]']) {
    t.throws(() => decodeEvent('task.a.b', text), TypeError, text)
  }
})
