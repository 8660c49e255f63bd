/**
 * A model server that costs next to nothing, for benches of what stands before it: one ready answer,
 * and streams whose chunks come by the clock. The fake of shared/testing is the one that can do
 * everything else. Options come as JSON in argv: {port?, chunkMs?}.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

const { port = 0, chunkMs = 0 } = JSON.parse(process.argv[2] ?? '{}') as { port?: number, chunkMs?: number }

const usage = { prompt_tokens: 500, completion_tokens: 50, total_tokens: 550 }
const text = 'The answer is made of words, and there are fifty tokens of it, more or less. '.repeat(3)
const whole = Buffer.from(JSON.stringify({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1,
  model: 'fake-model',
  choices: [{ index: 0, message: { role: 'assistant', content: text }, logprobs: null, finish_reason: 'stop', stop_reason: null }],
  usage
}))
const served = { id: 'fake-model', object: 'model', max_model_len: 32_768 }
const models = JSON.stringify({ object: 'list', data: [served] })

function event (fields: object): Buffer {
  const kind = { object: 'chat.completion.chunk', created: 1, model: 'fake-model' }
  const all = { id: 'chatcmpl-1', ...kind, ...fields }
  return Buffer.from(`data: ${JSON.stringify(all)}\n\n`)
}

function chunk (delta: object, finish: string | null = null): Buffer {
  return event({ choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }] })
}
const first = chunk({ role: 'assistant', content: '' })
const next = chunk({ content: ' word' })
const last = Buffer.concat([
  chunk({ content: '' }, 'stop'),
  event({ choices: [], usage }),
  Buffer.from('data: [DONE]\n\n')
])

interface Stream { response: ServerResponse, left: number }
/** Those that began at about the same time get their chunks together, as sequences of one engine do. */
const phaseCount = Math.max(1, Math.round(chunkMs / 5))
const phases: Array<Set<Stream>> = Array.from({ length: phaseCount }, () => new Set())
let phase = 0
let streamsSeen = 0
let chunksSent = 0

if (chunkMs > 0) {
  setInterval(() => {
    phase = (phase + 1) % phases.length
    for (const stream of phases[phase]!) step(stream, phases[phase]!)
  }, chunkMs / phases.length)
}

function step (stream: Stream, among: Set<Stream>): void {
  chunksSent++
  if (--stream.left > 0) { stream.response.write(next); return }
  among.delete(stream)
  stream.response.end(last)
}

const limits = { keepAliveTimeout: 60_000, requestTimeout: 0, headersTimeout: 0 }
const server = createServer(limits, (request, response) => {
  if (request.method === 'GET') { answerGet(String(request.url), response); return }
  let head = ''
  request.on('data', (piece: Buffer) => {
    head += piece.toString('latin1')
  })
  request.on('end', () => { answer(request, head, response) })
})

function answer (request: IncomingMessage, body: string, response: ServerResponse): void {
  if (!body.includes('"stream":true')) {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': whole.length }).end(whole)
    return
  }
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
  response.write(first)
  const tokens = Number(/"max_tokens":(\d+)/.exec(body)?.[1] ?? 50)
  if (chunkMs === 0) {
    response.end(Buffer.concat([...Array.from({ length: tokens }, () => next), last]))
    chunksSent += tokens
    return
  }
  const stream = { response, left: tokens }
  const among = phases[streamsSeen++ % phases.length]!
  among.add(stream)
  response.once('close', () => { among.delete(stream) })
}

function answerGet (url: string, response: ServerResponse): void {
  if (url === '/v1/models') response.writeHead(200, { 'content-type': 'application/json' }).end(models)
  else if (url === '/version') response.writeHead(200, { 'content-type': 'application/json' }).end('{"version":"0.29.0"}')
  else if (url === '/health') response.writeHead(200).end()
  else if (url === '/__chunks') response.writeHead(200).end(String(chunksSent))
  else response.writeHead(404, { 'content-type': 'application/json' }).end('{"detail":"Not Found"}')
}

server.listen(port, '127.0.0.1', () => {
  process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })}\n`)
})
