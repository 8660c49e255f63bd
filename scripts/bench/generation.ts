/**
 * What generation and reviewing with a model keep and cost: `npm run bench:generation -- [--only
 * slots,kills,queue] [--papers 60] [--slots 64] [--latency 2000] [--kills 200] [--seed 1]
 * [--queue 1000] [--json] [--profile DIR]`. The model server is a fake in a process of its own.
 */
import { loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { exitWhenInterrupted } from '../../shared/testing/children.ts'
import { kills } from './generation/kills.ts'
import { queue } from './generation/queue.ts'
import type { Sizes } from './generation/sizes.ts'
import { slots } from './generation/slots.ts'
import { table, type Figure } from './inference/figure.ts'

const benches: Record<string, (sizes: Sizes) => Promise<Figure[]>> = { slots, kills, queue }

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: Object.keys(benches).join(',') },
    papers: { type: 'string', default: '60' },
    slots: { type: 'string', default: '64' },
    latency: { type: 'string', default: '2000' },
    kills: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    queue: { type: 'string', default: '1000' },
    json: { type: 'boolean', default: false },
    profile: { type: 'string' },
    help: { type: 'boolean', default: false }
  }
})
const names = values.only.split(',').map(name => name.trim())
const unknown = names.filter(name => !Object.hasOwn(benches, name))
if (values.help || unknown.length > 0) {
  process.stderr.write(`npm run bench:generation -- [--only NAME,…] [--papers 60] [--slots 64] [--latency 2000] [--kills 200] [--seed 1] [--queue 1000] [--json] [--profile DIR]; names: ${Object.keys(benches).join(', ')}\n`)
  process.exit(unknown.length > 0 ? 1 : 0)
}

if (values.profile !== undefined) process.env.BENCH_PROFILE_DIR = values.profile
exitWhenInterrupted()
const sizes: Sizes = {
  papers: whole('papers'),
  slots: whole('slots'),
  latencyMs: whole('latency'),
  kills: whole('kills'),
  seed: whole('seed'),
  queue: whole('queue')
}
const figures: Array<Figure & { bench: string, load: number, seconds: number }> = []
for (const name of names) {
  process.stderr.write(`${name} …\n`)
  const load = loadavg()[0] ?? NaN
  const began = performance.now()
  const found = await benches[name]!(sizes)
  const seconds = Math.round((performance.now() - began) / 1_000)
  figures.push(...found.map(figure => ({ bench: name, load, seconds, ...figure })))
  process.stderr.write(`  ${seconds} s, load ${load.toFixed(1)} before\n`)
  for (const { what, measured } of found) process.stderr.write(`  ${what}: ${measured}\n`)
}
process.stdout.write(values.json ? `${JSON.stringify({ node: process.version, sizes, figures })}\n` : `${table(figures)}\n`)
process.exit(figures.some(({ met }) => met === false) ? 1 : 0)

function whole (name: 'papers' | 'slots' | 'latency' | 'kills' | 'seed' | 'queue'): number {
  const value = Number(values[name])
  if (Number.isInteger(value) && value >= 1 && value <= 100_000) return value
  throw new Error(`--${name} takes a whole number from 1, not "${values[name]}".`)
}
