/** Answers that need no engine: models, tokens, embeddings, health and state. */
import { wait } from './clock.ts'
import { modelNamed, type Body } from './asked.ts'
import { contextRefusal, Refusal } from './dialect.ts'
import { servedNames, type Exchange, type Fake } from './fake.ts'
import { metricsText } from './metrics.ts'
import { before } from './options.ts'
import { pydantic, whole } from './sampling.ts'
import { created } from './shapes.ts'
import { countTokens, decode, encode, renderChat, type Message } from './tokens.ts'
import { hashText, mix } from './words.ts'
import { sendJson } from './whole-answer.ts'
import type { Wire } from './wire.ts'

export type Handler = (fake: Fake, exchange: Exchange, wire: Wire) => void | Promise<void>

export const listModels: Handler = (fake, _exchange, wire) => {
  const { options, state } = fake
  const [root = ''] = options.models
  const card = (id: string, parent: string | null) => ({
    id,
    object: 'model',
    created,
    owned_by: 'vllm',
    root: parent === null ? root : id,
    parent,
    max_model_len: parent === null ? options.maxModelLen : null,
    permission: [{
      id: `modelperm-${hashText(id).toString(16)}`,
      object: 'model_permission',
      created,
      allow_create_engine: false,
      allow_sampling: true,
      allow_logprobs: true,
      allow_search_indices: false,
      allow_view: true,
      allow_fine_tuning: false,
      organization: '*',
      group: null,
      is_blocking: false
    }]
  })
  const data = [...options.models.map(id => card(id, null)), ...state.loras.map(id => card(id, root))]
  sendJson(wire, 200, { object: 'list', data })
}

export const tokenize: Handler = (fake, { entry: { body } }, wire) => {
  modelNamed(body, { models: servedNames(fake), dialect: fake.dialect })
  const { prompt, messages } = body
  if (prompt === undefined && !Array.isArray(messages)) {
    throw pydantic(fake.dialect, ['body', 'prompt'], { type: 'missing', msg: 'Field required', input: body })
  }
  const text = Array.isArray(messages)
    ? renderChat(messages as Message[], {
      generate: body.add_generation_prompt !== false, tools: body.tools
    }).text
    : String(prompt)
  const tokens = encode(text, fake.options.promptTokenBytes)
  const told = before(fake.options.version, '0.10.0')
    ? {}
    : { token_strs: body.return_token_strs === true ? tokens.map(token => decode([token])) : null }
  sendJson(wire, 200, { count: tokens.length, max_model_len: fake.options.maxModelLen, tokens, ...told })
}

export const detokenize: Handler = (fake, { entry: { body } }, wire) => {
  modelNamed(body, { models: servedNames(fake), dialect: fake.dialect })
  if (!Array.isArray(body.tokens)) {
    throw pydantic(fake.dialect, ['body', 'tokens'], { type: 'missing', msg: 'Field required', input: body })
  }
  sendJson(wire, 200, { prompt: decode(body.tokens.map(Number)) })
}

export const embeddings: Handler = (fake, { entry }, wire) => {
  const { options, dialect } = fake
  const { body } = entry
  const model = modelNamed(body, { models: servedNames(fake), dialect: fake.dialect })
  const inputs = inputsOf(body)
  if (inputs.length === 0) throw pydantic(dialect, ['body', 'input'], { type: 'missing', msg: 'Field required', input: body })
  const counts = inputs.map(input => countTokens(input))
  const longest = Math.max(...counts)
  if (longest > options.maxModelLen) {
    throw contextRefusal(dialect, { limit: options.maxModelLen, prompt: longest, asked: null })
  }
  const size = whole(body.dimensions) ?? options.dimensions
  const prompt = counts.reduce((sum, count) => sum + count, 0)
  entry.promptTokens = prompt
  const data = inputs.map((text, index) => {
    const vector = vectorOf(hashText(text, options.seed), size)
    return { index, object: 'embedding', embedding: body.encoding_format === 'base64' ? base64Of(vector) : vector }
  })
  const usage = {
    prompt_tokens: prompt, total_tokens: prompt, completion_tokens: 0, prompt_tokens_details: null
  }
  sendJson(wire, 200, { id: `embd-${hashText(inputs.join('\0')).toString(16)}`, object: 'list', created, model, data, usage })
}

