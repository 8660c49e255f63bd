/**
 * A request in the words the upstream's version obeys. vLLM takes every unknown field with 200 and
 * ignores it, so a request in the wrong dialect comes back unconstrained and looks well: what a
 * version cannot obey is refused here instead. The table is in the README of the service.
 */
import { Problem } from '../../../../shared/errors/problem.ts'
import { isGenerated, type ForwardedPath, type RequestBody } from '../call.ts'
import type { Engine } from '../replica.ts'
import { constraintOf, guidedFields, guidedNames, mayConstrain, pointerOf, type Constraint } from './constraint.ts'
import { release, versionOf } from './version.ts'

export interface Dialect {
  path: ForwardedPath
  /** Of GET /version; null where the server has none. */
  version: string | null
  /** Default: vllm where there is a version, else other. */
  engine?: Engine | undefined
  /** The name the upstream knows the model by. */
  served: string
}

/** Obeyed from 0.11.0 to today; `guided_*` in all before and up to 0.11, so no version lies between. */
const structuredSince = release(0, 11, 0)
/** Messages may carry `reasoning` from here on; `reasoning_content` alone is read before. */
const reasoningSince = release(0, 11, 1)
/** `best_of` and `logits_processors` belong to the first engine (V0), which is off from here on. */
const engineOneSince = release(0, 8, 0)
const structuralTagSince = release(0, 9, 0)

type Body = Readonly<Record<string, unknown>>

/**
 * The same object where nothing is to change; never changes the one given.
 *
 * @throws Problem unsupported-by-upstream where this version would ignore what is asked; invalid-request
 *         for constraints that contradict each other
 */
export function toUpstream (body: RequestBody, dialect: Dialect): RequestBody {
  const { path, served } = dialect
  const isVllm = (dialect.engine ?? (dialect.version === null ? 'other' : 'vllm')) === 'vllm'
  const version = isVllm ? versionOf(dialect.version) : null
  const changes: Record<string, unknown> = {}
  if (body.model !== served) changes.model = served
  // The proxy does priorities itself: a server without that scheduling refuses, ignores or dies of it
  // (vllm#22997, #29747). Two requests of one id end one another; the proxy gives each attempt its own.
  if (body.priority !== undefined) changes.priority = undefined
  if (body.request_id !== undefined) changes.request_id = undefined
  if (body.stream === true) askForUsage(body, changes)
  else if (body.stream_options !== undefined) changes.stream_options = undefined
  if (isGenerated(path)) {
    if (mayConstrain(body)) constrain(body, { ...dialect, isVllm, number: version }, changes)
    if (body.best_of !== undefined || body.logits_processors !== undefined) refuseLost(body, isVllm, version)
  }
  const isNew = isVllm && (version === null || version >= reasoningSince)
  if (body.messages !== undefined) nameReasoning(body, isNew, changes)
  if (dialect.engine === 'llama.cpp' && path === '/v1/tokenize') countAsLlama(body, dialect, changes)
  if (dialect.engine === 'llama.cpp' && body.repetition_penalty != null && body.repeat_penalty == null) {
    // Its own name for it; the one of vLLM it would pass over.
    changes.repeat_penalty = body.repetition_penalty
  }
  return changed(body, changes)
}

/** Without the members that are undefined in `changes`, and in the order they were in. */
function changed (body: RequestBody, changes: Record<string, unknown>): RequestBody {
  if (isEmpty(changes)) return body
  const copy: RequestBody = { ...body, ...changes }
  for (const key in changes) if (changes[key] === undefined) delete copy[key]
  return copy
}

/** Usage is what accounting lives on; the extra chunk is taken out again where the caller did not ask. */
function askForUsage ({ stream_options: given }: Body, changes: Record<string, unknown>): void {
  const options = given !== null && typeof given === 'object' ? given as Record<string, unknown> : {}
  if (options.include_usage !== true) changes.stream_options = { ...options, include_usage: true }
}

interface Target extends Dialect { isVllm: boolean, number: number | null }

function constrain (body: Body, target: Target, changes: Record<string, unknown>): void {
  const constraint = constraintOf(body)
  const written = constraint === undefined ? {} : writtenFor(constraint, body, target)
  for (const name of ['response_format', 'structured_outputs', ...guidedFields]) {
    const value = written[name]
    if (value !== body[name]) changes[name] = value
  }
}

/** The fields that say it to this upstream; a value of the caller's that stays is the caller's own object. */
function writtenFor (constraint: Constraint, body: Body, target: Target): Record<string, unknown> {
  const { isVllm, number, path } = target
  if (!isVllm || number === null) return inResponseFormat(constraint, body, target)
  // In a plain completion vLLM before 0.11 reads no response_format but json_object.
  const isChat = path === '/v1/chat/completions'
  const isTagRead = number >= structuralTagSince && constraint.kind === 'structural-tag'
  const isRead = constraint.kind === 'json-object' || (isChat && (constraint.kind === 'json' || isTagRead))
  if (constraint.form === 'response_format' && isRead && !hasOptions(constraint)) {
    return { response_format: body.response_format }
  }
  if (number >= structuredSince) return inStructuredOutputs(constraint, body)
  return inGuided(constraint, body, target)
}

function inStructuredOutputs (constraint: Constraint, body: Body): Record<string, unknown> {
  if (constraint.form === 'structured_outputs' && sole(body, 'structured_outputs')) {
    return { structured_outputs: body.structured_outputs }
  }
  const [, , key] = namesOf(constraint)
  const value = constraint.kind === 'structural-tag' ? JSON.stringify(constraint.value) : constraint.value
  return { structured_outputs: { [key]: value, ...constraint.options } }
}

