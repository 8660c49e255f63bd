/** What an engine says to a bad request. Every refusal through the proxy has one shape. */
import { factsOf, type Facts } from '../ask.ts'
import type { Check, Target } from '../check.ts'
import { chat, chatPath } from './answers.ts'

const oneShape = (proxied: Facts): string | undefined => {
  const { error } = (proxied.body ?? {}) as { error?: { message?: unknown, type?: unknown, code?: unknown } }
  if (Number(proxied.status) < 400) return undefined
  if (typeof error?.message !== 'string' || typeof error.type !== 'string') return 'the refusal has not OpenAI\'s shape'
  return error.code === proxied.status ? undefined : 'error.code is not the status'
}

interface More { path?: string, headers?: Record<string, string>, byDesign?: string }

function refused (name: string, body: (target: Target) => unknown, more: More = {}): Check {
  const { path = chatPath, headers = {}, byDesign } = more
  return {
    name: `refused: ${name}`,
    run: async target => factsOf(await target.ask(path, { body: body(target), headers })),
    must: oneShape,
    deserved: true,
    ...byDesign !== undefined && { byDesign }
  }
}

const image = (url: string) => [{ role: 'user', content: [{ type: 'text', text: 'What is this?' }, { type: 'image_url', image_url: { url } }] }]
/** One grey pixel. */
const pixel = 'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg=='

const chats: ReadonlyArray<readonly [name: string, more: object, byDesign?: string]> = [
  ['an unknown model', { model: 'no-such-model' }],
  ['messages that are text', { messages: 'hello' }],
  ['no messages', { messages: undefined }],
  ['an empty list of messages', { messages: [] }],
  ['a message without a role', { messages: [{ content: 'x' }] }],
  ['an unknown role', { messages: [{ role: 'nobody', content: 'x' }] }],
  ['temperature that is text', { temperature: 'hot' }],
  ['temperature below 0', { temperature: -1 }],
  ['top_p above 1', { top_p: 2 }],
  ['n = 0', { n: 0 }],
  ['max_tokens = 0', { max_tokens: 0 }],
  ['max_tokens below 0', { max_tokens: -5 }],
  ['max_tokens with a fraction', { max_tokens: 1.5 }],
  ['stream that is text', { stream: 'maybe' }],
  ['stream_options without stream', { stream_options: { include_usage: true } }, 'they say nothing about a whole answer, so the proxy leaves them out'],
  ['logprobs beyond the limit', { logprobs: true, top_logprobs: 1000 }],
  ['an unknown response_format', { response_format: { type: 'poem' } }],
  ['an image for a model that reads text', { messages: image(pixel) }],
  ['an image that is none', { messages: image('data:image/png;base64,AAAA') }],
  ['an image by its URL', { messages: image('http://127.0.0.1:9/x.png') }, 'no URL is fetched for a caller'],
  ['a content part of an unknown type', { messages: [{ role: 'user', content: [{ type: 'smell' }] }] }]
]

export const badRequests: readonly Check[] = [
  ...chats.map(([name, more, byDesign]) =>
    refused(name, target => chat(target, more), { ...byDesign !== undefined && { byDesign } })),
  refused('a prompt longer than the context', target => chat(target, {
    messages: [{ role: 'user', content: 'the quick brown fox '.repeat(target.contextLength) }]
  })),
  refused('max_tokens beyond the context', target => chat(target, { max_tokens: target.contextLength * 2 })),
  refused('prompt and max_tokens together beyond the context', target => chat(target, {
    messages: [{ role: 'user', content: 'the quick brown fox '.repeat(60) }], max_tokens: target.contextLength - 20
  })),
  refused('JSON cut short', () => '{"model":'),
  refused('JSON that is a list', () => '[1]'),
  refused('an empty body', () => ''),
  refused('a body that is called text', ({ model }) => JSON.stringify(chat({ model })), {
    headers: { 'content-type': 'text/plain' }, byDesign: 'the house says 415'
  }),
  refused('a duplicate key', ({ model }) => `{"model":"${model}","messages":[{"role":"user","content":"x"}],"max_tokens":1,"max_tokens":2}`, {
    byDesign: 'a key given twice has two meanings, so the proxy takes neither'
  }),
  refused('a completion without a prompt', ({ model }) => ({ model, max_tokens: 1 }), { path: '/v1/completions' }),
  refused('embeddings of a model that writes', ({ model }) => ({ model, input: 'x' }), { path: '/v1/embeddings' }),
  {
    name: 'refused: an unknown route',
    run: async ({ ask, model }) => factsOf(await ask('/v1/no-such-route', { body: { model } })),
    byDesign: 'the house answers every unknown route the same way'
  },
  {
    name: 'refused: GET of the chat route',
    run: async ({ ask }) => factsOf(await ask(chatPath)),
    byDesign: 'the house answers every wrong method the same way'
  }
]
