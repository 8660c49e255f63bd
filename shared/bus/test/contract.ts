/** What every adapter of Bus does. An adapter's own test calls this with a way to open it. */
import type { Test } from 'tap'
import type { Bus } from '../bus.ts'

export type Exemption = 'several durables on one subject'

export interface Opened {
  bus: Bus
  /** Lets the pause before a redelivery pass, where time is the test's; else it does nothing. */
  elapse?: () => void
}

export interface Adapter {
  name: string
  /** A new handle. What was sent through earlier ones may still be there: subjects are of one test. */
  open: () => Promise<Opened>
  exempt?: readonly Exemption[]
}

const generationId = `gen_${'0'.repeat(32)}`
let subjects = 0
const freshSubject = (): `task.${string}.${string}` => `task.contract.k${process.pid}-${subjects++}`
const one = { concurrency: 1, deliveriesMax: 5 }

/** Resolves with the first `count` things that `took` was called with. */
export function collecting<T> (count: number): { took: (value: T) => void, all: Promise<T[]> } {
  const values: T[] = []
  let took = (_: T): void => {}
  const all = new Promise<T[]>(resolve => {
    took = value => {
      values.push(value)
      if (values.length === count) resolve(values)
    }
  })
  return { took, all }
}

/** A promise, and what resolves it. */
export function gate (): { opened: Promise<void>, open: () => void } {
  let open = (): void => {}
  const opened = new Promise<void>(resolve => { open = resolve })
  return { opened, open }
}

export async function busContract (t: Test, adapter: Adapter): Promise<void> {
  await t.test(`bus of ${adapter.name}: delivery`, async t => await delivery(t, adapter))
  await t.test(`bus of ${adapter.name}: sharing`, async t => await sharing(t, adapter))
  await t.test(`bus of ${adapter.name}: redelivery`, async t => await redelivery(t, adapter))
  await t.test(`bus of ${adapter.name}: checks`, async t => await checks(t, adapter))
  await t.test(`bus of ${adapter.name}: closing`, async t => await closing(t, adapter))
}

async function delivery (t: Test, { open }: Adapter): Promise<void> {
  const { bus } = await open()
  t.teardown(async () => await bus.close())

  await t.test('each message reaches a handler, as it was sent', async t => {
    const subject = freshSubject()
    const { took, all } = collecting<string>(100)
    await bus.consume(subject, { durable: 'd', concurrency: 4, deliveriesMax: 1 }, async ({ taskId }) => took(taskId))
    const sent = Array.from({ length: 100 }, (_, i) => `tâsk "${i}" 😀`)
    for (const taskId of sent) await bus.publish(subject, { taskId })
    t.same((await all).sort(), sent.sort())
  })
  await t.test('an event of a service arrives under its own name', async t => {
    const { took, all } = collecting<{ generationId: string }>(1)
    await bus.consume('generation.finished', { durable: 'events', ...one }, async event => took(event))
    await bus.publish('generation.finished', { generationId })
    t.same(await all, [{ generationId }])
  })
  await t.test('never more handlers run at once than asked for, and that many do', async t => {
    const subject = freshSubject()
    const { took, all } = collecting<number>(9)
    const busy = gate()
    let running = 0
    await bus.consume(subject, { durable: 'd', concurrency: 3, deliveriesMax: 1 }, async () => {
      running++
      if (running === 3) busy.open()
      // All wait for the third; a fourth would be counted.
      await busy.opened
      took(running)
      running--
    })
    for (let i = 0; i < 9; i++) await bus.publish(subject, { taskId: String(i) })
    t.ok((await all).every(count => count <= 3))
  })
  await t.test('a handler may publish, also to its own subject', async t => {
    const subject = freshSubject()
    const { took, all } = collecting<string>(5)
    await bus.consume(subject, { durable: 'd', ...one }, async ({ taskId }) => {
      if (taskId.length < 5) await bus.publish(subject, { taskId: `${taskId}x` })
      took(taskId)
    })
    await bus.publish(subject, { taskId: 'x' })
    t.same(await all, ['x', 'xx', 'xxx', 'xxxx', 'xxxxx'])
  })
}

async function sharing (t: Test, { open, exempt = [] }: Adapter): Promise<void> {
  const { bus } = await open()
  t.teardown(async () => await bus.close())

  await t.test('those who share a durable name share the messages', async t => {
    const subject = freshSubject()
    const { took, all } = collecting<string>(20)
    const seen = new Set<string>()
    for (const who of ['a', 'b']) {
      await bus.consume(subject, { durable: 'shared', ...one }, async ({ taskId }) => {
        seen.add(who)
        took(taskId)
      })
    }
    for (let i = 0; i < 20; i++) await bus.publish(subject, { taskId: String(i) })
    t.equal(new Set(await all).size, 20)
    t.equal(seen.size, 2, 'both had some')
  })
  await t.test('those with names of their own each get all', {
    skip: exempt.includes('several durables on one subject') && 'exempt'
  }, async t => {
    const subject = freshSubject()
    const { took, all } = collecting<string>(6)
    for (const durable of ['left', 'right']) {
      await bus.consume(subject, { durable, ...one }, async ({ taskId }) => took(durable + taskId))
    }
    for (let i = 0; i < 3; i++) await bus.publish(subject, { taskId: String(i) })
    t.same((await all).sort(), ['left0', 'left1', 'left2', 'right0', 'right1', 'right2'])
  })
  await t.test('what was sent before anyone listened reaches the first who does', async t => {
    const subject = freshSubject()
    await bus.publish(subject, { taskId: 'early' })
    const { took, all } = collecting<string>(1)
    await bus.consume(subject, { durable: 'd', ...one }, async ({ taskId }) => took(taskId))
    t.same(await all, ['early'])
  })
}

