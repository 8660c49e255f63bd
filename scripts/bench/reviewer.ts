/**
 * Tests a reviewer by perturbation: faults it must see, rewrites it must not mind, the same asked
 * again. `npm run bench:reviewer -- --help`
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { startServices } from '../../shared/app/start.ts'
import { silentLog } from '../../shared/app/log.ts'
import { characters, fakeReviewer } from '../../shared/testing/fake-reviewer.ts'
import { fakeVllm } from '../../shared/testing/fake-vllm.ts'
import { suite } from '../suite.ts'
import { suiteReviewers } from './reviewer/ask-suite.ts'
import { drawnItem } from './reviewer/drawn-figures.ts'
import { faultClasses, withFault } from './reviewer/faults.ts'
import { keyOf, knownReviewer, mending, type Known, type Planted } from './reviewer/known-reviewer.ts'
import { measureReviewer, type Measuring } from './reviewer/measure.ts'
import { reportText } from './reviewer/report.ts'

const help = `Tests a reviewer by perturbation.

  npm run bench:reviewer                                   fake reviewers of known sensitivity, the sample paper
  npm run bench:reviewer -- my.pdf --model M --upstream http://gpu:8000 [--vision]

  --repeats N   times each item is asked, default 3
  --items N     items at most, default 60
  --drawn N     drawn figures with a fault seen in the image alone, default 20; only with --vision
  --at-once N   calls at once, default 16
  --seed N      default 1
  --json        the figures as one JSON line for each reviewer
`
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    model: { type: 'string', multiple: true },
    upstream: { type: 'string' },
    vision: { type: 'boolean', default: false },
    repeats: { type: 'string', default: '3' },
    items: { type: 'string', default: '60' },
    drawn: { type: 'string', default: '20' },
    'at-once': { type: 'string', default: '16' },
    seed: { type: 'string', default: '1' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false }
  }
})

const allSeen = Object.fromEntries(faultClasses.map(name => [name, 1]))
/** What each fake was told; its measured AUC is to be (1 + sensitivity) / 2. */
const known: Record<string, Known> = {
  'fake-sees-all': { sensitivity: allSeen, sound: 5 },
  'fake-sees-half': { sensitivity: Object.fromEntries([...faultClasses.map(name => [name, 0.5]), ['rewrite', 0.2]]), sound: 5 }
}

if (values.help) process.stdout.write(help)
else await bench()

async function bench (): Promise<void> {
  const planted: Planted = new Map()
  const replies: Record<string, ReturnType<typeof fakeReviewer>> = {
    ...Object.fromEntries(Object.entries(known).map(([name, each]) =>
      [name, fakeReviewer(knownReviewer(each, planted))])),
    'fake-all-threes': fakeReviewer(characters.constant(3)),
    'fake-mends': fakeReviewer(mending)
  }
  const names = Object.keys(replies)
  const fake = values.upstream === undefined
    ? await fakeVllm({ models: names, maxModelLen: 32768, reply: body => replies[String(body.model)]!(body) })
    : undefined
  const dir = await mkdtemp(join(tmpdir(), 'viva-reviewer-'))
  const running = await startServices(suite, {
    ...process.env, PORT: '0', DATA_DIR: dir, RATE_PER_MINUTE: '0', UPSTREAMS: upstreamsAt(fake?.url)
  }, { log: silentLog() })
  try {
    const sample = fileURLToPath(new URL('../../examples/sample-paper/sample-paper.pdf', import.meta.url))
    const [seed, drawnCount] = [whole('seed'), whole('drawn')]
    const reviewers = await suiteReviewers({
      url: running.url, files: positionals.length > 0 ? positionals : [sample], itemsMax: whole('items'), seed, drawnCount
    })
    const measuring = { units: reviewers.units, repeats: whole('repeats'), drawnCount, seed, atOnce: whole('at-once') }
    if (fake !== undefined) plantAll(planted, measuring)
    for (const model of fake === undefined ? values.model ?? [] : names) {
      const report = await measureReviewer(await reviewers.reviewerOf(model), measuring)
      process.stdout.write(values.json ? `${JSON.stringify({ model, ...report })}\n` : `${reportText(model, report)}\n`)
    }
    await reviewers.close()
  } finally {
    await running.close()
    await fake?.close()
    await rm(dir, { recursive: true, force: true })
  }
}

function upstreamsAt (fakeUrl: string | undefined): string {
  const capabilities = fakeUrl !== undefined || values.vision ? ['vision'] : []
  return JSON.stringify([{ name: 'upstream', baseUrl: fakeUrl ?? values.upstream, capabilities }])
}

function plantAll (planted: Planted, { units, seed, drawnCount }: Measuring): void {
  for (const { items, document } of units) {
    for (const item of items) {
      for (const faultClass of [...faultClasses, 'rewrite'] as const) {
        const mutant = faultClass === 'figure-only' ? null : withFault(faultClass, item, { document, seed })
        if (mutant !== null) planted.set(keyOf(mutant, document), faultClass)
      }
    }
  }
  for (let i = 0; i < drawnCount; i++) {
    const { faulty, document, png } = drawnItem(i, seed)
    planted.set(`${keyOf(faulty, document)}\ndata:image/png;base64,${png.toString('base64')}`, 'figure-only')
  }
}

function whole (name: 'repeats' | 'items' | 'drawn' | 'at-once' | 'seed'): number {
  const value = Number(values[name])
  if (Number.isInteger(value) && value >= 0 && value <= 100_000) return value
  throw new Error(`--${name} takes a whole number, not "${values[name]}".`)
}
