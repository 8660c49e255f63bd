/**
 * Kills 200 real worker processes, or as many as it is told, and prints what that cost:
 * `node scripts/run.mjs scripts/bench/crash.ts [ROUNDS] [SEED]`. Exit code 1 if anything was lost.
 */
import { crashPoints, runCrashRounds } from '../../shared/testing/crash-rounds.ts'

const [rounds = '200', seed = '1'] = process.argv.slice(2)
const began = performance.now()
const summary = await runCrashRounds(Number(rounds), Number(seed), (life, point) => {
  if ((life + 1) % 20 === 0) process.stderr.write(`${life + 1} lives, the last died at ${point}\n`)
})
const { lives, jobs, calls, repeated, firstCallMs, wrong } = summary
console.log(`SIGKILL at ${crashPoints.join(', ')}, in turn, seed ${seed}`)
console.log(`${lives} processes killed in ${Math.round((performance.now() - began) / 1_000)} s; ${jobs} jobs acknowledged`)
console.log(`${calls} calls, ${repeated} of them repeated by a kill; first call after a restart within ${firstCallMs} ms`)
console.log(wrong.length === 0 ? 'Nothing lost, nothing doubled.' : wrong.join('\n'))
process.exitCode = wrong.length === 0 ? 0 : 1
