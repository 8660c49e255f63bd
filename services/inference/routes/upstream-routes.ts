/** Upstreams as a resource. A route is a schema and one call. */
import { Type } from 'typebox'
import type { App } from '../../../shared/app/service.ts'
import { NewUpstream, UpstreamName, upstreamFields } from '../domain/upstream-rules.ts'
import type { Upstream } from '../domain/upstream.ts'
import { UpstreamList, upstreamView, UpstreamView, type Live } from '../domain/upstream-view.ts'
import {
  addUpstream, changeUpstream, getUpstream, removeUpstream, type UpstreamPatch
} from '../handlers/change-upstreams.ts'
import type { Member } from '../handlers/keep-members.ts'
import { probeCapabilities, type ProbePart } from '../handlers/probe-capabilities.ts'

const tags = ['inference']
const params = Type.Object({ name: UpstreamName })
const admin = { role: 'admin' } as const

const nullable = ['models', 'aliases', 'slots', 'weight', 'contextTokens', 'apiKeyEnv'] as const
/** Null takes a member away. */
const Patch = Type.Object(Object.fromEntries(Object.entries(upstreamFields).map(([name, schema]) => {
  const mayGo = (nullable as readonly string[]).includes(name)
  return [name, Type.Optional(mayGo ? Type.Union([schema, Type.Null()]) : schema)]
})), { $id: 'UpstreamPatch', additionalProperties: false, minProperties: 1, examples: [{ draining: true }] })

export interface UpstreamParts extends ProbePart {
  /** What the dispatcher knows of an upstream; null where it knows nothing. */
  live: (name: string) => Live | null
  /** The value of an environment variable; only whether there is one is shown. */
  secret: (name: string) => string | undefined
}

/** In a scope of its own: errors are problem+json here, unlike on the routes of OpenAI's form. */
export function upstreamRoutes (app: App, parts: UpstreamParts): void {
  readingRoutes(app, parts)
  changingRoutes(app, parts)
}

function readingRoutes (app: App, parts: UpstreamParts): void {
  const view = viewer(parts)

  app.get('/v1/upstreams', {
    schema: {
      operationId: 'listUpstreams',
      tags,
      summary: 'The model servers, with what they serve and how they are',
      response: { 200: UpstreamList }
    }
  }, async () => ({ items: (await parts.directory.list()).map(view), nextCursor: null }))

  app.get('/v1/upstreams/:name', {
    schema: {
      operationId: 'getUpstream',
      tags,
      summary: 'One model server',
      params,
      response: { 200: UpstreamView }
    }
  }, async ({ params: { name } }) => view(await getUpstream(parts.directory, name)))

  app.post('/v1/upstreams/:name/probe', {
    config: admin,
    schema: {
      operationId: 'probeUpstream',
      tags,
      summary: 'Ask a model server at once how it is, and one of its models what it can do',
      description: 'Four requests: a plain one of at most 8 tokens, one of 1 with a small picture, one of at most 512 held to a schema, one for vectors. What they show is kept, stands in findings and counts as found; a declared capability that did not show is a warning.',
      params,
      querystring: Type.Object({
        model: Type.Optional(Type.String({ minLength: 1, maxLength: 300, description: 'Absent: the first that is no adapter.' }))
      }),
      response: { 200: UpstreamView }
    }
  }, async ({ params: { name }, query }) => view(await probeCapabilities(parts, name, query.model ?? null)))
}

function changingRoutes (app: App, parts: UpstreamParts): void {
  const view = viewer(parts)

  app.post('/v1/upstreams', {
    config: admin,
    schema: {
      operationId: 'addUpstream',
      tags,
      summary: 'Add a model server; it is probed before this answers',
      description: 'The same again is answered with 200, another of that name with 409. A server that is down is added too: see state and detail.',
      body: NewUpstream,
      response: { 200: UpstreamView, 201: UpstreamView }
    }
  }, async ({ body }, reply) => {
    const { created, member } = await addUpstream(parts, body as Upstream)
    return await reply.code(created ? 201 : 200)
      .header('location', `/v1/upstreams/${body.name}`).send(view(member))
  })

  app.patch('/v1/upstreams/:name', {
    config: admin,
    schema: {
      operationId: 'changeUpstream',
      tags,
      summary: 'Change a model server, or drain it',
      description: 'Members that are not named stay, null takes one away. Draining: no new calls; those under way end, inFlight shows when the last has.',
      params,
      body: Patch,
      response: { 200: UpstreamView }
    }
  }, async ({ params: { name }, body }) => view(await changeUpstream(parts, name, body as UpstreamPatch)))

  app.delete('/v1/upstreams/:name', {
    config: admin,
    schema: {
      operationId: 'removeUpstream',
      tags,
      summary: 'Remove a model server that has no calls under way; 409 while it has',
      params,
      response: { 204: Type.Null() }
    }
  }, async ({ params: { name } }, reply) => {
    await removeUpstream(parts, name)
    return await reply.code(204).send(null)
  })
}

function viewer ({ live, secret }: UpstreamParts): (member: Member) => UpstreamView {
  return ({ watch, source, hides, findings }) => {
    const { upstream: { name, apiKeyEnv } } = watch.replica
    const keyMissing = apiKeyEnv !== undefined && secret(apiKeyEnv) === undefined
    const nowMs = performance.now()
    const known = { source, hides, findings, facts: watch.facts(), live: live(name) }
    return upstreamView({ replica: watch.replica, ...known, nowMs, keyMissing })
  }
}
