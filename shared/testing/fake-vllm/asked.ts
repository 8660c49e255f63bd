/** A request for text as the server understands it, or its refusal in the words of its version. */
import { contextRefusal, imageLimitRefusal, longTextRefusal, Refusal, type Dialect } from './dialect.ts'
import { before, type ServerOptions } from './options.ts'
import { constraintOf, type Constraint } from './constraint.ts'
import { checkSampling, flag, list, pydantic, whole } from './sampling.ts'
import { countTokens, decode, renderChat, type Message } from './tokens.ts'
import { hashBytes, hashText } from './words.ts'

export type Body = Record<string, unknown>

export interface Prompt { text: string, bytes: Buffer, tokens: number, hash: number }

export interface Asked {
  form: 'chat' | 'text'
  /** As the request named it; the served one when it named none. */
  model: string
  prompts: Prompt[]
  /** Choices for each prompt. */
  n: number
  stream: boolean
  usage: { asked: boolean, continuous: boolean }
  /** Tokens at most, and whether the request said so. */
  limit: number
  limited: boolean
  minTokens: number
  ignoreEos: boolean
  stop: string[]
  includeStop: boolean
  /** Alternatives per token; null: no logprobs. */
  logprobs: number | null
  echo: boolean
  constraint: Constraint | null
  /** The model thinks first, and whether it tells what. */
  thinks: boolean
  tellsThoughts: boolean
  /** Before there were reasoning parsers: thoughts stand in the text, in think tags. */
  thoughtsInText: boolean
  /** The function to call, with the schema of its arguments. */
  call: { name: string, schema: unknown, named: boolean } | null
  /** Tokens in one event. */
  interval: number
  /** Of what determines the text. */
  key: number
}

interface StreamOptions { include_usage?: unknown, continuous_usage_stats?: unknown }
interface Tool { function?: { name?: unknown, parameters?: unknown } }

/** Fields that do not change the text, or are part of the prompt already. */
const sampled = ['seed', 'temperature', 'top_p', 'top_k', 'min_p', 'presence_penalty', 'frequency_penalty',
  'repetition_penalty', 'logit_bias', 'response_format'] as const

export interface Rules { options: ServerOptions, dialect: Dialect, models: readonly string[] }

/**
 * @param form  chat: `messages`; text: `prompt`, one or many, as text or as tokens
 * @throws      Refusal
 */
export function ask (form: Asked['form'], body: Body, rules: Rules): Asked {
  const { options, dialect } = rules
  const images = form === 'chat' ? checkMessages(body, dialect) : checkPrompt(body, dialect)
  const model = modelNamed(body, rules)
  checkSampling(body, dialect)
  const rendered = form === 'chat' ? [chatPrompt(body, images, rules)] : textPrompts(body.prompt)
  const prompts = rendered.map(text => {
    const bytes = Buffer.from(text)
    const tokens = Math.max(1, countTokens(bytes, options.promptTokenBytes))
    return { text, bytes, tokens, hash: hashBytes(bytes) }
  })
  const asked = whole(body.max_completion_tokens) ?? whole(body.max_tokens) ?? (form === 'text' ? 16 : null)
  const longest = prompts.reduce((most, { tokens }) => Math.max(most, tokens), 0)
  checkLength(prompts, asked, rules)
  const streaming = body.stream_options as StreamOptions | null | undefined
  const thinking = (body.chat_template_kwargs as { enable_thinking?: unknown } | undefined)?.enable_thinking
  return {
    form,
    model,
    prompts,
    n: whole(body.n) ?? 1,
    stream: body.stream === true,
    usage: {
      // vLLM's default is true once the object is there.
      asked: streaming !== null && streaming !== undefined && streaming.include_usage !== false,
      continuous: streaming?.continuous_usage_stats === true
    },
    limit: Math.min(asked ?? Infinity, options.maxModelLen - longest),
    limited: asked !== null,
    minTokens: whole(body.min_tokens) ?? 0,
    ignoreEos: flag(body.ignore_eos),
    stop: list(body.stop),
    includeStop: flag(body.include_stop_str_in_output),
    logprobs: logprobsAsked(form, body),
    echo: flag(body.echo),
    constraint: constraintOf(body, dialect),
    thinks: form === 'chat' && options.reasoning && thinking !== false && body.reasoning_effort !== 'none',
    tellsThoughts: body.include_reasoning !== false,
    thoughtsInText: dialect.reasoningNames.length === 0,
    call: callAsked(body),
    interval: whole(body.stream_interval) ?? 1,
    key: hashText(JSON.stringify(sampled.map(name => body[name] ?? null)), options.seed)
  }
}

