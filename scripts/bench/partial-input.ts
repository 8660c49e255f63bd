/**
 * Whether partial-input baselines find the items that leak, and leave the others alone.
 * `npm run bench:partial-input -- --help`
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { silentLog } from '../../shared/app/log.ts'
import { startServices } from '../../shared/app/start.ts'
import type { Document } from '../../shared/contracts/document.ts'
import { fakeSolver, type Habits } from '../../shared/testing/fake-solver.ts'
import { fakeVllm } from '../../shared/testing/fake-vllm.ts'
import { api } from '../exam/api.ts'
import { suite } from '../suite.ts'
import { measure, type Measured } from './partial-input/measure.ts'
import { usual, type Guessing, type Scenario } from './partial-input/simulate.ts'
import { knownOf, prepare, walk } from './partial-input/suite.ts'
import { wholeNumbers } from './whole-number.ts'

const help = `Whether partial-input baselines find planted leaky items.

  npm run bench:partial-input                   simulated families on simulated items, then the whole way once
  npm run bench:partial-input -- --json         as JSON lines

  --replicates N   simulated sets for each line, default 40
  --items N        items of a set, default 100; of yes/no questions, pairs
  --seed N         default 1
  --no-suite       without the whole way through the API
`
const { values } = parseArgs({
  allowNegative: true,
  options: {
    replicates: { type: 'string', default: '40' },
    items: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
    suite: { type: 'boolean', default: true },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false }
  }
})
const whole = wholeNumbers(values)

const guessings: Record<string, Guessing> = {
  'by chance': {},
  'fixed in a family': { fixed: 1 },
  'by position, or always yes': { first: 0.8 },
  'a third shared by all families': { herd: 0.3, fixed: 0.3, first: 0.2 },
  'all shared by all families': { herd: 1 }
}

if (values.help) process.stdout.write(help)
else {
  simulations()
  if (values.suite) await wholeWay()
}

function simulations (): void {
  const size = { items: whole('items') }
  const draws = { replicates: whole('replicates'), seed: whole('seed') }
  if (!values.json) {
    process.stdout.write(`Leaky items found from models that guess otherwise; ${draws.replicates} sets of ${size.items} items, a fifth of them leaky, or none.

| kind | families | guessing | AUC | found at .05, .10 | false among found | set without leaks: items flagged | leaks: sets with a false flag | sound: needs paper | all askings, binomial: sound flagged |
|---|---|---|---|---|---|---|---|---|---|
`)
  }
  for (const alternatives of [4, 2]) {
    for (const families of [5, 8, 12]) {
      for (const [name, guessing] of Object.entries(guessings)) {
        const scenario: Scenario = { ...usual, ...size, alternatives, families, guessing }
        const leaking = measure(scenario, draws)
        const sound = measure({ ...scenario, leaky: 0 }, draws)
        const kind = alternatives === 2 ? 'pair' : 'choice of 4'
        process.stdout.write(values.json
          ? `${JSON.stringify({ kind, families, guessing: name, leaking, sound })}\n`
          : `| ${kind} | ${families} | ${name} | ${lineOf(leaking, sound)} |\n`)
      }
    }
  }
}

function lineOf ({ auc, at, anyFalse, yesOfSound, naive }: Measured, sound: Measured): string {
  const [five, ten] = [at['0.05'], at['0.1']]
  return [
    (auc ?? NaN).toFixed(3),
    `${percent(five.found)}, ${percent(ten.found)}`,
    `${percent(five.falseShare)}, ${percent(ten.falseShare)}`,
    percent(sound.at['0.05'].flaggedOfSound),
    percent(anyFalse),
    percent(yesOfSound),
    percent(naive)
  ].join(' | ')
}

async function wholeWay (): Promise<void> {
  const names = ['llama', 'qwen', 'gemma', 'mistral', 'phi-4', 'exaone', 'granite', 'falcon'].map(name => `${name}-fake`)
  const habits: Record<string, Habits> = Object.fromEntries(names.map((name, i) => {
    const guessing = { herd: 0.1, fixed: i % 2 === 0 ? 0.6 : 0.1, first: i % 3 === 0 ? 0.3 : 0 }
    return [name, { family: name, skill: 0.95, ...guessing }]
  }))
  let reply: (body: Record<string, unknown>) => string = () => ''
  const fake = await fakeVllm({ models: names, maxModelLen: 32768, reply: body => reply(body) })
  const dir = await mkdtemp(join(tmpdir(), 'viva-partial-input-'))
  const running = await startServices(suite, {
    ...process.env, PORT: '0', DATA_DIR: dir, RATE_PER_MINUTE: '0', UPSTREAMS: JSON.stringify([{ name: 'fake', baseUrl: fake.url, capabilities: ['vision'] }])
  }, { log: silentLog() })
  try {
    const http = api(running.url)
    const sample = fileURLToPath(new URL('../../examples/sample-paper/sample-paper.pdf', import.meta.url))
    for (const { reviewingId, items } of await prepare(http, sample)) {
      const { source } = items[0]!
      const document = await http.get<Document>(`/v1/papers/${'paperId' in source ? source.paperId : ''}/document`)
      const { known, leaky } = knownOf(items, document.abstract!.text.slice(0, 60))
      reply = fakeSolver(known, habits)
      const before = fake.journal.length
      const { baseline, items: found } = await walk(http, reviewingId, names)
      const flagged = found.filter(({ needsPaper }) => needsPaper?.verdict === 'no')
      const right = flagged.filter(({ itemId }) => leaky.has(itemId)).length
      const result = {
        kind: items[0]!.kind,
        items: items.length,
        leaky: leaky.size,
        families: names.length,
        calls: fake.journal.length - before,
        state: baseline.state,
        flagged: flagged.length,
        right,
        needsPaper: baseline.report?.verdicts.needsPaper
      }
      process.stdout.write(values.json
        ? `${JSON.stringify(result)}\n`
        : `\nThrough the API, the sample paper, ${result.kind}: ${result.items} items, ${result.leaky} leaky, ${result.families} families, ${result.calls} calls, ${result.state}: ${right} of ${leaky.size} leaky found, ${flagged.length - right} others flagged; ${result.needsPaper?.yes ?? 0} said to need the paper.\n`)
    }
  } finally {
    await running.close()
    await fake.close()
    await rm(dir, { recursive: true, force: true })
  }
}

function percent (share: number | null): string {
  return share === null ? '—' : `${(share * 100).toFixed(1)} %`
}
