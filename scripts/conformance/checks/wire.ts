/** What can only be seen on the wire: bytes of a stream, idle sockets, callers who leave. */
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { factsOf, type Facts } from '../ask.ts'
import type { Check, Target } from '../check.ts'
import { chat, chatPath } from './answers.ts'

const idleMaxMs = 8_000
const leaveMaxMs = 15_000

const asked = async (target: Target, more: object = {}) =>
  await target.ask(chatPath, { body: chat(target, more) })

/** Long enough that nobody sees its end. */
const endless = (target: Target, more: object) =>
  chat(target, { max_tokens: target.contextLength - 80, ignore_eos: true, temperature: 1, n: 4, ...more })

/** Leaves in the middle of an answer, and looks whether the engine goes on. */
async function leave (target: Target, stream: boolean): Promise<Facts> {
  if (await target.running() === null) return { unsupported: true }
  const controller = new AbortController()
  const left = target.ask(chatPath, { body: endless(target, { stream }), signal: controller.signal })
    .then(({ status }) => `ended by itself with ${status}`, () => 'left')
  const ran = await becomes(target, running => running > 0)
  controller.abort()
  const how = await left
  const stopped = await becomes(target, running => running === 0)
  return { ran, how, stopped }
}

async function becomes (target: Target, holds: (running: number) => boolean): Promise<boolean> {
  const deadline = performance.now() + leaveMaxMs
  while (performance.now() < deadline) {
    const running = await target.running()
    if (running !== null && holds(running)) return true
    await wait(20)
  }
  return false
}

const stopsEngine = ({ unsupported, ran, how, stopped }: Facts, direct: Facts): string | undefined =>
  // An engine that goes on when it is left by itself goes on behind the proxy too.
  unsupported === true || direct.stopped !== true || (ran === true && how === 'left' && stopped === true)
    ? undefined
    : `the engine went on after its caller had left (began: ${String(ran)}, ${String(how)}, stopped: ${String(stopped)})`

/** How long a socket without a request stays open, to the second; null for longer than we wait. */
async function idleSeconds (url: string): Promise<number | null> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  try {
    await once(socket, 'connect')
    socket.write(`GET /v1/models HTTP/1.1\r\nHost: ${hostname}\r\n\r\n`)
    await once(socket, 'data')
    const since = performance.now()
    socket.resume()
    const controller = new AbortController()
    const closed = await Promise.race([
      once(socket, 'close', { signal: controller.signal }).then(() => true, () => false),
      wait(idleMaxMs, false, { signal: controller.signal }).catch(() => false)
    ])
    controller.abort()
    return closed ? Math.round((performance.now() - since) / 1000) : null
  } finally { socket.destroy() }
}

export const onTheWire: readonly Check[] = [
  {
    name: 'stream: the proxy passes the engine\'s bytes as they are',
    run: async target => {
      target.streamed()
      const answer = await asked(target, {
        stream: true,
        temperature: 1,
        max_tokens: 200,
        ignore_eos: true,
        stream_options: { include_usage: true }
      })
      const sent = target.via === 'proxy' ? target.streamed() : [answer.bytes]
      const { status, framing = null } = factsOf(answer)
      const untouched = sent.some(bytes => bytes.equals(answer.bytes))
      return { status: status ?? null, framing, untouched }
    },
    must: ({ untouched }) => untouched === true ? undefined : 'the bytes are not those that the engine sent'
  },
  { name: 'leaving: a stream', run: async target => await leave(target, true), must: stopsEngine },
  { name: 'leaving: a plain call', run: async target => await leave(target, false), must: stopsEngine },
  {
    name: 'keep-alive: an idle socket is closed',
    directOnly: true,
    run: async ({ url }) => ({ closedAfterSeconds: await idleSeconds(url) })
  },
  {
    name: 'keep-alive: asked again when the engine has closed its idle sockets',
    run: async target => {
      await asked(target)
      await wait(5_500)
      const statuses: number[] = []
      for (let nth = 0; nth < 3; nth++) statuses.push((await asked(target)).status)
      return { statuses }
    }
  },
  {
    name: 'headers: of a whole answer and of a stream',
    directOnly: true,
    run: async target => {
      const names = async (stream: boolean) => Object.keys((await asked(target, { stream })).headers).sort()
      return { whole: await names(false), stream: await names(true) }
    }
  }
]
