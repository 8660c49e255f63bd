import tap from 'tap'
import { engineOrSkip } from '../../shared/testing/engines.ts'
import { makeHosts, whyNoHosts } from '../../shared/testing/hosts.ts'
import { cutOff, inTurn, pauseReplicas, randomKills, wipeNats } from '../bench/faults/strikes.ts'
import { onTwoHosts, surviveUnderLoad } from '../bench/faults/under-load.ts'

// One cluster for all: it costs more to start and to check than to hurt.
tap.test('a cluster whose clocks disagree outlives ten SIGKILLs, a wiped NATS, replicas that wake after their lease, and a cut between its hosts', async t => {
  const natsServer = await engineOrSkip(t, 'nats-server')
  if (natsServer === undefined) return
  const noHosts = await whyNoHosts()
  const hosts = noHosts === undefined ? await makeHosts(2) : undefined
  if (hosts === undefined) t.comment(`on one host and without the cut: ${noHosts}`)
  else t.teardown(hosts.close)
  const second = hosts?.hosts[1]
  const killed: string[] = []
  const survival = await surviveUnderLoad({
    natsServer,
    ...hosts !== undefined && onTwoHosts(hosts),
    strike: inTurn({
      'ten SIGKILLs': randomKills(10, 7, name => killed.push(name)),
      'NATS wiped': wipeNats,
      'replicas paused': pauseReplicas(['generation-2', 'reviewing-2', 'scoring-2']),
      ...second !== undefined && { 'hosts cut apart': cutOff(second) }
    }, (name, stalls) => t.comment(`${name}: ${JSON.stringify(stalls)}`))
  })
  t.same(survival.wrong, [])
  t.equal(new Set(killed).size, 10, 'each process died once')
  t.equal(survival.faults, hosts === undefined ? 14 : 15)
  t.comment(JSON.stringify(survival))
})