async function redelivery (t: Test, { open }: Adapter): Promise<void> {
  const { bus, elapse = () => {} } = await open()
  t.teardown(async () => await bus.close())

  await t.test('a message whose handler throws comes again, others meanwhile are not held up', async t => {
    const subject = freshSubject()
    const { took, all } = collecting<string>(4)
    const others = gate()
    let failures = 0
    await bus.consume(subject, { durable: 'd', ...one }, async ({ taskId }) => {
      took(taskId)
      if (taskId === 'good') others.open()
      if (taskId === 'bad' && failures++ < 2) {
        // After the throw has been dealt with, and so the pause begun.
        setImmediate(() => void others.opened.then(elapse))
        throw new Error('not yet')
      }
    })
    await bus.publish(subject, { taskId: 'bad' })
    await bus.publish(subject, { taskId: 'good' })
    t.same(await all, ['bad', 'good', 'bad', 'bad'])
  })
  await t.test('at most deliveriesMax times, and is then left to the sweeper', async t => {
    const subject = freshSubject()
    const deliveries: string[] = []
    const last = gate()
    await bus.consume(subject, { durable: 'd', concurrency: 1, deliveriesMax: 3 }, async ({ taskId }) => {
      deliveries.push(taskId)
      setImmediate(elapse)
      if (taskId === 'after') last.open()
      else if (deliveries.length === 3) setImmediate(() => void bus.publish(subject, { taskId: 'after' }))
      if (taskId === 'poison') throw new Error('never')
    })
    await bus.publish(subject, { taskId: 'poison' })
    await last.opened
    t.same(deliveries, ['poison', 'poison', 'poison', 'after'])
  })
  await t.test('who asks is told what was given up; until that is noted, it comes again', async t => {
    const subject = freshSubject()
    const { took, all } = collecting<unknown>(3)
    let notes = 0
    await bus.consume(subject, {
      durable: 'd',
      concurrency: 1,
      deliveriesMax: 1,
      onGivenUp: async event => {
        setImmediate(elapse)
        took(event)
        if (notes++ === 0) throw new Error('the store is away')
        await bus.publish(subject, { taskId: 'after' })
      }
    }, async ({ taskId }) => {
      if (taskId === 'poison') throw new Error('never')
      took(taskId)
    })
    await bus.publish(subject, { taskId: 'poison' })
    t.same(await all, [{ taskId: 'poison' }, { taskId: 'poison' }, 'after'])
  })
}

async function checks (t: Test, { open }: Adapter): Promise<void> {
  const { bus } = await open()
  t.teardown(async () => await bus.close())
  const publish = bus.publish as (subject: string, event: unknown) => Promise<void>
  const consume = bus.consume as unknown as (
    subject: string, options: object, handle: () => Promise<void>
  ) => Promise<void>

  await t.test('what the contract does not know is refused by the one who sends it', async t => {
    const wrong: Array<[string, unknown]> = [
      ['generation.finished', { generationId: 'gen_1' }], ['generation.finished', { generationId, more: 1 }],
      ['generation.finished', {}], ['generation.finished', null], ['task.a.b', { taskId: 7 }], ['task.a.b', 'x'],
      ['task.a', { taskId: 'x' }], ['task.*.b', { taskId: 'x' }], ['task.a.>', { taskId: 'x' }],
      ['task.a.b.c', { taskId: 'x' }], ['task.a b.c', { taskId: 'x' }], ['', {}], ['toString', {}], ['__proto__', {}]
    ]
    for (const [subject, event] of wrong) await t.rejects(publish(subject, event), TypeError, subject)
  })
  await t.test('a message that is no id but a document is refused', async t =>
    await t.rejects(publish('task.a.b', { taskId: 'x'.repeat(10_000) }), RangeError))
  await t.test('a consumer needs a subject, a name and whole limits', async t => {
    const handle = async (): Promise<void> => {}
    const good = { durable: 'd', concurrency: 1, deliveriesMax: 1 }
    await t.rejects(consume('task.*.x', good, handle), TypeError)
    await t.rejects(consume('task.a.b', { ...good, durable: 'a.b' }, handle), TypeError)
    await t.rejects(consume('task.a.b', { ...good, concurrency: 0 }, handle), RangeError)
    await t.rejects(consume('task.a.b', { ...good, deliveriesMax: 1.5 }, handle), RangeError)
  })
}

async function closing (t: Test, { open }: Adapter): Promise<void> {
  await t.test('waits for the handlers that run, starts no others, and refuses from then on', async t => {
    const { bus } = await open()
    const subject = freshSubject()
    const started = gate()
    const release = gate()
    const handled: string[] = []
    await bus.consume(subject, { durable: 'd', ...one }, async ({ taskId }) => {
      started.open()
      await release.opened
      handled.push(taskId)
    })
    await bus.publish(subject, { taskId: 'first' })
    await bus.publish(subject, { taskId: 'second' })
    await started.opened
    let closed = false
    const closing = bus.close().then(() => { closed = true })
    await new Promise(resolve => setImmediate(resolve))
    t.equal(closed, false)
    release.open()
    await closing
    t.same(handled, ['first'])
    await bus.close()
    const refused = { name: 'Problem', kind: 'shutting-down' }
    await t.rejects(bus.publish(subject, { taskId: 'late' }), refused)
    await t.rejects(bus.consume(subject, { durable: 'd', ...one }, async () => {}), refused)
  })
}
