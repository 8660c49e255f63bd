/**
 * Kills real processes and prints what that cost; exit code 1 if anything was lost or doubled.
 *
 *     node scripts/run.mjs scripts/bench/crash.ts [200] [SEED]                workers, at named points
 *     node scripts/run.mjs scripts/bench/crash.ts --distributed [100] [SEED]  a cluster, at random
 */
import { crashPoints, runCrashRounds } from '../../shared/testing/crash-rounds.ts'
import { exitWhenInterrupted } from '../../shared/testing/children.ts'
import { findEngine } from '../../shared/testing/engines.ts'
import { randomKills } from './faults/strikes.ts'
import { surviveUnderLoad, tooLong } from './faults/under-load.ts'

const distributed = process.argv.includes('--distributed')
const [count = distributed ? '100' : '200', seed = '1'] = process.argv.slice(2).filter(word => !word.startsWith('--'))
const began = performance.now()
const secondsSince = (): number => Math.round((performance.now() - began) / 1_000)

exitWhenInterrupted()
const wrong = distributed ? await killClusters() : await killWorkers()
console.log(wrong.length === 0 ? 'Nothing lost, nothing doubled.' : wrong.join('\n'))
process.exitCode = wrong.length === 0 ? 0 : 1

async function killWorkers (): Promise<string[]> {
  const summary = await runCrashRounds(Number(count), Number(seed), (life, point) => {
    if ((life + 1) % 20 === 0) process.stderr.write(`${life + 1} lives, the last died at ${point}\n`)
  })
  const { lives, jobs, calls, repeated, firstCallMs, wrong } = summary
  console.log(`SIGKILL at ${crashPoints.join(', ')}, in turn, seed ${seed}`)
  console.log(`${lives} processes killed in ${secondsSince()} s; ${jobs} jobs acknowledged`)
  console.log(`${calls} calls, ${repeated} of them repeated by a kill; first call after a restart within ${firstCallMs} ms`)
  return wrong
}

async function killClusters (): Promise<string[]> {
  const engine = await findEngine('nats-server')
  if ('reason' in engine) return [engine.reason]
  const killed: Record<string, number> = {}
  const { faults, walks, calls, repeated, stalls, wrong } = await surviveUnderLoad({
    natsServer: engine.path,
    strike: randomKills(Number(count), Number(seed), name => {
      killed[name] = (killed[name] ?? 0) + 1
      process.stderr.write(`${name} `)
    })
  })
  console.log(`\n${faults} SIGKILLs in ${secondsSince()} s, seed ${seed}: ${JSON.stringify(killed)}`)
  console.log(`${walks} papers walked to the same items and reports as in one process; ${calls} model calls, ${repeated} of them repeated`)
  console.log(`longest standstill with work open, ms: ${JSON.stringify(stalls)}`)
  return [...wrong, ...tooLong(stalls)]
}