function inGuided (constraint: Constraint, body: Body, target: Target): Record<string, unknown> {
  const { whitespace_pattern: pattern, ...others } = constraint.options
  const unknown = Object.keys(others)
  if (unknown.length > 0) {
    throw refused(target, `/structured_outputs/${unknown[0]}`, 'has no name there; leave it out')
  }
  const backend = body.guided_decoding_backend
  const [name] = namesOf(constraint)
  if (constraint.kind === 'json-object') return { response_format: { type: 'json_object' } }
  if (constraint.kind === 'structural-tag') {
    if (target.path !== '/v1/chat/completions' || Number(target.number) < structuralTagSince) {
      throw refused(target, pointerOf(constraint), 'is not known there')
    }
    return { response_format: { ...constraint.value as object, type: 'structural_tag' } }
  }
  return {
    [name]: constraint.form === 'guided' ? body[name] : constraint.value,
    ...pattern !== undefined && { guided_whitespace_pattern: pattern },
    ...backend !== undefined && { guided_decoding_backend: backend }
  }
}

/** All that other engines share, and all that is safe for a vLLM that does not say how old it is. */
function inResponseFormat (constraint: Constraint, body: Body, target: Target): Record<string, unknown> {
  const pointer = pointerOf(constraint)
  if (target.path !== '/v1/chat/completions') {
    throw refused(target, pointer, 'is obeyed in chat completions only; send messages instead of a prompt')
  }
  if (hasOptions(constraint)) throw refused(target, pointer, 'is narrowed by options that only vLLM knows')
  const isShared = constraint.kind === 'json' || constraint.kind === 'json-object'
  if (constraint.form === 'response_format' && isShared) return { response_format: body.response_format }
  if (constraint.kind === 'json-object') return { response_format: { type: 'json_object' } }
  if (constraint.kind !== 'json') {
    throw refused(target, pointer, `(${constraint.kind}) is not obeyed there; ask with a JSON Schema, or on a vLLM that tells its version`)
  }
  return { response_format: { type: 'json_schema', json_schema: { name: 'answer', schema: constraint.value, strict: true } } }
}

/** Whether the caller wrote it in this field alone. */
function sole (body: Body, field: string): boolean {
  return [...guidedFields, 'response_format', 'structured_outputs'].every(name => name === field || body[name] == null)
}

function hasOptions ({ options }: Constraint): boolean {
  return !isEmpty(options)
}

function isEmpty (object: object): boolean {
  return Object.keys(object).length === 0
}

function namesOf ({ kind }: Constraint): readonly [string, string, string] {
  for (const names of guidedNames) if (names[1] === kind) return names
  throw new RangeError(`Expected a kind of constraint, got ${kind}`)
}

/** llama.cpp calls the prompt `content`, and takes messages for nothing at all: 200, no tokens. */
function countAsLlama (body: Body, dialect: Dialect, changes: Record<string, unknown>): void {
  if (typeof body.prompt !== 'string') {
    throw new Problem('unsupported-by-upstream', `The server of ${dialect.served} counts the tokens of a prompt only; send prompt instead of messages.`, {
      errors: [{ pointer: '/body/messages', detail: 'are not counted there' }]
    })
  }
  changes.prompt = undefined
  changes.content = body.prompt
  changes.add_special = body.add_special_tokens ?? true
}

/** Fields of vLLM's first engine that later ones take and forget, and with them the sampling asked for. */
function refuseLost (body: Body, isVllm: boolean, version: number | null): void {
  if (isVllm && version !== null && version < engineOneSince) return
  const best = body.best_of
  if (best !== undefined && best !== null && best !== (body.n ?? 1)) {
    throw lost('/best_of', 'is not done by this model server; ask for n answers and choose')
  }
  if (body.logits_processors !== undefined && body.logits_processors !== null) {
    throw lost('/logits_processors', 'is not done by this model server; leave it out')
  }
}

function lost (pointer: string, detail: string): Problem {
  return new Problem('unsupported-by-upstream', `${pointer} ${detail}.`, { errors: [{ pointer, detail }] })
}

function refused ({ version, isVllm }: Target, pointer: string, detail: string): Problem {
  const server = isVllm ? `vLLM ${String(version)}` : 'A model server that is not vLLM'
  return new Problem('unsupported-by-upstream', `${server} would answer without the constraint: ${pointer} ${detail}.`, { errors: [{ pointer, detail }] })
}

/**
 * The chain of thought of earlier turns under the name this version reads. The other name stays: it is
 * ignored, and a template of the server's may look for it.
 */
function nameReasoning (body: Body, isNew: boolean, changes: Record<string, unknown>): void {
  const { messages } = body
  if (!Array.isArray(messages)) return
  const wanted = isNew ? 'reasoning' : 'reasoning_content'
  const other = isNew ? 'reasoning_content' : 'reasoning'
  let copy: unknown[] | undefined
  for (let at = 0; at < messages.length; at++) {
    const message = messages[at] as Record<string, unknown> | null
    const thought = message?.[other]
    if (thought === undefined || thought === null) continue
    if (message?.[wanted] !== undefined && message[wanted] !== null) continue
    copy ??= [...messages]
    copy[at] = { ...message, [wanted]: thought }
  }
  if (copy !== undefined) changes.messages = copy
}
