/**
 * How fast scoring computes: `npm run bench:scoring -- [--only bootstrap,amip] [--json]`.
 */
import { parseArgs } from 'node:util'
import { table } from './inference/figure.ts'
import { measureEach, namesAsked, type Benches } from './named-benches.ts'
import { amipSpeed } from './scoring/amip.ts'
import { pairedBootstrapSpeed } from './scoring/paired-bootstrap.ts'

const benches: Benches<null> = { bootstrap: pairedBootstrapSpeed, amip: amipSpeed }

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: Object.keys(benches).join(',') },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false }
  }
})
const names = namesAsked(benches, { ...values, usage: 'npm run bench:scoring -- [--only NAME,…] [--json]' })
const figures = await measureEach(names, benches, null)
process.stdout.write(values.json ? `${JSON.stringify({ node: process.version, figures })}\n` : `${table(figures)}\n`)
process.exit(figures.some(({ met }) => met === false) ? 1 : 0)
