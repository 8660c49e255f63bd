/** The route by which the other services ask models. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../../../shared/app/service.ts'
import { StructuredCompletion, StructuredRequest } from '../../../shared/contracts/structured-completion.ts'
import { structuredCompletion, type StructuredParts } from '../handlers/structured-completion.ts'

export interface StructuredSurface<Context> extends StructuredParts<Context> {
  /** Labels, replay mode, deadline and the caller's leaving, as for the OpenAI form. */
  contextOf: (request: FastifyRequest, reply: FastifyReply) => Context
  bodyBytesMax: number
}

/** Registered apart from the OpenAI-form routes: errors here are problem+json. */
export function structuredRoutes<Context> (app: App, surface: StructuredSurface<Context>): void {
  app.post('/v1/structured-completions', {
    bodyLimit: surface.bodyBytesMax,
    config: { queued: true },
    schema: {
      operationId: 'createStructuredCompletion',
      tags: ['inference'],
      summary: 'Ask a model for a value of a JSON schema: the value as the model meant it, or why there is none',
      body: StructuredRequest,
      response: { 200: StructuredCompletion }
    }
  }, async (request, reply) => {
    const context = surface.contextOf(request as FastifyRequest, reply as unknown as FastifyReply)
    return await structuredCompletion(surface, request.body as StructuredRequest, context)
  })
}