/** Recent versions give what room there is; the others refuse to promise more than that. */
function checkLength (prompts: readonly Prompt[], asked: number | null, { options, dialect }: Rules): void {
  const limit = options.maxModelLen
  for (const { text, tokens } of prompts) {
    if (dialect.recent && text.length > limit * 4) throw longTextRefusal(limit, text.length)
    const least = dialect.recent && asked !== null && asked <= limit ? 1 : asked ?? 1
    if (tokens + least > limit) throw contextRefusal(dialect, { limit, prompt: tokens, asked })
  }
}

/** @throws Refusal 404 unless it is served */
export function modelNamed ({ model }: Body, { models, dialect }: Omit<Rules, 'options'>): string {
  if (model === undefined || model === null) return models[0] ?? ''
  if (typeof model === 'string' && models.includes(model)) return model
  const known = dialect.recent ? ` Valid aliases: ${models.join(', ')}.` : ''
  throw new Refusal(404, `The model \`${String(model)}\` does not exist.${known}`, {
    param: before(dialect.version, '0.29.0') ? null : 'model'
  })
}

const emptyConversation = 'Cannot apply chat template to an empty conversation. Provide at least one message.'

function checkMessages (body: Body, dialect: Dialect): readonly Message[] {
  const { messages } = body
  if (messages === undefined) throw pydantic(dialect, ['body', 'messages'], { type: 'missing', msg: 'Field required', input: body })
  if (!Array.isArray(messages)) {
    throw pydantic(dialect, ['body', 'messages'], { type: 'list_type', msg: 'Input should be a valid list', input: messages })
  }
  const wrong = messages.findIndex(each => each === null || typeof each !== 'object' || typeof (each as Message).role !== 'string')
  if (wrong >= 0) {
    throw pydantic(dialect, ['body', 'messages', wrong], { type: 'missing', msg: 'Field required', input: messages[wrong] })
  }
  if (messages.length === 0 && !before(dialect.version, '0.29.0')) throw new Refusal(400, emptyConversation)
  if (flag(body.continue_final_message) && body.add_generation_prompt !== false) {
    throw new Refusal(400, 'Cannot set both `continue_final_message` and `add_generation_prompt` to True.')
  }
  return messages as Message[]
}

function checkPrompt (body: Body, dialect: Dialect): readonly Message[] {
  if (body.prompt === undefined || body.prompt === null) {
    if (dialect.recent) {
      throw new Refusal(400, 'Either prompt or prompt_embeds must be provided and non-empty. (parameter=prompt)', { param: 'prompt' })
    }
    throw pydantic(dialect, ['body', 'prompt'], { type: 'missing', msg: 'Field required', input: body })
  }
  if (Array.isArray(body.prompt) && body.prompt.length === 0) {
    throw new Refusal(400, 'please provide at least one prompt')
  }
  return []
}

function chatPrompt (body: Body, messages: readonly Message[], { options, dialect }: Rules): string {
  const prompt = renderChat(messages, {
    generate: body.add_generation_prompt !== false && !flag(body.continue_final_message),
    tools: body.tools
  })
  if (prompt.images > options.limitImages) {
    throw imageLimitRefusal(dialect, { limit: options.limitImages, model: options.models[0] ?? '' })
  }
  if (prompt.unreachable !== null) {
    throw new Refusal(dialect.unreachableMediaStatus, `Failed to fetch media from ${prompt.unreachable}`)
  }
  return prompt.text
}

/** One text, many, one list of tokens or many. */
function textPrompts (prompt: unknown): string[] {
  if (!Array.isArray(prompt)) return [String(prompt)]
  if (typeof prompt[0] === 'number') return [decode(prompt as number[])]
  return prompt.map(each => Array.isArray(each) ? decode(each as number[]) : String(each))
}

function logprobsAsked (form: Asked['form'], body: Body): number | null {
  if (form === 'text') return whole(body.logprobs)
  return body.logprobs === true ? whole(body.top_logprobs) ?? 0 : null
}

/** A call that the request insists on; that the model chooses is not switched on, as by default in vLLM. */
function callAsked ({ tools, tool_choice: choice = 'auto' }: Body): Asked['call'] {
  if (!Array.isArray(tools) || tools.length === 0 || choice === null || choice === 'none') return null
  if (choice === 'auto') {
    throw new Refusal(400, '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set')
  }
  const functions = tools.map(tool => (tool as Tool | null)?.function)
  const named = choice === 'required' ? undefined : (choice as Tool).function?.name
  const chosen = named === undefined ? functions[0] : functions.find(each => each?.name === named)
  if (chosen === undefined) throw new Refusal(400, 'The tool specified in `tool_choice` does not match any of the specified `tools`')
  return { name: String(chosen.name), schema: chosen.parameters ?? { type: 'object' }, named: named !== undefined }
}
