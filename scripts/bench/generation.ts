/**
 * What generation and reviewing with a model keep and cost: `npm run bench:generation -- [--only
 * slots,kills,queue] [--papers 60] [--slots 64] [--latency 2000] [--kills 200] [--seed 1]
 * [--queue 1000] [--json] [--profile DIR]`. The model server is a fake in a process of its own.
 */
import { parseArgs } from 'node:util'
import { exitWhenInterrupted } from '../../shared/testing/children.ts'
import { kills } from './generation/kills.ts'
import { queue } from './generation/queue.ts'
import type { Sizes } from './generation/sizes.ts'
import { slots } from './generation/slots.ts'
import { measureEach, namesAsked, tellFigures, type Benches } from './named-benches.ts'
import { wholeNumbers } from './whole-number.ts'

const benches: Benches<Sizes> = { slots, kills, queue }

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
const whole = wholeNumbers(values)
const usage = 'npm run bench:generation -- [--only NAME,…] [--papers 60] [--slots 64] [--latency 2000] [--kills 200] [--seed 1] [--queue 1000] [--json] [--profile DIR]'
const names = namesAsked(benches, { ...values, usage })

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
const figures = await measureEach(names, benches, sizes)
tellFigures(figures, { json: values.json, sizes })
process.exit(figures.some(({ met }) => met === false) ? 1 : 0)
