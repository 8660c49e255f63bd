/** What an engine answers to a good request: models, chat, completions, tokens, constraints. */
import { factsOf, textsOf, type Answer, type Facts } from '../ask.ts'
import type { Check, Target } from '../check.ts'

const messages = [{ role: 'user', content: 'Name three colours, 漢字 and 🙂.' }]

/** A chat request that is cheap and, given its seed, the same each time. */
export const chat = ({ model }: Pick<Target, 'model'>, more: object = {}) => ({
  model, messages, max_tokens: 12, temperature: 0, seed: 7, ...more
})
const completion = ({ model }: Target, more: object = {}) => ({
  model, prompt: 'Once upon a time', max_tokens: 12, temperature: 0, seed: 7, ...more
})
export const chatPath = '/v1/chat/completions'
const completionPath = '/v1/completions'

interface More extends Partial<Check> { path?: string }

/** A check of one call, told by its facts. */
function call (name: string, body: (target: Target) => object, more: More = {}): Check {
  const { path = chatPath, ...rest } = more
  return { name, run: async target => factsOf(await target.ask(path, { body: body(target) })), ...rest }
}

const schema = {
  type: 'object', properties: { answer: { enum: ['Yes', 'No'] } }, required: ['answer'], additionalProperties: false
}
const jsonSchema = { type: 'json_schema', json_schema: { name: 'answer', schema, strict: true } }

/** Whether the text obeys what was asked, beside the facts of the call. */
function obeys (holds: (text: string) => boolean, answer: Answer): Facts {
  const { status, contentType } = answer
  if (status !== 200) return factsOf(answer)
  return { status, contentType, obeyed: textsOf(answer).every(holds), finished: finishesOf(answer) }
}

const isAnswer = (text: string): boolean => {
  try { return ['Yes', 'No'].includes((JSON.parse(text) as { answer: string }).answer) } catch { return false }
}

function finishesOf ({ json, events }: Answer): string[] {
  return [json, ...events].flatMap(part => part?.choices ?? [])
    .map(({ finish_reason: finish }) => finish as string | null).filter(finish => typeof finish === 'string')
}

const models: Check[] = [
  {
    name: 'models: the list',
    run: async ({ ask, model }) => {
      const answer = await ask('/v1/models')
      const ids = (answer.json?.data ?? []).map(({ id }: { id: string }) => id) as string[]
      return { ...factsOf(answer), offered: ids.includes(model) }
    },
    byDesign: 'the card is the proxy\'s own: it joins what several engines say',
    allowing: /^body/,
    must: ({ offered }) => offered === true ? undefined : 'the model is not in the list'
  },
  { name: 'version', directOnly: true, run: async ({ ask }) => factsOf(await ask('/version')) },
  { name: 'health', directOnly: true, run: async ({ ask }) => factsOf(await ask('/health')) },
  {
    name: 'metrics: names',
    directOnly: true,
    run: async ({ ask }) => {
      const { status, contentType, text } = await ask('/metrics')
      const names = [...text.matchAll(/^((?:vllm|llamacpp):[a-z_]+)(?:\{([^}]*)\})? /gm)].map(([, name, labels]) =>
        `${name}{${[...(labels ?? '').matchAll(/(\w+)="/g)].map(([, label]) => label).join(',')}}`)
      return { status, contentType, names: [...new Set(names)].sort() }
    }
  }
]

/** Engines that are asked for usage put what else they tell of a call into its chunk. */
const usageAsked = {
  byDesign: 'the proxy asks for usage in any case and keeps that chunk from who did not ask',
  allowing: /\.(system_fingerprint|timings): /
}

