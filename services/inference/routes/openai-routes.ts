/** The OpenAI-form routes: what a notebook with the OpenAI client already speaks. */
import { Type, type TObject } from 'typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { beginProblem, problemOf } from '../../../shared/app/http-problems.ts'
import type { App } from '../../../shared/app/service.ts'
import { openAiErrorBody } from '../../../shared/errors/problem-body.ts'
import { Problem } from '../../../shared/errors/problem.ts'
import type { ForwardedPath } from '../domain/call.ts'
import { admitCall, type AdmitParts } from '../handlers/admit-call.ts'
import type { Calls } from '../handlers/calls.ts'
import type { Directory } from '../handlers/directory.ts'
import { getModel, listModels } from '../handlers/list-models.ts'
import type { StreamOutput } from '../handlers/send-stream.ts'
import { CallHeaders } from './call-headers.ts'
import { mistakenRoutes } from './mistaken-routes.ts'
import { whenCallerLeaves } from './when-caller-leaves.ts'

const tags = ['inference']
const open = { additionalProperties: true }

const model = Type.String({ minLength: 1, maxLength: 300, examples: ['my-model'] })
const stream = Type.Optional(Type.Union([Type.Boolean(), Type.Null()]))
const Anything = Type.Object({}, open)

/** What the documents say; the rules themselves are in domain/admission.ts, once for all routes. */
const ChatRequest = Type.Object({ model, stream, messages: Type.Array(Anything) }, { $id: 'ChatRequest', ...open, examples: [{ model: 'my-model', messages: [{ role: 'user', content: 'Is water wet? End with "Answer: Yes" or "Answer: No".' }] }] })

const CompletionRequest = Type.Object({ model, stream, prompt: Type.Unknown() }, { $id: 'CompletionRequest', ...open, examples: [{ model: 'my-model', prompt: 'Water is', max_tokens: 16 }] })
const EmbeddingRequest = Type.Object({ model, input: Type.Unknown() }, { $id: 'EmbeddingRequest', ...open, examples: [{ model: 'my-model', input: ['Water is wet.', 'Fire is hot.'] }] })
const TokenizeRequest = Type.Object({ model }, { $id: 'TokenizeRequest', ...open, description: 'With `prompt` or `messages`.', examples: [{ model: 'my-model', prompt: 'Is water wet?' }] })
const DetokenizeRequest = Type.Object({ model, tokens: Type.Array(Type.Integer()) }, { $id: 'DetokenizeRequest', ...open, examples: [{ model: 'my-model', tokens: [1, 2, 3] }] })

const ModelCard = Type.Object({
  id: Type.String({ description: 'As callers name it: a model of a server, a LoRA adapter, or an alias.' }),
  object: Type.Literal('model'),
  created: Type.Integer({ description: 'Not known: 0.' }),
  owned_by: Type.String({ description: 'Names of the upstreams that serve it, separated by commas.' }),
  root: Type.String({ description: 'As its servers know it.' }),
  parent: Type.Union([Type.String(), Type.Null()], { description: 'Of a LoRA adapter: its model.' }),
  max_model_len: Type.Union([Type.Integer(), Type.Null()], { description: 'Tokens of prompt and completion; the least of its upstreams.' }),
  capabilities: Type.Array(Type.String(), { description: 'Declared or found, for example vision.' }),
  available: Type.Boolean({ description: 'Whether an upstream takes calls for it now.' })
}, { $id: 'ModelCard' })
const ModelList = Type.Object({ object: Type.Literal('list'), data: Type.Array(ModelCard) }, { $id: 'ModelList' })

const OpenAiError = Type.Object({
  error: Type.Object({
    message: Type.String(),
    type: Type.String({ description: 'The kind of problem; /problems/{kind} says what it means.' }),
    param: Type.Union([Type.String({ description: 'JSON pointer into the request, where one field is at fault.' }), Type.Null()]),
    code: Type.Integer()
  })
}, { $id: 'OpenAiError' })

export interface Parts extends AdmitParts {
  calls: Calls
  directory: Directory
  /** Of a request. */
  bodyBytesMax: number
  /** For a caller who takes nothing of a stream. */
  idleMs: number
}

