/**
 * What befalls an installation, and how it gets over it: `node scripts/run.mjs scripts/bench/faults.ts`.
 * First a cluster on NATS under load (half of it on another host, where network namespaces can be
 * had), then the suite on MongoDB's protocol whose store is away for 30 s. Exit code 1 if anything
 * was lost, doubled, or went on later than 10 s after a fault.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { exitWhenInterrupted } from '../../shared/testing/children.ts'
import { findEngine } from '../../shared/testing/engines.ts'
import { startFerretDb } from '../../shared/testing/ferretdb.ts'
import { makeHosts, whyNoHosts } from '../../shared/testing/hosts.ts'
import { walkSample, walkThroughCut } from './faults/store-cut.ts'
import { cutOff, inTurn, pauseReplicas, randomKills, wipeNats } from './faults/strikes.ts'
import { onTwoHosts, surviveUnderLoad, tooLong } from './faults/under-load.ts'

const storeAwayMs = 30_000
const resumedMaxMs = 10_000

exitWhenInterrupted()
const wrong = [...await onCluster(), ...await withoutStore()]
console.log(wrong.length === 0 ? 'Nothing lost, nothing doubled, and work resumed within 10 s.' : wrong.join('\n'))
process.exitCode = wrong.length === 0 ? 0 : 1

async function onCluster (): Promise<string[]> {
  const engine = await findEngine('nats-server')
  if ('reason' in engine) return [engine.reason]
  const noHosts = await whyNoHosts()
  if (noHosts !== undefined) console.log(`On one host, without a cut: ${noHosts}`)
  const hosts = noHosts === undefined ? await makeHosts(2) : undefined
  const second = hosts?.hosts[1]
  const late: string[] = []
  const { faults, walks, calls, repeated, wrong } = await surviveUnderLoad({
    natsServer: engine.path,
    ...hosts !== undefined && onTwoHosts(hosts),
    strike: inTurn({
      'ten SIGKILLs, each process once': randomKills(10, 1),
      'NATS killed, its folder wiped': wipeNats,
      'replicas stopped for 11 s, then woken': pauseReplicas(['generation-2', 'reviewing-2', 'scoring-2']),
      ...second !== undefined && { 'hosts cut from each other for 8 s': cutOff(second) }
    }, (name, stalls) => {
      console.log(`${name}: longest standstill with work open, ms: ${JSON.stringify(stalls)}`)
      late.push(...tooLong(stalls).map(line => `${name}: ${line}`))
    })
  }).finally(async () => { await hosts?.close() })
  console.log(`${faults} faults, clocks two hours apart; ${walks} papers walked, ${calls} model calls, ${repeated} of them repeated`)
  return [...wrong, ...late]
}

async function withoutStore (): Promise<string[]> {
  const engine = await findEngine('ferretdb')
  if ('reason' in engine) return [engine.reason]
  const dir = await mkdtemp(join(tmpdir(), 'viva-store-cut-'))
  const server = await startFerretDb(engine.path, join(dir, 'ferretdb'))
  const wrong: string[] = []
  try {
    const embedded = await walkSample(join(dir, 'embedded'))
    for (const how of ['cut', 'blackhole'] as const) {
      const { sights, resumedMs, ...walked } = await walkThroughCut({
        port: server.port, database: how, dataDir: join(dir, how), how, cutMs: storeAwayMs
      })
      const seen = sights.map(({ path, status, ms }) => `${path.replace(/gen_\w+/, 'ID')} ${status} in ${Math.round(ms)} ms`)
      console.log(`store away for 30 s (${how}): ${seen.join(', ')}; on again ${Math.round(resumedMs)} ms after it is back`)
      for (const { path, status, retryAfter } of sights) {
        const right = path === '/health/live' ? status === 200 : status === 503 && retryAfter !== ''
        if (!right) wrong.push(`${path} answered ${status} without a store`)
      }
      if (resumedMs > resumedMaxMs) wrong.push(`The job went on ${Math.round(resumedMs)} ms after the store was back`)
      const same = walked.items.equals(embedded.items) && walked.report.equals(embedded.report)
      if (!same) wrong.push(`After the ${how} the walk ended with other bytes than on embedded stores`)
    }
  } finally {
    await server.kill()
    await rm(dir, { recursive: true, force: true })
  }
  return wrong
}
