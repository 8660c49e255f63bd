/** A fake vLLM as its own process: `npm run fake-vllm -- --help`. */
import { parseArgs } from 'node:util'
import { fakePersona, personas, type Persona } from '../fake-persona.ts'
import { fakeVllm, type FakeOptions } from '../fake-vllm.ts'
import { versions, type Version } from './options.ts'

type Kind = 'number' | 'text' | 'list' | 'switch'

const flags: Record<string, [kind: Kind, option: keyof FakeOptions | 'persona', help: string]> = {
  model: ['list', 'models', 'Name it serves; several, separated by commas, are names of the same (default fake-model)'],
  port: ['number', 'port', 'Port to listen on (default 0: any free one)'],
  host: ['text', 'host', 'Address to listen on (default 127.0.0.1)'],
  version: ['text', 'version', `Whose dialect it speaks: ${versions.join(', ')} (default 0.29.0)`],
  seed: ['number', 'seed', 'Other texts, the same for the same seed (default 0)'],
  'api-key': ['text', 'apiKey', 'Asked for under /v1'],
  'max-model-len': ['number', 'maxModelLen', 'Tokens of prompt and answer (default 8192)'],
  'max-num-seqs': ['number', 'maxNumSeqs', 'Sequences that run at once (default 256)'],
  'max-num-queued-reqs': ['number', 'maxNumQueuedReqs', 'More are refused with 503, from 0.29 (default: no limit)'],
  'kv-blocks': ['number', 'kvBlocks', 'Blocks of 16 tokens in the prefix cache (default 4096)'],
  'ttft-ms': ['number', 'ttftMs', 'Until the first token (default 0)'],
  'prefill-tokens-per-s': ['number', 'prefillTokensPerS', 'Speed of reading prompts that are not cached (default: no limit)'],
  'itl-ms': ['number', 'itlMs', 'Between two tokens (default 0)'],
  jitter: ['number', 'jitter', 'Share by which times vary, 0 to 1 (default 0)'],
  'load-factor': ['number', 'loadFactor', 'Slower by this share for each other running sequence (default 0)'],
  'limit-images': ['number', 'limitImages', 'Images in one prompt (default 1 before 0.9, 999 since)'],
  loras: ['list', 'loras', 'LoRA adapters, separated by commas'],
  reasoning: ['switch', 'reasoning', 'Thinks before it answers'],
  engines: ['number', 'engines', 'Engines in /metrics (default 1)'],
  task: ['text', 'task', 'any, generate or embed (default any)'],
  ids: ['text', 'ids', 'content: same request, same id; header: from X-Request-Id (default content)'],
  'journal-max': ['number', 'journalMax', 'Requests kept for GET /__journal; 0: none (default 10000)'],
  clock: ['text', 'clock', 'real or logical: POST /__tick {"ms": 100} moves it (default real)'],
  persona: ['text', 'persona', `Writes, judges and answers, well or badly: ${personas.join(', ')} (default: made-up words)`],
  reply: ['text', 'reply', 'Says this and nothing else, for example "Answer: Yes" (default: made-up words)']
}

const { values } = parseArgs({
  options: {
    help: { type: 'boolean' },
    ...Object.fromEntries(Object.entries(flags).map(([name, [kind]]) =>
      [name, { type: kind === 'switch' ? 'boolean' as const : 'string' as const }]))
  }
})

if (values.help === true) process.stdout.write(help())
else {
  try {
    const fake = await fakeVllm(read(values))
    process.stdout.write(`${JSON.stringify({ url: fake.url })}\n`)
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => { void fake.close().then(() => process.exit(0)) })
    await fake.died
    process.exitCode = 1
  } catch (cause) {
    process.stderr.write(`${(cause as Error).message}\n`)
    process.exitCode = 1
  }
}

function read (given: Record<string, unknown>): FakeOptions {
  const options: Record<string, unknown> = { journalMax: 10_000 }
  for (const [name, value] of Object.entries(given)) {
    const flag = flags[name]
    if (flag === undefined) continue
    const [kind, option] = flag
    options[option] = kind === 'number' ? numberOf(name, String(value)) : kind === 'list' ? String(value).split(',') : value
  }
  if (options.version !== undefined && !versions.includes(options.version as Version)) {
    throw new Error(`--version is one of ${versions.join(', ')}`)
  }
  const { reply, persona, ...rest } = options
  if (persona !== undefined && !personas.includes(persona as Persona)) throw new Error(`--persona is one of ${personas.join(', ')}`)
  if (persona !== undefined && reply !== undefined) throw new Error('--persona and --reply exclude each other')
  if (persona !== undefined) return { ...rest, reply: fakePersona(persona as Persona) }
  return { ...rest, ...reply !== undefined && { reply: () => String(reply) } }
}

function numberOf (name: string, text: string): number {
  const value = Number(text)
  if (text === '' || Number.isNaN(value) || value < 0) throw new Error(`--${name} is a number from 0, not "${text}"`)
  return value
}

function help (): string {
  const lines = Object.entries(flags).map(([name, [, , text]]) => `  --${name.padEnd(22)} ${text}`)
  return `A model server without a model: answers like vLLM, with made-up words. Prints {"url": …} when it listens.

  npm run fake-vllm -- --port 8000 --model my-model

${lines.join('\n')}

Faults: POST /__script {"steps": ["slow_first:500"], "times": 1}, or a request header x-fake: rst:3.
GET /__script names them, GET /__journal shows what came.
`
}
