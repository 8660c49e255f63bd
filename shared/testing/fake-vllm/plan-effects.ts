/** What a plan does before, or instead of, an answer: to the server, to the connection, to the status. */
import type { ServerResponse } from 'node:http'
import { wait } from './clock.ts'
import { contextRefusal, Refusal } from './dialect.ts'
import type { Exchange, Fake } from './fake.ts'
import { flood } from './flood.ts'
import type { Plan } from './plan.ts'
import { countTokens, renderChat, type Message } from './tokens.ts'
import { metricsText } from './metrics.ts'
import { sendRefusal } from './whole-answer.ts'
import { mix } from './words.ts'
import type { Wire } from './wire.ts'

/** The parts of a plan that change the server. */
export function changeServer (fake: Fake, plan: Plan): void {
  const { state, engine, clock } = fake
  if (plan.sleep === true) engine.sleep()
  if (plan.wake === true) engine.wake()
  if (plan.loraAdd !== undefined && !state.loras.includes(plan.loraAdd)) state.loras.push(plan.loraAdd)
  if (plan.storm !== undefined) {
    state.storm = { until: clock.now() + plan.storm.ms, share: plan.storm.share, draws: 0 }
  }
  if (plan.metrics !== undefined) state.metrics = { ...plan.metrics, frozen: metricsText(fake) }
  if (plan.resetIdle === true) for (const socket of state.sockets) state.doomed.add(socket)
  if (plan.refuseMs !== undefined) fake.refuse(plan.refuseMs)
}

/** @returns whether the request has got all that it gets */
export async function instead (fake: Fake, exchange: Exchange, wire: Wire): Promise<boolean> {
  const { plan, response, entry } = exchange
  if (plan.hangUp === true) {
    entry.endedBy = 'server'
    response.destroy()
    return true
  }
  if (plan.halfHeaders !== undefined) { await halfHeaders(fake, exchange, plan.halfHeaders); return true }
  if (plan.informational === true) {
    response.writeProcessing()
    response.writeEarlyHints({ link: '</style.css>; rel=preload' })
  }
  if (plan.headersMs !== undefined) await wait(fake.clock, plan.headersMs)
  if (response.destroyed) return true
  if (plan.slowReaderProbe !== undefined) {
    wire.head(200, ['content-type', 'text/event-stream; charset=utf-8'], true)
    await flood(exchange, { part: probeEvent, bytes: plan.slowReaderProbe })
    response.end('data: [DONE]\n\n')
    return true
  }
  if (plan.html === true) { sendText(wire, 200, page); return true }
  if (plan.status === undefined) return false
  if (plan.retryAfter !== undefined) response.setHeader('retry-after', plan.retryAfter)
  const { code, body, message } = plan.status
  if (body === null) sendRefusal(fake, wire, new Refusal(code, message))
  else sendText(wire, code, body)
  return true
}

const page = '<html><body>Please log in</body></html>'
const filler = JSON.stringify({ object: 'chat.completion.chunk', choices: [{ index: 0, delta: { content: 'x'.repeat(4000) }, finish_reason: null }] })
const probeEvent = `data: ${filler}\n\n`.repeat(16)

function sendText (wire: Wire, status: number, text: string): void {
  const bytes = Buffer.from(text)
  const type = text.startsWith('{') ? 'application/json' : text.startsWith('<') ? 'text/html; charset=utf-8' : 'text/plain; charset=utf-8'
  wire.head(status, ['content-length', bytes.length, 'content-type', type])
  wire.write(bytes)
  wire.end()
}

async function halfHeaders (fake: Fake, { response, entry }: Exchange, ms: number): Promise<void> {
  const socket = (response as ServerResponse).socket
  socket?.write('HTTP/1.1 200 OK\r\ncontent-type: applica')
  await wait(fake.clock, ms)
  entry.endedBy ??= 'server'
  socket?.end()
}

/** @throws Refusal when a storm or the plan has the request fail */
export function strikeDown (fake: Fake, { plan, entry }: Exchange): void {
  const { state, clock, dialect, options } = fake
  if (plan.die === true) {
    state.dead = true
    // Its answer goes out first.
    setTimeout(() => { fake.die() }, 20)
  }
  if (state.dead) throw new Refusal(500, 'EngineCore encountered an issue. See stack trace (above) for the root cause.')
  const { storm } = state
  if (storm !== null && clock.now() < storm.until) {
    const drawn = mix(options.seed ^ Math.imul(++storm.draws, 0x85ebca77)) / 2 ** 32
    if (drawn < storm.share) throw new Refusal(503, 'as told')
  }
  if (plan.contextLength === true) {
    const { messages, prompt } = entry.body
    const text = Array.isArray(messages) ? renderChat(messages as Message[]).text : String(prompt ?? '')
    const counted = countTokens(text)
    const limit = Math.max(1, Math.floor(counted / 2))
    throw contextRefusal(dialect, { limit, prompt: counted, asked: null })
  }
}
