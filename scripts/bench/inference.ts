/**
 * What the proxy in front of model servers costs and keeps: `npm run bench:inference -- [--only
 * NAME,…] [--rounds 5] [--seconds 4] [--json] [--profile DIR]`. Both sides of a comparison run in
 * one go, in turns. Rates depend on what else the machine does; CPU times and ratios of one round hardly do.
 */
import { parseArgs } from 'node:util'
import { exitWhenInterrupted } from '../../shared/testing/children.ts'
import { accounting } from './inference/accounting.ts'
import { affinity } from './inference/affinity.ts'
import { busySlots } from './inference/busy-slots.ts'
import { cancellation } from './inference/cancellation.ts'
import { drained } from './inference/chaos/drained.ts'
import { killed } from './inference/chaos/killed.ts'
import { mixedLoad } from './inference/chaos/mixed-load.ts'
import type { Settings } from './inference/figure.ts'
import { firstByte } from './inference/first-byte.ts'
import { notebook } from './inference/notebook.ts'
import { pinOurselves } from './inference/process.ts'
import { replay } from './inference/replay.ts'
import { jsonRequests, streamRequests } from './inference/requests.ts'
import { chunks, memory } from './inference/streams.ts'
import { measureEach, namesAsked, tellFigures, type Benches } from './named-benches.ts'

const benches: Benches<Settings> = {
  json: jsonRequests,
  stream: streamRequests,
  chunks,
  'first-byte': firstByte,
  memory,
  cancellation,
  affinity,
  'busy-slots': busySlots,
  replay,
  accounting,
  notebook,
  'mixed-load': mixedLoad,
  drained,
  killed
}

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: Object.keys(benches).join(',') },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '4' },
    json: { type: 'boolean', default: false },
    profile: { type: 'string' },
    help: { type: 'boolean', default: false }
  }
})
const usage = 'npm run bench:inference -- [--only NAME,…] [--rounds 5] [--seconds 4] [--json]'
const names = namesAsked(benches, { ...values, usage })

if (values.profile !== undefined) process.env.BENCH_PROFILE_DIR = values.profile
exitWhenInterrupted()
pinOurselves()
const settings = { rounds: Number(values.rounds), seconds: Number(values.seconds) }
const figures = await measureEach(names, benches, settings)
tellFigures(figures, { json: values.json, settings })
process.exit(0)
