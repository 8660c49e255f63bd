/**
 * The parameter-recovery study: data are simulated whose truth is known, and what the statistics say of
 * them is held against it: `npm run bench:truth -- [--only coverage,tau,…] [--replicates 2000] [--worlds 8]
 * [--seed 1] [--json]`. `--only pipeline` puts simulated models to simulated benchmarks over HTTP, and
 * `--only judged` their replies to judges of known bias; that takes thousands of calls, so it is not done
 * unless it is asked for.
 */
import { parseArgs } from 'node:util'
import { measureEach, namesAsked, tellFigures, type Benches } from './named-benches.ts'
import { coverage, effectiveCoverage } from './truth/coverage.ts'
import { components, judges, power } from './truth/designs.ts'
import { bounds, miskeyedItems } from './truth/items.ts'
import { families, rankSets, tau } from './truth/rankings.ts'
import { judged } from './truth/pipeline/judged.ts'
import { pipeline } from './truth/pipeline/pipeline.ts'
import type { Study } from './truth/study.ts'
import { wholeNumbers } from './whole-number.ts'

const computed: Benches<Study> = {
  coverage,
  effective: effectiveCoverage,
  tau,
  ranks: rankSets,
  families,
  miskeys: miskeyedItems,
  bounds,
  components,
  judges,
  power
}
const benches: Benches<Study & { worlds: number }> = { ...computed, pipeline, judged }

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: Object.keys(computed).join(',') },
    replicates: { type: 'string', default: '2000' },
    worlds: { type: 'string', default: '8' },
    seed: { type: 'string', default: '1' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false }
  }
})
const whole = wholeNumbers(values)
const usage = 'npm run bench:truth -- [--only NAME,…] [--replicates 2000] [--worlds 8] [--seed 1] [--json]'
const names = namesAsked(benches, { ...values, usage })
const study = { replicates: whole('replicates'), worlds: whole('worlds'), seed: whole('seed') }
const figures = await measureEach(names, benches, study)
tellFigures(figures, { json: values.json, study })
process.exit(figures.some(({ met }) => met === false) ? 1 : 0)
