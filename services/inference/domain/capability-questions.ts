/**
 * Four small questions that show what a model can do, and how their answers read. Nothing is assumed of
 * a model's wit: what counts is whether its server takes a picture, holds an answer to a schema, tells
 * reasoning apart, or gives vectors.
 */
import { jsonOf, memberOf, type Said } from './engine-answers.ts'
import type { Finding } from './findings.ts'

/** A black disc on white, 64 by 64: models refuse pictures smaller than a patch. */
const picture = 'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAEAAAABACAAAAACPAi4CAAAAbklEQVR42u3WMQrAMAxD0X//S6drSQyNkAdDpV1vSyyWGQIECPAF8I4OsEcDqCIAcC1wX68JpH4hoPVPoR8ATUDt70I3AKrQDIAsBAgQYOZzHvCl+b/ygMPi30b/Ovv7oGGh+BupYaVl6gb4GfAAIgwYg+fco4cAAAAASUVORK5CYII='
/** Nobody answers this unless nothing else is allowed. */
const onlyAnswer = 'zq-7'
const text = 'Say hello.'

export interface Questions<T> { plain: T, seeing: T, constrained: T, embedding: T }

/** Path and body of each, for a model by the name its server knows. */
export function capabilityQuestions (model: string): Questions<{ path: string, body: object }> {
  const chat = (content: unknown, more: object) => (
    { path: '/v1/chat/completions', body: { model, messages: [{ role: 'user', content }], temperature: 0, ...more } })
  const schema = { type: 'object', properties: { code: { enum: [onlyAnswer] } }, required: ['code'], additionalProperties: false }
  return {
    // Some tokens, for the first one of a chain of thought may be its mark alone.
    plain: chat(text, { max_tokens: 8 }),
    seeing: chat([{ type: 'text', text }, { type: 'image_url', image_url: { url: picture } }], { max_tokens: 1 }),
    // A model that thinks first is given room for it.
    constrained: chat(text, {
      max_tokens: 512, response_format: { type: 'json_schema', json_schema: { name: 'probe', schema, strict: true } }
    }),
    embedding: { path: '/v1/embeddings', body: { model, input: text } }
  }
}

export type Shown = Omit<Finding, 'model' | 'baseUrl' | 'at'>

/** True, false, or null where the answers show neither. */
export function readCapabilities (said: Questions<Said>): Shown {
  const answers = isAnswer(said.plain)
  return {
    vision: answers ? seesIn(said) : null,
    reasoning: answers ? reasonsIn(said.plain) : null,
    structuredOutput: answers ? obeysIn(said.constrained) : null,
    embeddings: isRefusal(said.embedding) ? false : isAnswer(said.embedding) ? embedsIn(said.embedding) : null
  }
}

/** A server that drops pictures in silence counts as many tokens with one as without. */
function seesIn ({ plain, seeing }: Questions<Said>): boolean | null {
  if (isRefusal(seeing)) return false
  // llama.cpp without a projector.
  if ('status' in seeing && seeing.status === 500 && /image|mmproj|multimodal/i.test(seeing.body.slice(0, 10_000))) return false
  if (!isAnswer(seeing)) return null
  const without = at(plain, 'usage', 'prompt_tokens')
  const withOne = at(seeing, 'usage', 'prompt_tokens')
  return typeof without === 'number' && typeof withOne === 'number' ? withOne > without : null
}

function reasonsIn (plain: Said): boolean {
  const thought = at(plain, 'choices', 0, 'message', 'reasoning') ?? at(plain, 'choices', 0, 'message', 'reasoning_content')
  const tokens = at(plain, 'usage', 'completion_tokens_details', 'reasoning_tokens')
  const content = at(plain, 'choices', 0, 'message', 'content')
  return (typeof thought === 'string' && thought !== '') || (typeof tokens === 'number' && tokens > 0) ||
    (typeof content === 'string' && /^\s{0,20}<think/.test(content))
}

function obeysIn (constrained: Said): boolean | null {
  if (isRefusal(constrained)) return false
  const content = at(constrained, 'choices', 0, 'message', 'content')
  // Cut short, or still thinking.
  if (typeof content !== 'string' || content === '' || at(constrained, 'choices', 0, 'finish_reason') !== 'stop') return null
  try {
    const { code } = JSON.parse(content) as { code?: unknown }
    return code === onlyAnswer
  } catch { return false }
}

function embedsIn (embedding: Said): boolean {
  return Array.isArray(at(embedding, 'data', 0, 'embedding'))
}

function isAnswer (said: Said): boolean {
  return 'status' in said && said.status === 200
}

function isRefusal (said: Said): boolean {
  return 'status' in said && [400, 404, 405, 415, 422, 501].includes(said.status)
}

/** What stands at a path of an answer. */
function at (said: Said, ...path: Array<string | number>): unknown {
  return path.reduce<unknown>((value, step) => memberOf(value, String(step)), jsonOf(said))
}
