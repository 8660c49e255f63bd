import tap from 'tap'
import { engineOrSkip } from '../../shared/testing/engines.ts'
import { makeHosts, whyNoHosts } from '../../shared/testing/hosts.ts'
import { cutOff, inTurn, pauseReplicas, randomKills, wipeNats } from '../bench/faults/strikes.ts'
import { surviveUnderLoad } from '../bench/faults/under-load.ts'

const natsServer = await engineOrSkip(tap, 'nats-server')
const noHosts = await whyNoHosts()
/** The bench holds 10 s on a quiet machine; a test shares its cores with others. */
const stallMaxMs = 60_000

tap.test('a cluster whose clocks disagree outlives ten SIGKILLs, a wiped NATS and replicas that wake after their lease', {
  skip: natsServer === undefined && 'no nats-server'
}, async t => {
  const killed: string[] = []
  const survival = await surviveUnderLoad({
    natsServer: String(natsServer),
    stallMaxMs,
    strike: inTurn(
      randomKills(10, 7, name => killed.push(name)),
      wipeNats,
      pauseReplicas(['generation-2', 'reviewing-2', 'scoring-2'])
    )
  })
  t.same(survival.wrong, [])
  t.equal(new Set(killed).size, 10, 'each process died once')
  t.equal(survival.faults, 14)
  t.comment(JSON.stringify(survival))
})

tap.test('two hosts that are cut from each other go on once they are joined again', {
  skip: natsServer === undefined ? 'no nats-server' : noHosts ?? false
}, async t => {
  const { here, hosts: [first, second], close } = await makeHosts(2)
  t.teardown(close)
  if (first === undefined || second === undefined) throw new Error('two hosts were asked for')
  const onSecond = ['inference-1', 'generation-2', 'reviewing-2', 'scoring-2']
  const survival = await surviveUnderLoad({
    natsServer: String(natsServer),
    stallMaxMs,
    vllmHost: here,
    natsPlace: { host: first.address, prefix: first.prefix },
    placeOf (name) {
      const { address: host, prefix } = onSecond.includes(name) ? second : first
      return { host, prefix }
    },
    strike: inTurn(cutOff(second))
  })
  t.same(survival.wrong, [])
  t.comment(JSON.stringify(survival))
})