const answers: Check[] = [
  call('chat: whole', target => chat(target)),
  call('chat: stream', target => chat(target, { stream: true }), { ...usageAsked }),
  call('chat: stream with usage', target => chat(target, { stream: true, stream_options: { include_usage: true } }), {
    must: ({ framing, status }) => status !== 200 || JSON.stringify(framing).includes('"usage"') ? undefined : 'no chunk of usage came'
  }),
  call('chat: stream with usage in every chunk', target =>
    chat(target, { stream: true, stream_options: { include_usage: true, continuous_usage_stats: true } })),
  call('chat: n = 2', target => chat(target, { n: 2, temperature: 1 })),
  call('chat: n = 2, streamed', target => chat(target, { n: 2, temperature: 1, stream: true }), { ...usageAsked }),
  call('chat: logprobs', target => chat(target, { logprobs: true, top_logprobs: 2 })),
  call('chat: max_completion_tokens', target => chat(target, { max_tokens: undefined, max_completion_tokens: 3 })),
  call('chat: vLLM\'s own sampling fields', target => chat(target, {
    top_k: 3, min_p: 0.1, repetition_penalty: 1.1, min_tokens: 2, skip_special_tokens: true
  })),
  call('chat: chat_template_kwargs', target => chat(target, { chat_template_kwargs: { enable_thinking: false } })),
  call('chat: priority', target => chat(target, { priority: -1 })),
  call('chat: an unknown field', target => chat(target, { viva_unknown: { a: 1 } })),
  call('chat: without a model', ({ model, ...target }) => ({ ...chat({ model, ...target }), model: undefined }), {
    byDesign: 'the proxy has many engines and asks for a name'
  }),
  call('chat: tools, none to be used', target => chat(target, { tools: [tool], tool_choice: 'none' })),
  call('chat: tools, the model may choose', target => chat(target, { tools: [tool], tool_choice: 'auto' })),
  call('completion: whole', target => completion(target), { path: completionPath }),
  call('completion: stream', target => completion(target, { stream: true, stream_options: { include_usage: true } }), {
    path: completionPath
  }),
  call('completion: logprobs', target => completion(target, { logprobs: 1 }), { path: completionPath }),
  call('completion: a list of prompts', target => completion(target, { prompt: ['a', 'b'] }), { path: completionPath }),
  call('completion: a prompt of tokens', target => completion(target, { prompt: [70, 71, 72] }), { path: completionPath }),
  {
    name: 'completion: echo brings the prompt back, letter for letter',
    run: async target => {
      const prompt = 'Naïve 漢字 🙂 \u0007 "x"\n'
      const body = completion(target, { prompt, echo: true, max_tokens: 1 })
      const answer = await target.ask(completionPath, { body })
      if (answer.status !== 200) return factsOf(answer)
      return { status: answer.status, echoed: textsOf(answer)[0]?.startsWith(prompt) ?? false, raw: answer.text.includes('漢字 🙂') }
    }
  }
]

const tool = { type: 'function', function: { name: 'look', description: 'Looks', parameters: { type: 'object', properties: {} } } }

const sampling: Check[] = [
  {
    name: 'seed: the same seed the same text, another seed another',
    run: async target => {
      const text = async (seed: number) => {
        const body = chat(target, { seed, temperature: 1, max_tokens: 24 })
        return textsOf(await target.ask(chatPath, { body }))[0] ?? null
      }
      const [first, again, other] = [await text(7), await text(7), await text(8)]
      return { repeats: first !== null && first === again, differs: first !== other }
    }
  },
  {
    name: 'stop: the text ends before the stop word',
    run: async target => {
      const sampled = { seed: 11, temperature: 1, max_tokens: 40 }
      const whole = textsOf(await target.ask(chatPath, { body: chat(target, sampled) }))[0] ?? ''
      // What is certain to come: a character that the same request gave.
      const stop = whole.slice(3).match(/[!-~]/)?.[0]
      if (stop === undefined) return { unsupported: true }
      const answer = await target.ask(chatPath, { body: chat(target, { ...sampled, stop: [stop] }) })
      return {
        status: answer.status,
        cutThere: textsOf(answer)[0] === whole.slice(0, whole.indexOf(stop)),
        finished: finishesOf(answer),
        namesIt: answer.json?.choices?.[0]?.stop_reason === stop
      }
    }
  },
  {
    name: 'prefix cache: the second of two equal long prompts has cached tokens',
    run: async target => {
      const long = [{ role: 'user', content: 'the quick brown fox '.repeat(60) }]
      const body = chat(target, { messages: long, max_tokens: 1 })
      await target.ask(chatPath, { body })
      const usage = (await target.ask(chatPath, { body })).json?.usage
      return { cached: Number(usage?.prompt_tokens_details?.cached_tokens ?? 0) > 0 }
    }
  },
  {
    name: 'many at once: twice what the engine runs at a time',
    run: async target => {
      const statuses = await Promise.all(Array.from({ length: 16 }, async (_, seed) =>
        (await target.ask(chatPath, { body: chat(target, { seed, temperature: 1 }) })).status))
      return { statuses: [...new Set(statuses)] }
    }
  }
]

