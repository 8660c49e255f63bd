/**
 * The whole walk once with a real model: `npm run bench:real-model -- --help`. What a fake cannot show
 * is what comes out: how many drafts a real model writes, why they are turned down, what it thinks of items.
 */
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createLog } from '../../shared/app/log.ts'
import { startServices } from '../../shared/app/start.ts'
import { exitWhenInterrupted } from '../../shared/testing/children.ts'
import { startLlamacpp } from '../conformance/engines/llamacpp.ts'
import { api } from '../exam/api.ts'
import { suite } from '../suite.ts'
import { yieldsText } from './real-model/report.ts'
import { walkWithModel } from './real-model/walk.ts'
import { wholeNumbers } from './whole-number.ts'

const help = `Parses papers, has a real model write and review items, freezes them, and reports what came of it.

  npm run bench:real-model -- --papers DIR [--take 2]         llama.cpp's server with SmolLM2-135M, on this machine
  npm run bench:real-model -- a.pdf b.pdf --upstream URL --model M

  --take N      papers of DIR, the first by name, default 2
  --vision      the model is shown figures; SmolLM2 is not, and the report says so
  --context N   tokens of prompt and reply together, default 4096
  --reply N     tokens of a reply at most, default 640
  --tokens N    budget of tokens for each kind of items, default 30000
  --samples N   replies for a place at most, default 2
  --rounds N    rewritings of an item at most, default 1
  --slots N     calls at once that the server started here takes, default 4
  --data DIR    where the services keep their data; running again resumes there. Default: a folder that is removed
  --seed N      default 1
  --json        the figures as one JSON line
`
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    papers: { type: 'string' },
    take: { type: 'string', default: '2' },
    upstream: { type: 'string' },
    model: { type: 'string' },
    vision: { type: 'boolean', default: false },
    context: { type: 'string', default: '4096' },
    reply: { type: 'string', default: '640' },
    tokens: { type: 'string', default: '30000' },
    samples: { type: 'string', default: '2' },
    rounds: { type: 'string', default: '1' },
    slots: { type: 'string', default: '4' },
    data: { type: 'string' },
    seed: { type: 'string', default: '1' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false }
  }
})
const whole = wholeNumbers(values, { least: 0, most: 2147483647 })

exitWhenInterrupted()
if (values.help) process.stdout.write(help)
else await bench()

async function bench (): Promise<void> {
  const { upstream, vision, papers, model: named, data } = values
  const files = positionals.length > 0 ? positionals : await pdfsIn(papers)
  const contextTokens = whole('context')
  const engine = upstream === undefined
    ? await startLlamacpp(line => { process.stderr.write(`${line}\n`) }, { contextLength: contextTokens, slots: whole('slots') })
    : undefined
  const model = engine?.model ?? named
  if (model === undefined) throw new Error('--upstream URL needs --model M, the name it serves the model by.')
  const folder = data ?? await mkdtemp(join(tmpdir(), 'viva-real-model-'))
  const served = { name: 'upstream', baseUrl: engine?.url ?? upstream, capabilities: vision ? ['vision'] : [] }
  const running = await startServices(suite, {
    ...process.env, PORT: '0', DATA_DIR: folder, RATE_PER_MINUTE: '0', UPSTREAMS: JSON.stringify([served])
  }, { log: createLog('warn', join(folder, 'viva.log')) })
  try {
    const yields = await walkWithModel(api(running.url), {
      files,
      model,
      contextTokens,
      maxTokens: whole('reply'),
      tokensMax: whole('tokens'),
      samplesMax: whole('samples'),
      maxRounds: whole('rounds'),
      seed: whole('seed')
    })
    process.stdout.write(values.json ? `${JSON.stringify(yields)}\n` : `${yieldsText(yields)}\n`)
  } finally {
    await running.close()
    await engine?.close()
    if (data === undefined) await rm(folder, { recursive: true, force: true })
  }
}

async function pdfsIn (folder: string | undefined): Promise<string[]> {
  if (folder === undefined) throw new Error('Say which papers: --papers DIR, or files.')
  const found = (await readdir(folder)).filter(name => name.endsWith('.pdf')).sort().slice(0, whole('take'))
  if (found.length === 0) throw new Error(`There is no PDF in ${folder}.`)
  return found.map(name => join(folder, name))
}
