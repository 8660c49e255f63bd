/** What the code says about itself, as files: API documents, the table of problems, the settings. */
import type { TObject } from 'typebox'
import { createApp } from '../shared/app/app.ts'
import { addMetrics } from '../shared/app/metrics.ts'
import { addOperations, type Room } from '../shared/app/operations.ts'
import type { Service } from '../shared/app/service.ts'
import { HouseConfig } from '../shared/config/config.ts'
import { problems } from '../shared/errors/problem.ts'
import { DoorConfig } from './front-door/config.ts'
import { registerRoutes } from './front-door/routes-only.ts'
import { suite } from './suite.ts'

/** Path from the project's root → content. */
export async function documents (): Promise<Record<string, string>> {
  const files: Record<string, string> = {
    'openapi/viva.json': await openApiOf('Viva', suite),
    'openapi/problems.md': problemTable(),
    'deploy/.env.example': settings()
  }
  for (const service of suite) {
    files[`openapi/${service.name}.json`] = await openApiOf(`Viva ${service.name}`, [service])
  }
  return files
}

async function openApiOf (title: string, services: ReadonlyArray<Service<any>>): Promise<string> {
  const app = await createApp({ title })
  addMetrics(app)
  for (const service of services) await registerRoutes(app, service)
  addOperations(app, [] as Room[], () => true)
  await app.ready()
  const document = app.swagger()
  await app.close()
  return `${JSON.stringify(document, null, 2)}\n`
}

function problemTable (): string {
  const rows = Object.entries(problems).map(([kind, { status, title, retry }]) =>
    `| \`${kind}\` | ${status} | ${title} | ${retry ? 'yes' : 'no'} |`)
  return `# Problems
Every error is \`application/problem+json\` (RFC 9457). Its \`type\` is \`/problems/<kind>\`; branch on the kind, it is
never renamed. \`detail\` says what happened and what to do, \`errors\` points into the request, \`instance\` is the
request's id in the log. "Retry" = the same request may succeed later; such answers carry Retry-After. The
OpenAI-form routes answer in OpenAI's shape, with the kind as \`error.type\`.

| kind | status | meaning | retry |
|---|---|---|---|
${rows.join('\n')}
`
}

function settings (): string {
  const blocks: Array<[string, TObject]> = [
    ['every process', HouseConfig],
    ['the front door', DoorConfig],
    ...suite.map(({ name, config }): [string, TObject] => [name, config])
  ]
  return `# Settings of Viva with their defaults; each may also be written VIVA_NAME, which wins.
# Made from the code: do not edit.
${blocks.map(([name, schema]) => `\n# --- ${name}\n${settingsOf(schema)}`).join('')}`
}

function settingsOf ({ properties }: TObject): string {
  return Object.entries(properties as Record<string, { description?: string, default?: unknown }>)
    .map(([name, { description, default: value }]) =>
      `${description === undefined ? '' : `# ${description}\n`}${value === undefined ? '#' : ''}${name}=${String(value ?? '')}\n`)
    .join('')
}
