/**
 * How fast metrics are beside the reference implementations in one run, and whether they agree; and how fast
 * large tables are resampled: `npm run bench:scoring -- [--only rouge,bleu,…] [--pairs 10000] [--seed 1]
 * [--json]`. The references are Python packages, installed once into the cache folder. Ratios are of CPU
 * time, of all threads of a process.
 */
import { parseArgs } from 'node:util'
import { measureEach, namesAsked, tellFigures, type Benches } from './named-benches.ts'
import { amipSpeed } from './scoring/amip.ts'
import { bleu } from './scoring/bleu.ts'
import { chrf } from './scoring/chrf.ts'
import { pairedBootstrapSpeed } from './scoring/paired-bootstrap.ts'
import { report } from './scoring/report.ts'
import { rouge, rougeStemmed } from './scoring/rouge.ts'
import { similarity } from './scoring/similarity.ts'
import type { Sizes } from './scoring/sizes.ts'
import { wholeNumbers } from './whole-number.ts'

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
const whole = wholeNumbers(values, { most: 1_000_000 })
const usage = 'npm run bench:scoring -- [--only NAME,…] [--pairs 10000] [--seed 1] [--json]'
const names = namesAsked(benches, { ...values, usage })
const sizes: Sizes = { pairs: whole('pairs'), seed: whole('seed') }
const figures = await measureEach(names, benches, sizes)
tellFigures(figures, { json: values.json, sizes })
process.exit(figures.some(({ met }) => met === false) ? 1 : 0)
