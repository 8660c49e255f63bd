/** The fake's own routes, apart from any of vLLM's: scripts, journal, logical time. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Fake } from './fake.ts'
import { entryWire } from './journal.ts'
import { scriptNames } from './plan.ts'
import { changeServer } from './plan-effects.ts'
import type { Script } from './scripts.ts'

/**
 * POST /__script a script · DELETE /__script forget them · GET /__script their names ·
 * GET /__journal (`?probes=1`: the GETs) · DELETE /__journal · POST /__tick `{ms}`.
 */
export async function control (
  fake: Fake, request: IncomingMessage, response: ServerResponse
): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://fake')
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const say = (status: number, body: unknown) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  }
  const journal = url.searchParams.has('probes') ? fake.probes : fake.journal
  try {
    const body = JSON.parse(Buffer.concat(chunks).toString() || '{}') as unknown
    switch (`${String(request.method)} ${url.pathname}`) {
      case 'POST /__script': addScript(fake, body as Script); say(200, { ok: true }); return
      case 'DELETE /__script': forgetScripts(fake); say(200, { ok: true }); return
      case 'GET /__script': say(200, scriptNames); return
      case 'GET /__journal': say(200, journal.entries.map(entryWire)); return
      case 'DELETE /__journal': journal.clear(); say(200, { ok: true }); return
      case 'POST /__tick':
        await fake.clock.tick(Number((body as { ms?: unknown }).ms))
        say(200, { now: fake.clock.now() })
        return
      default: say(404, { detail: 'Not Found' })
    }
  } catch (cause) { say(400, { detail: (cause as Error).message }) }
}

/** Takes effect at once where it is about the server. @throws Error that names the known scripts */
export function addScript (fake: Fake, script: Script): void {
  const plan = fake.scripts.add(script)
  if (script.match === undefined) changeServer(fake, plan)
}

export function forgetScripts (fake: Fake): void {
  const { state } = fake
  fake.scripts.clear()
  state.storm = null
  state.metrics = { fault: '', ms: 0, frozen: '' }
  state.doomed = new WeakSet()
}
