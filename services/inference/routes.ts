/** The OpenAI-form routes: what a notebook with the OpenAI client already speaks. */
import { Readable } from 'node:stream'
import { Type, type TObject } from 'typebox'
import type { FastifyReply } from 'fastify'
import { beginProblem, problemOf } from '../../shared/app/http-problems.ts'
import type { App } from '../../shared/app/service.ts'
import { openAiErrorBody } from '../../shared/errors/problem-body.ts'
import type { Upstreams } from './handlers/ask-upstream.ts'
import { forwardStream, forwardWhole, type Forwarded } from './handlers/forward.ts'
import type { Directory } from './handlers/directory.ts'
import { getModel, listModels } from './handlers/list-models.ts'

const tags = ['inference']
/** Figures travel inside the request as data URLs. */
const bodyLimit = 32 * 1024 * 1024
const open = { additionalProperties: true }

const model = Type.String({ minLength: 1, maxLength: 300, examples: ['my-model'] })
const stream = Type.Optional(Type.Boolean())
const Anything = Type.Object({}, open)

const ChatRequest = Type.Object({
  model, stream, messages: Type.Array(Anything, { minItems: 1, maxItems: 1000 })
}, { $id: 'ChatRequest', ...open, examples: [{ model: 'my-model', messages: [{ role: 'user', content: 'Is water wet? End with "Answer: Yes" or "Answer: No".' }] }] })

const CompletionRequest = Type.Object({ model, stream, prompt: Type.Unknown() }, { $id: 'CompletionRequest', ...open })
const EmbeddingRequest = Type.Object({ model, input: Type.Unknown() }, { $id: 'EmbeddingRequest', ...open })

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
    param: Type.Null(),
    code: Type.Integer()
  })
}, { $id: 'OpenAiError' })

export interface Parts { requests: Upstreams, directory: Directory }

export function routes (app: App, parts: Parts): void {
  app.setErrorHandler((error, request, reply) => {
    const problem = problemOf(error)
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

interface Route { path: string, operationId: string, summary: string, body: TObject }

function forwarding (app: App, { requests, directory }: Parts, route: Route): void {
  const { path, operationId, summary, body } = route
  app.post(path, {
    bodyLimit,
    schema: {
      operationId,
      tags,
      summary,
      body,
      response: { 200: Type.Object({}, { ...open, description: 'As the model server answered; an event stream when `stream` is true.' }) }
    }
  }, async (request, reply) => {
    const asked = request.body as unknown as Forwarded['body']
    const [{ replica, served } = noTarget()] = await directory.targets(asked.model, [])
    const { upstream } = replica
    const body = served === asked.model ? asked : { ...asked, model: served }
    const forwarded = { path, body, signal: whenCallerLeaves(reply) }
    replica.inFlight++
    reply.raw.once('close', () => { replica.inFlight-- })
    if (asked.stream !== true) return await forwardWhole(requests, upstream, forwarded)
    const frames = await forwardStream(requests, upstream, forwarded)
    return await reply.type('text/event-stream').header('cache-control', 'no-cache')
      .header('x-accel-buffering', 'no').send(Readable.from(frames, { objectMode: false, highWaterMark: 1 }))
  })
}

function noTarget (): never {
  throw new Error('The directory answered no target')
}

/** Aborted when the connection closes before the answer is complete. */
function whenCallerLeaves ({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController()
  raw.once('close', () => { if (!raw.writableFinished) controller.abort(new Error('the caller left')) })
  return controller.signal
}