export function openAiRoutes (app: App, parts: Parts): void {
  app.setErrorHandler((error, request, reply) => {
    const problem = withLimit(problemOf(error), error, parts.bodyBytesMax)
    // Status and headers as everywhere, the body as an OpenAI client reads it.
    return beginProblem(problem, request, reply).type('application/json')
      .send(JSON.stringify(openAiErrorBody(problem)))
  })

  app.addHook('onRoute', declareErrors)

  app.get('/v1/models', {
    schema: {
      operationId: 'listModels',
      tags,
      summary: 'The models of all upstreams, those of servers that are away included',
      response: { 200: ModelList }
    }
  }, async () => ({ object: 'list' as const, data: await listModels(parts.directory) }))

  app.get('/v1/models/*', {
    schema: {
      operationId: 'getModel',
      tags,
      summary: 'One model; its id may have slashes',
      params: Type.Object({ '*': Type.String({ minLength: 1, maxLength: 300, description: 'Id of the model.' }) }),
      response: { 200: ModelCard }
    }
  }, async ({ params }) => await getModel(parts.directory, params['*']))

  forwarding(app, parts, { path: '/v1/chat/completions', operationId: 'createChatCompletion', summary: 'Ask a model, in the form of OpenAI\'s chat completions', body: ChatRequest })
  forwarding(app, parts, { path: '/v1/completions', operationId: 'createCompletion', summary: 'Let a model continue a text', body: CompletionRequest })
  forwarding(app, parts, { path: '/v1/embeddings', operationId: 'createEmbeddings', summary: 'Vectors of texts', body: EmbeddingRequest })
  forwarding(app, parts, { path: '/v1/tokenize', operationId: 'tokenize', summary: 'Tokens of a prompt or of messages, as the model counts them', body: TokenizeRequest })
  forwarding(app, parts, { path: '/v1/detokenize', operationId: 'detokenize', summary: 'Text of tokens', body: DetokenizeRequest })
  mistakenRoutes(app)
}

/** Before the body is read Fastify knows only that it is too large, not how large it may be. */
function withLimit (problem: Problem, error: unknown, bodyBytesMax: number): Problem {
  if (problem.kind !== 'body-too-large' || problem === error) return problem
  return new Problem('body-too-large', `The body is larger than ${bodyBytesMax} bytes (INFERENCE_BODY_MB); send less, fewer or smaller images, or several requests.`, { cause: error })
}

/** The errors of these routes have OpenAI's shape; the preset has declared the house's. */
function declareErrors ({ schema }: { schema?: { response?: unknown } }): void {
  if (schema === undefined) return
  const content = { 'application/json': { schema: OpenAiError } }
  schema.response = {
    ...schema.response as object,
    '4xx': { description: 'What the caller can mend', content },
    '5xx': { description: 'What the caller can only wait for', content }
  }
}

interface Route { path: ForwardedPath, operationId: string, summary: string, body: TObject }

function forwarding (app: App, parts: Parts, route: Route): void {
  const { path, operationId, summary, body } = route
  app.post(path, {
    bodyLimit: parts.bodyBytesMax,
    config: { queued: true },
    schema: {
      operationId,
      tags,
      summary,
      body,
      headers: CallHeaders,
      response: { 200: Type.Object({}, { ...open, description: 'As the model server answered; an event stream when `stream` is true.' }) }
    },
    // What is let in is decided once, by the rules of the domain.
    validatorCompiler: () => () => true
  }, async (request, reply) => {
    const call = admitCall(parts, path, { request, signal: whenCallerLeaves(reply) })
    if (call.body.stream === true) {
      const streamed = parts.calls.stream(call, request.headers, outputOf(request, reply, parts.idleMs))
      // Once it has begun, its end and the log have told of a fault.
      await streamed.catch((cause: unknown) => { if (!reply.sent) throw cause })
      return await reply
    }
    const { reply: answer, headers } = await parts.calls.whole(call, request.headers)
    return await reply.headers({ ...headers, 'x-request-id': request.id }).type(answer.contentType).send(answer.bytes)
  })
}

/**
 * Written past Fastify: it would put a stream of its own between the upstream and the socket.
 *
 * A caller who is there but takes nothing is as good as gone: the connection is closed, and with it goes
 * all it holds: its place at the model server, the stream it shares with others, what waits to be sent.
 */
function outputOf (request: FastifyRequest, reply: FastifyReply, idleMs: number): StreamOutput {
  const { raw } = reply
  // Node closes a socket whose time is up; it sees bytes that are taken, however slowly.
  const allow = (ms: number): void => { raw.socket?.setTimeout(ms) }
  raw.on('drain', () => { allow(0) })
  // Before Node sets how long the connection may wait for the next request.
  raw.prependOnceListener('finish', () => { allow(0) })
  return {
    begin (headers) {
      void reply.hijack()
      raw.writeHead(200, {
        ...reply.getHeaders() as Record<string, string>,
        ...headers,
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-cache',
        'x-accel-buffering': 'no',
        'x-request-id': request.id
      })
    },
    write (bytes) {
      const wants = raw.write(bytes)
      if (!wants) allow(idleMs)
      return wants
    },
    onDrain (resume) { raw.on('drain', resume).once('close', resume) },
    end () {
      raw.end()
      if (!raw.writableFinished) allow(idleMs)
    }
  }
}
