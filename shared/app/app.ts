/**
 * The hardened HTTP preset every service runs on: strict bodies, bounded everything, and one shape
 * of error. Each default below replaces one of Fastify's or Node's that lets something through;
 * test/preset.test.ts has a case for each.
 */
import Fastify, { LogController, type FastifyBaseLogger, type FastifyReply, type FastifyRequest } from 'fastify'
import multipart from '@fastify/multipart'
import rateLimit from '@fastify/rate-limit'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import { ProblemBody } from '../errors/problem-body.ts'
import { Problem } from '../errors/problem.ts'
import { notServedHeader } from '../contracts/addresses.ts'
import { rememberRoutes } from './allowed-methods.ts'
import { authorise, type ApiKey } from './auth.ts'
import { defaultBody, isLeftOut } from './default-body.ts'
import { answerBrokenRequest, problemOf, sendProblem } from './http-problems.ts'
import { silentLog } from './log.ts'
import { addOpenApi } from './openapi.ts'
import { isPrivate } from './private-socket.ts'
import { securityHeaders } from './security-headers.ts'
import type { App } from './service.ts'
import { parseStrictBytes } from './strict-json.ts'
import { compileValidator } from './validators.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** A JSON body as it came: UTF-8, and all that strict-json.ts asks for. */
    bodyBytes: Buffer | null
  }
}

export const bodyBytesMax = 1024 * 1024
export const fileBytesMax = 64 * 1024 * 1024

export interface AppOptions {
  /** Title of the API documents. */
  title?: string
  log?: Logger
  /** None: the service is open to whoever reaches it. */
  keys?: readonly ApiKey[]
  /** Requests a minute from one address; 0 = no limit. */
  ratePerMinute?: number
  /** For a whole request to arrive, and for its headers. */
  requestTimeoutMs?: number
  headersTimeoutMs?: number
}

export async function createApp (options: AppOptions = {}): Promise<App> {
  const { requestTimeoutMs = 60_000, headersTimeoutMs = 10_000 } = options
  const app: App = Fastify({
    loggerInstance: (options.log ?? silentLog()) as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    // What is logged of a request names it: a logger for each would be made for nothing.
    childLoggerFactory: logger => logger,
    bodyLimit: bodyBytesMax,
    requestTimeout: requestTimeoutMs,
    // Without these two a slow body is cut only after 90 s, whatever requestTimeout says.
    http: { headersTimeout: headersTimeoutMs, connectionsCheckingInterval: 1_000 },
    // Draining answers for itself, as problem+json.
    return503OnClosing: false,
    forceCloseConnections: true,
    routerOptions: { maxParamLength: 300 },
    frameworkErrors: (error, request, reply) => { sendProblem(problemOf(error), request, reply) },
    clientErrorHandler: answerBrokenRequest
  }).withTypeProvider<TypeBoxTypeProvider>()

  app.setValidatorCompiler(compileValidator)
  // Fastify's serializer drops what a schema does not name; an answer must lose nothing.
  app.setSerializerCompiler(() => data => JSON.stringify(data))
  app.removeContentTypeParser(['application/json', 'text/plain'])
  app.decorateRequest('bodyBytes', null)
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    if (isLeftOut(request, body as Buffer)) { done(null, undefined); return }
    request.bodyBytes = body as Buffer
    try { done(null, parseStrictBytes(request.bodyBytes)) } catch (cause) { done(cause as Error) }
  })

  app.setErrorHandler((error, request, reply) => sendProblem(problemOf(error), request, reply))
  const methodsOf = rememberRoutes(app)
  const refuseUnknown = (request: FastifyRequest, reply: FastifyReply): never => {
    const [path = ''] = request.url.split('?')
    // Through the private door no address can be wrong.
    if (!isPrivate(request)) void reply.header(notServedHeader, '1')
    const methods = methodsOf(path)
    if (methods.length === 0) {
      throw new Problem('not-found', 'Nothing is served at this path; /docs lists what is.')
    }
    void reply.header('allow', methods.join(', '))
    throw new Problem('method-not-allowed', `This path takes ${methods.join(', ')}.`)
  }
  app.setNotFoundHandler(refuseUnknown)

  const keys = options.keys ?? []
  const headers = securityHeaders()
  // One hook, and none that waits: a promise for each would cost every request more than what they do.
  app.addHook('onRequest', (request, reply, done) => {
    void reply.headers(headers)
    try {
      if (!isPrivate(request)) authorise(request, keys)
      // Before the body is looked at: a wrong method is that, whatever is wrong with its body.
      if (request.is404) refuseUnknown(request, reply)
    } catch (cause) { done(cause as Error); return }
    done()
  })
  app.addHook('onRoute', declareProblems)
  app.addHook('onRoute', closeQuery)
  app.addHook('onRoute', defaultBody)
  await app.register(multipart, {
    limits: { fileSize: fileBytesMax, files: 1, fields: 4, parts: 5, fieldSize: 10_000, headerPairs: 50 }
  })
  const { ratePerMinute = 0 } = options
  if (ratePerMinute > 0) {
    await app.register(rateLimit, {
      max: ratePerMinute,
      timeWindow: 60_000,
      allowList: isPrivate,
      // A Unix socket has no address; its requests are private and pass anyway.
      keyGenerator: ({ ip }) => ip ?? 'private'
    })
  }
  await addOpenApi(app, options.title ?? 'Viva')
  return app
}

const meanings: Record<string, string> = {
  200: 'Done', 201: 'Made; Location says where', 202: 'Accepted; follow Location to its end', 204: 'Done'
}

/** The plugin's "Default Response" tells nobody anything. */
function described (responses: Record<string, object> = {}) {
  return Object.fromEntries(Object.entries(responses).map(([status, schema]) =>
    [status, { description: meanings[status] ?? 'Done', ...schema }]))
}

/** Every operation may end in a problem; declared once here instead of in each route. */
function declareProblems (route: { schema?: { response?: unknown, hide?: boolean } }): void {
  if (route.schema === undefined || route.schema.hide === true) return
  const content = { 'application/problem+json': { schema: ProblemBody } }
  route.schema.response = {
    ...described(route.schema.response as Record<string, object> | undefined),
    '4xx': { description: 'What the caller can mend', content },
    '5xx': { description: 'What the caller can only wait for', content }
  }
}

/**
 * A query may name what the operation knows and nothing else: a misspelt filter or limit that is
 * passed over in silence answers another question than the one asked.
 */
function closeQuery (route: { schema?: { querystring?: unknown, hide?: boolean } }): void {
  if (route.schema === undefined || route.schema.hide === true) return
  const { properties = {}, ...rest } = (route.schema.querystring ?? { type: 'object' }) as { properties?: object }
  route.schema.querystring = { ...rest, properties, additionalProperties: false }
}