function constrained (name: string, more: object, holds: (text: string) => boolean): Check {
  return {
    name,
    async run (target) {
      const body = chat(target, { temperature: 1, max_tokens: 120, ...more })
      return obeys(holds, await target.ask(chatPath, { body }))
    },
    byDesign: 'a constraint is said in the words of the engine\'s version, or refused where it would be ignored',
    must: ({ status, obeyed }, direct) => status === 200 && obeyed !== true && direct.obeyed !== undefined
      ? 'unconstrained text came through as constrained'
      : undefined
  }
}

const isChoice = (text: string): boolean => ['Yes', 'No'].includes(text)
const isAbc = (text: string): boolean => /^[ab]{3}$/.test(text)
const constraints: Check[] = [
  constrained('structured: response_format json_schema', { response_format: jsonSchema }, isAnswer),
  constrained('structured: the same, streamed', { response_format: jsonSchema, stream: true }, isAnswer),
  constrained('structured: structured_outputs.choice', { structured_outputs: { choice: ['Yes', 'No'] } }, isChoice),
  constrained('structured: structured_outputs.regex', { structured_outputs: { regex: '[ab]{3}' } }, isAbc),
  constrained('structured: guided_json of old', { guided_json: schema }, isAnswer),
  constrained('structured: guided_choice of old', { guided_choice: ['Yes', 'No'] }, isChoice),
  constrained('structured: guided_regex of old', { guided_regex: '[ab]{3}' }, isAbc),
  constrained('structured: a schema that is none', {
    response_format: { type: 'json_schema', json_schema: { name: 'x', schema: { type: 'no-such-type' } } }
  }, () => true)
]

const tokens: Check[] = [
  {
    name: 'tokenize and back',
    run: async ({ ask, model, via, engine }) => {
      const prefix = via === 'proxy' ? '/v1' : ''
      const text = 'Naïve 漢字 🙂'
      // Through the proxy every engine is asked as vLLM is.
      const field = engine === 'llamacpp' && via === 'direct' ? 'content' : 'prompt'
      const split = await ask(`${prefix}/tokenize`, { body: { model, [field]: text, add_special_tokens: false } })
      if (split.status !== 200) return factsOf(split)
      const joined = await ask(`${prefix}/detokenize`, { body: { model, tokens: split.json.tokens } })
      const counted = split.json.count === split.json.tokens.length
      return { ...factsOf(split), counted, same: joined.json?.[field] === text }
    },
    byDesign: 'the proxy counts in the words of vLLM',
    allowing: /^(body\.(count|max_model_len): nothing →|counted: false → true)/,
    must: ({ status, counted, same }, direct) => {
      if (direct.status !== 200) return undefined
      return status === 200 && counted === true && same === true ? undefined : 'the tokens are not counted, or do not become the text again'
    }
  },
  {
    name: 'tokenize: messages',
    run: async target => {
      const path = target.via === 'proxy' ? '/v1/tokenize' : '/tokenize'
      const answer = await target.ask(path, { body: { model: target.model, messages } })
      return { ...factsOf(answer), some: (answer.json?.tokens?.length ?? 0) > 0 }
    },
    byDesign: 'a server that takes messages for nothing is asked to count a prompt only',
    allowing: /counts the tokens of a prompt only/,
    must: ({ status, some }) => status === 200 && some !== true ? 'messages were told to have no tokens at all' : undefined
  }
]

export const goodRequests: readonly Check[] = [...models, ...answers, ...sampling, ...constraints, ...tokens]
