import t from 'tap'
import { createHealth } from '../nats-health.ts'

t.test('what is refused now and then is told once, and its end after a calm time', async t => {
  let time = 0
  const told: boolean[] = []
  const health = createHealth(({ working }) => { told.push(working) }, () => time)
  health.linked(true, 'here')
  for (; time < 60_000; time += 1_000) {
    health.refused(new Error('full'))
    health.taken()
  }
  t.same(told, [true, false])
  time += 10_000
  health.taken()
  t.same(told, [true, false, true])
  t.ok(health.working())
})

t.test('a connection that comes back ends only what it can end', async t => {
  const told: boolean[] = []
  const health = createHealth(({ working }) => { told.push(working) })
  health.linked(true, 'here')
  health.refused(new Error('full'))
  health.consuming('a.b', 'differs')
  health.linked(false, 'gone')
  health.linked(true, 'here')
  t.notOk(health.working(), 'the consumer has not said that it works again')
  health.consuming('a.b', null)
  t.ok(health.working())
  t.same(told, [true, false, false, false, false, true])
})
