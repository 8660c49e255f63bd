/** The API documents, made from the routes themselves, and Swagger UI on top of them. */
import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { App } from './service.ts'

const tags = [
  { name: 'parsing', description: '1. Upload papers; get structured documents and figures.' },
  { name: 'generation', description: '2. Turn documents into question items.' },
  { name: 'reviewing', description: '3. Check the items; freeze the good ones as a benchmark.' },
  { name: 'inference', description: 'Models behind vLLM or another OpenAI-compatible server.' },
  { name: 'scoring', description: '4. Put a benchmark to models; read scores and reports.' },
  { name: 'operations', description: 'Health, metrics and work that failed for good.' }
]

const logo = Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="80" height="40" viewBox="0 0 80 40">
<text x="4" y="28" font-family="system-ui, sans-serif" font-size="24" font-weight="600" fill="#fff">Viva</text></svg>`)

/** The page needs nothing from elsewhere; the plugin's own policy would force https on plain http. */
const pagePolicy = "default-src 'self'; base-uri 'self'; object-src 'none'; frame-ancestors 'self'; " +
  "img-src 'self' data: blob:; style-src 'self' 'unsafe-inline'"

export async function addOpenApi (app: App, title: string): Promise<void> {
  // A browser sends no key with a page. What the page shows is open anyway; what it asks is not.
  app.addHook('onRoute', route => {
    if (/^\/docs(\/|$)/.test(route.url)) route.config = { ...route.config, role: 'open' }
  })
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title,
        version: '1',
        description: 'Turns research papers into benchmarks and examines language models with them. Walk down the tags in order: upload, generate, review, freeze, run, report. The examples name the bundled sample paper: upload examples/sample-paper/sample-paper.pdf and each works as it stands.',
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' }
      },
      tags,
      components: {
        securitySchemes: { key: { type: 'http', scheme: 'bearer', description: 'One of API_KEYS; not needed where none are set.' } }
      },
      security: [{}, { key: [] }]
    },
    // The plugin drops $id where a schema stands at the top of a body, so the name travels apart.
    transform: ({ schema, url }) => ({ schema: renamed(asAsked(schema)) as typeof schema, url }),
    transformObject: document => hoist('openapiObject' in document ? document.openapiObject : {}) as never
  })
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    staticCSP: true,
    transformStaticCSP: () => pagePolicy,
    uiConfig: { docExpansion: 'list', deepLinking: true, displayRequestDuration: true, tryItOutEnabled: true, validatorUrl: null },
    theme: { title },
    logo: { type: 'image/svg+xml', content: logo, href: '/docs', target: '_self' }
  })
  app.get('/', { config: { role: 'open' }, schema: { hide: true } },
    async (_, reply) => await reply.redirect('/docs'))
  app.get('/openapi.json', { config: { role: 'open' }, schema: { hide: true } },
    async () => app.swagger())
}

type Json = Record<string, unknown>
const nameKey = 'x-viva-name'

/** What a caller has to send: a property that has a default may be left out of a request. */
function asAsked<S extends { querystring?: unknown, body?: unknown }> (schema: S): S {
  const { querystring, body } = schema
  return {
    ...schema,
    ...querystring !== undefined && { querystring: withoutDefaulted(querystring) },
    ...body !== undefined && { body: withoutDefaulted(body) }
  }
}

function withoutDefaulted (value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutDefaulted)
  if (value === null || typeof value !== 'object') return value
  const { properties = {} } = value as { properties?: Record<string, object> }
  return Object.fromEntries(Object.entries(value).flatMap(([key, member]) => {
    if (key !== 'required' || !Array.isArray(member)) return [[key, withoutDefaulted(member)]]
    const needed = member.filter(name => !('default' in (properties[String(name)] ?? {})))
    return needed.length === 0 ? [] : [[key, needed]]
  }))
}

/** One with a default may be left out (`defaultBody`); the plugin takes every body to be needed. */
function asBody (value: unknown): unknown {
  const body = value as { content?: Record<string, { schema?: object }> }
  const schemas = Object.values(body.content ?? {}).map(({ schema }) => schema)
  return schemas.some(schema => 'default' in (schema ?? {})) ? { ...body, required: false } : body
}

function renamed (value: unknown): unknown {
  if (Array.isArray(value)) return value.map(renamed)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([key, member]) =>
    [key === '$id' && typeof member === 'string' ? nameKey : key, renamed(member)]))
}

/** Moves every schema that has a name to components and leaves a reference in its place. */
function hoist (document: object): object {
  const schemas: Json = {}
  const walk = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(walk)
    if (value === null || typeof value !== 'object') return value
    const { [nameKey]: name, ...rest } = value as Json
    const walked = Object.fromEntries(Object.entries(rest).map(([key, member]) =>
      [key, walk(key === 'requestBody' ? asBody(member) : member)]))
    if (typeof name !== 'string') return walked
    schemas[name] = walked
    return { $ref: `#/components/schemas/${name}` }
  }
  const walked = walk(document) as Json
  const sorted = Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => a < b ? -1 : 1))
  return { ...walked, components: { ...walked.components as Json, schemas: sorted } }
}
