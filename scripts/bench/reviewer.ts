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
import { exitWhenInterrupted } from '../../shared/testing/children.ts'
import { silentLog } from '../../shared/app/log.ts'
import { characters, fakeReviewer } from '../../shared/testing/fake-reviewer.ts'
import { fakeVllm } from '../../shared/testing/fake-vllm.ts'
import { startLlamacpp } from '../conformance/engines/llamacpp.ts'
import { suite } from '../suite.ts'
import { suiteReviewers } from './reviewer/ask-suite.ts'
import { drawnItem } from './reviewer/drawn-figures.ts'
import { faultClasses, withFault } from './reviewer/faults.ts'
import { keyOf, knownReviewer, mending, obeying, type Known, type Planted } from './reviewer/known-reviewer.ts'
import { measureReviewer, type Measuring, type Reviewer } from './reviewer/measure.ts'
import { measureOrders, orders } from './reviewer/orders.ts'
import { ordersText, reportText } from './reviewer/report.ts'
import { wholeNumbers } from './whole-number.ts'

const help = `Tests a reviewer by perturbation.

  npm run bench:reviewer                                   fake reviewers of known sensitivity, the sample paper
  npm run bench:reviewer -- my.pdf --model M --upstream http://gpu:8000 [--vision]
  npm run bench:reviewer -- my.pdf --small-model           SmolLM2-135M by llama.cpp's server on this machine

  --orders      instead: how often orders to reviewers in the paper's text move a verdict
  --only NAMES  of the orders, separated by commas; all without it

  --repeats N   times each item is asked, default 3
  --items N     items at most, default 60
  --drawn N     drawn figures with a fault seen in the image alone, default 20; only with --vision
  --at-once N   calls at once, default 16
  --context N   tokens of prompt and reply together, default 8192
  --reply N     tokens of a reply at most, default 1024
  --rounds N    rewritings of an item at most, default 3
  --seed N      default 1
  --json        the figures as one JSON line for each reviewer
`
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    model: { type: 'string', multiple: true },
    upstream: { type: 'string' },
    vision: { type: 'boolean', default: false },
    'small-model': { type: 'boolean', default: false },
    orders: { type: 'boolean', default: false },
    only: { type: 'string' },
    context: { type: 'string', default: '8192' },
    reply: { type: 'string', default: '1024' },
    rounds: { type: 'string', default: '3' },
    repeats: { type: 'string', default: '3' },
    items: { type: 'string', default: '60' },
    drawn: { type: 'string', default: '20' },
    'at-once': { type: 'string', default: '16' },
    seed: { type: 'string', default: '1' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false }
  }
})
const whole = wholeNumbers(values, { least: 0 })

const allSeen = Object.fromEntries(faultClasses.map(name => [name, 1]))
/** What each fake was told; its measured AUC is to be (1 + sensitivity) / 2. */
const known: Record<string, Known> = {
  'fake-sees-all': { sensitivity: allSeen, sound: 5 },
  'fake-sees-half': { sensitivity: Object.fromEntries([...faultClasses.map(name => [name, 0.5]), ['rewrite', 0.2]]), sound: 5 }
}

exitWhenInterrupted()
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
  const obedient = Object.fromEntries([0, 0.5, 1].map(share => [`fake-obeys-${share}`, fakeReviewer(obeying(share, orders))]))
  if (values.orders) Object.assign(replies, obedient)
  const names = values.orders ? Object.keys(obedient) : Object.keys(replies)
  const engine = values['small-model']
    ? await startLlamacpp(line => { process.stderr.write(`${line}\n`) }, { contextLength: whole('context'), slots: whole('at-once') })
    : undefined
  const upstream = engine?.url ?? values.upstream
  const fake = upstream === undefined
    ? await fakeVllm({ models: names, maxModelLen: 32768, reply: body => replies[String(body.model)]!(body) })
    : undefined
  const dir = await mkdtemp(join(tmpdir(), 'viva-reviewer-'))
  const running = await startServices(suite, {
    ...process.env, PORT: '0', DATA_DIR: dir, RATE_PER_MINUTE: '0', UPSTREAMS: upstreamsAt(fake?.url ?? upstream, fake !== undefined)
  }, { log: silentLog() })
  try {
    const sample = fileURLToPath(new URL('../../examples/sample-paper/sample-paper.pdf', import.meta.url))
    const [seed, drawnCount] = [whole('seed'), whole('drawn')]
    const reviewers = await suiteReviewers({
      url: running.url,
      files: positionals.length > 0 ? positionals : [sample],
      itemsMax: whole('items'),
      seed,
      drawnCount,
      reading: { contextTokens: whole('context'), maxRounds: whole('rounds'), sampling: { maxTokens: whole('reply') } }
    })
    const measuring = { units: reviewers.units, repeats: whole('repeats'), drawnCount, seed, atOnce: whole('at-once') }
    if (fake !== undefined) plantAll(planted, measuring)
    const asked = fake !== undefined ? names : engine === undefined ? values.model ?? [] : [engine.model]
    for (const model of asked) {
      if (values.orders) {
        await benchOrders(model, await reviewers.reviewerOf(model), measuring)
        continue
      }
      const report = await measureReviewer(await reviewers.reviewerOf(model), measuring)
      process.stdout.write(values.json ? `${JSON.stringify({ model, ...report })}\n` : `${reportText(model, report)}\n`)
    }
    await reviewers.close()
  } finally {
    await running.close()
    await fake?.close()
    await engine?.close()
    await rm(dir, { recursive: true, force: true })
  }
}

async function benchOrders (model: string, reviewer: Reviewer, { units, atOnce }: Measuring): Promise<void> {
  const subjects = units.flatMap(({ items, document }) => items.map(item => ({ item, document })))
  const only = values.only?.split(',')
  const report = await measureOrders(reviewer, {
    subjects, atOnce, orders: orders.filter(({ name }) => only?.includes(name) ?? true)
  })
  process.stdout.write(values.json ? `${JSON.stringify({ model, ...report })}\n` : `${ordersText(model, report)}\n`)
}

function upstreamsAt (baseUrl: string | undefined, isFake: boolean): string {
  return JSON.stringify([{ name: 'upstream', baseUrl, capabilities: isFake || values.vision ? ['vision'] : [] }])
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
