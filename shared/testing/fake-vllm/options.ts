/** What a fake vLLM can be told to be. Names follow vLLM's own flags, in our spelling. */

export const versions = ['0.6.6', '0.9.2', '0.10.1', '0.12.0', '0.29.0', '0.32.0'] as const
export type Version = (typeof versions)[number]

export interface EngineOptions {
  /** Sequences that run at once; more wait, first come first served. Default 256, as vLLM's. */
  maxNumSeqs: number
  /** Cap on waiting plus running requests, obeyed from 0.29; null is vLLM's default: no cap. */
  maxNumQueuedReqs: number | null
  blockSize: number
  /** Blocks of the KV cache; prompts in it are not computed again. Default 4096. */
  kvBlocks: number
  /** Fixed part of the time to the first token. Default 0. */
  ttftMs: number
  /** Prompt tokens computed per second; Infinity, the default, costs nothing. */
  prefillTokensPerS: number
  /** Between two tokens of one sequence. Default 0: all at once. */
  itlMs: number
  /** Share by which each wait may be longer or shorter, drawn from the seed; 0 to 1. Default 0. */
  jitter: number
  /** Each other running sequence makes a token slower by this share of `itlMs`. Default 0. */
  loadFactor: number
}

export interface ServerOptions extends EngineOptions {
  /** Names of the model: the first, and further ones for the same. Default `fake-model`. */
  models: string[]
  /** LoRA adapters, also names of models. */
  loras: string[]
  /** Chooses the dialect. Default 0.29.0. */
  version: Version
  /** Of texts, jitter and storms. Default 0. */
  seed: number
  maxModelLen: number
  /** Bytes of a prompt that are a token, 1 to 4: dense texts, as a real tokenizer takes them. Default 4. */
  promptTokenBytes: number
  /** Without it every request is let in. */
  apiKey: string | null
  /** Images in one prompt; default 1 before 0.9, 999 since. */
  limitImages: number
  /** `--enable-prompt-tokens-details`: whether usage tells cached tokens. Default true. */
  promptTokensDetails: boolean
  /** A model that thinks first; `chat_template_kwargs.enable_thinking: false` stops it. Default false. */
  reasoning: boolean
  /** `--enable-sleep-mode` and VLLM_SERVER_DEV_MODE: /sleep, /wake_up, /is_sleeping. Default true. */
  sleepMode: boolean
  /** `--enable-server-load-tracking`: /load counts. Default true. */
  loadTracking: boolean
  /** Which routes answer. A real server is one or the other; the default, `any`, is both. */
  task: 'any' | 'generate' | 'embed'
  /** Numbers in an embedding. Default 8. */
  dimensions: number
  /** Engines of this server (data parallel); metrics come once for each. Default 1. */
  engines: number
  /** Idle connections close after this. Default 5000, as uvicorn's. */
  keepAliveMs: number
  /** Ids of answers. `header`: X-Request-Id is their end, as in vLLM; `content`: same request, same id. */
  ids: 'header' | 'content'
  /** Requests kept in the journal; the oldest go first. 0 switches it off. Default: all. */
  journalMax: number
  /** `logical`: time stands still but for `tick`. */
  clock: 'real' | 'logical'
  port: number
  /** Address to listen on; default loopback. */
  host: string
}

const defaults: Omit<ServerOptions, 'limitImages'> = {
  maxNumSeqs: 256,
  maxNumQueuedReqs: null,
  blockSize: 16,
  kvBlocks: 4096,
  ttftMs: 0,
  prefillTokensPerS: Infinity,
  itlMs: 0,
  jitter: 0,
  loadFactor: 0,
  models: ['fake-model'],
  loras: [],
  version: '0.29.0',
  seed: 0,
  maxModelLen: 8192,
  promptTokenBytes: 4,
  apiKey: null,
  promptTokensDetails: true,
  reasoning: false,
  sleepMode: true,
  loadTracking: true,
  task: 'any',
  dimensions: 8,
  engines: 1,
  keepAliveMs: 5000,
  ids: 'content',
  journalMax: Infinity,
  clock: 'real',
  port: 0,
  host: '127.0.0.1'
}

/** Fills in the defaults. */
export function resolveOptions (given: Partial<ServerOptions>): ServerOptions {
  const told = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
  const options = { ...defaults, ...told } as ServerOptions
  options.limitImages ??= before(options.version, '0.9.0') ? 1 : 999
  return options
}

/** Whether version `one` is older than `other`; both `a.b.c`. */
export function before (one: string, other: string): boolean {
  const [left, right] = [one, other].map(version => version.split('.').map(Number))
  for (let at = 0; at < 3; at++) {
    const difference = (left?.[at] ?? 0) - (right?.[at] ?? 0)
    if (difference !== 0) return difference < 0
  }
  return false
}