function inputsOf ({ input, messages }: Body): string[] {
  if (Array.isArray(messages)) return [renderChat(messages as Message[]).text]
  if (typeof input === 'string') return [input]
  if (!Array.isArray(input)) return []
  if (typeof input[0] === 'number') return [decode(input as number[])]
  return input.map(each => Array.isArray(each) ? decode(each as number[]) : String(each))
}

/** Of length 1. */
function vectorOf (key: number, size: number): number[] {
  const raw = Array.from({ length: size }, (_, at) => mix(key ^ Math.imul(at + 1, 0x9e3779b1)) / 2 ** 31 - 1)
  const length = Math.sqrt(raw.reduce((sum, each) => sum + each * each, 0))
  return raw.map(each => Math.fround(each / length))
}

const base64Of = (vector: readonly number[]): string => Buffer.from(Float32Array.from(vector).buffer).toString('base64')

export const health: Handler = (fake, _exchange, wire) => {
  wire.head(fake.state.dead ? 503 : 200, ['content-length', 0])
  wire.end()
}

export const version: Handler = ({ options }, _exchange, wire) => {
  sendJson(wire, 200, { version: options.version })
}

export const load: Handler = ({ options, state }, _exchange, wire) => {
  sendJson(wire, 200, { server_load: options.loadTracking ? state.inFlight : 0 })
}

export const isSleeping: Handler = ({ engine }, _exchange, wire) => {
  sendJson(wire, 200, { is_sleeping: engine.sleeping })
}

export const sleep: Handler = ({ engine }, _exchange, wire) => { engine.sleep(); empty(wire) }

export const wakeUp: Handler = ({ engine }, _exchange, wire) => { engine.wake(); empty(wire) }

function empty (wire: Wire): void {
  wire.head(200, ['content-length', 0])
  wire.end()
}

export const loadLora: Handler = ({ state }, { entry: { body } }, wire) => {
  const name = String(body.lora_name ?? '')
  if (name === '' || body.lora_path === undefined) throw new Refusal(400, "Both 'lora_name' and 'lora_path' must be provided.")
  if (state.loras.includes(name)) {
    throw new Refusal(400, `The lora adapter '${name}' has already been loaded. If you want to load the adapter in place, set 'load_inplace' to True.`)
  }
  state.loras.push(name)
  text(wire, 200, `Success: LoRA adapter '${name}' added successfully.`)
}

export const unloadLora: Handler = ({ state }, { entry: { body } }, wire) => {
  const name = String(body.lora_name ?? '')
  if (!state.loras.includes(name)) throw new Refusal(404, `The lora adapter '${name}' cannot be found.`)
  state.loras.splice(state.loras.indexOf(name), 1)
  text(wire, 200, `Success: LoRA adapter '${name}' removed successfully.`)
}

function text (wire: Wire, status: number, said: string): void {
  wire.head(status, ['content-length', Buffer.byteLength(said), 'content-type', 'text/plain; charset=utf-8'])
  wire.write(said)
  wire.end()
}

/** GET /metrics, with its fault if it has one. */
export const metrics: Handler = async (fake, _exchange, wire) => {
  const { fault, ms, frozen } = fake.state.metrics
  if (fault === 'slow') await wait(fake.clock, ms)
  if (fault === '500') { text(wire, 500, 'Internal Server Error'); return }
  const body = faulty(fault, fault === 'stale' ? frozen : metricsText(fake))
  wire.head(200, ['content-length', Buffer.byteLength(body), 'content-type', 'text/plain; version=0.0.4; charset=utf-8'])
  wire.write(body)
  wire.end()
}

const gaugeLine = /^vllm:(?:num_requests_\w+|kv_cache_usage_perc|gpu_cache_usage_perc)\{.*\n/gm

function faulty (fault: string, page: string): string {
  if (fault === 'missing') return page.replace(gaugeLine, '')
  if (fault === 'nan') return page.replace(gaugeLine, line => `${line.slice(0, line.lastIndexOf(' '))} NaN\n`)
  // Another model of the same server, as a shared registry shows it.
  if (fault === 'noise') return page.replace(gaugeLine, line => `${line.replace(/model_name="[^"]*"/, 'model_name="unrelated"').replace(/[\d.]+\n/, '9999.0\n')}${line}`)
  if (fault === 'huge') return page + 'vllm:filler{at="0123456789"} 1.0\n'.repeat(250_000)
  return page
}
