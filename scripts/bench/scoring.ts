/**
 * How fast metrics are beside the reference implementations in one run, and whether they agree; and how fast
 * large tables are resampled: `npm run bench:scoring -- [--only rouge,bleu,…] [--pairs 10000] [--seed 1]
 * [--json]`. The references are Python packages, installed once into the cache folder. Ratios are of CPU
 * time, of all threads of a process.
 */
import { parseArgs } from 'node:util'
import { table } from './inference/figure.ts'
import { measureEach, namesAsked, type Benches } from './named-benches.ts'
import { amipSpeed } from './scoring/amip.ts'
import { bleu } from './scoring/bleu.ts'
import { chrf } from './scoring/chrf.ts'
import { pairedBootstrapSpeed } from './scoring/paired-bootstrap.ts'
import { report } from './scoring/report.ts'
import { rouge, rougeStemmed } from './scoring/rouge.ts'
import { similarity } from './scoring/similarity.ts'
import type { Sizes } from './scoring/sizes.ts'

const benches: Benches<Sizes> = {
  rouge,
  'rouge-stemmed': rougeStemmed,
  bleu,
  chrf,
  similarity,
  bootstrap: pairedBootstrapSpeed,
  amip: amipSpeed,
  report
}

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: Object.keys(benches).join(',') },
    pairs: { type: 'string', default: '10000' },
    seed: { type: 'string', default: '1' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false }
  }
})
const usage = 'npm run bench:scoring -- [--only NAME,…] [--pairs 10000] [--seed 1] [--json]'
const names = namesAsked(benches, { ...values, usage })
const sizes: Sizes = { pairs: whole('pairs'), seed: whole('seed') }
const figures = await measureEach(names, benches, sizes)
process.stdout.write(values.json ? `${JSON.stringify({ node: process.version, sizes, figures })}\n` : `${table(figures)}\n`)
process.exit(figures.some(({ met }) => met === false) ? 1 : 0)

function whole (name: 'pairs' | 'seed'): number {
  const value = Number(values[name])
  if (Number.isInteger(value) && value >= 1 && value <= 1_000_000) return value
  throw new Error(`--${name} takes a whole number from 1, not "${values[name]}".`)
}
