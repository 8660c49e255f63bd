/** What an attempt tells, with everything around it made up. */
import t from 'tap'
import type { Call } from '../domain/call.ts'
import { askForAssembled } from '../handlers/assembled-answer.ts'
import { askForWhole } from '../handlers/ask-model.ts'
import type { Calling, CallParts } from '../handlers/calling.ts'
import { beginTrace } from '../handlers/call-trace.ts'
import type { Ended } from '../handlers/dispatcher.ts'
import type { Exchanges } from '../handlers/exchange.ts'

const upstream = { name: 'lab', baseUrl: 'http://lab', capabilities: [] }
const replica = { upstream, probe: { state: 'up', version: '0.29.0', engine: 'vllm', models: [], capabilities: [], detail: null }, load: null, inFlight: 0 }
const whole = { model: 'm', choices: [{ index: 0, message: { content: 'x' }, finish_reason: 'stop' }], usage: { completion_tokens: 7 } }
const chunk = { model: 'm', choices: [{ index: 0, delta: { content: 'x' }, finish_reason: 'stop' }] }

function given (signal: AbortSignal, stream: boolean) {
  const told: Ended[] = []
  let asked = 0
  const exchanges: Pick<Exchanges, 'ask' | 'heardAt'> = {
    heardAt: () => -Infinity,
    ask (_, __, listener) {
      asked++
      queueMicrotask(() => {
        listener.head(200, { 'content-type': stream ? 'text/event-stream' : 'application/json' })
        listener.data(Buffer.from(stream ? `data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n` : JSON.stringify(whole)))
        listener.end()
      })
      return { pause () {}, resume () {}, close (reason) { listener.fail(reason) }, finish () {} }
    }
  }
  const lease = { target: { replica, served: 'm' }, queueMs: 0, release (ended: Ended) { told.push(ended) } }
  const parts = {
    exchanges,
    dispatcher: { acquire: async () => lease },
    directory: { targets: async () => [1], faulted () {} },
    secret: () => undefined
  } as unknown as CallParts
  const body = { model: 'm', messages: [], stream }
  const call = { id: 'r', path: '/v1/chat/completions', body, needs: [], signal } as unknown as Call
  // It has waited for an hour.
  const trace = beginTrace(performance.now() - 3_600_000)
  const watch = { attempt: () => ({ headers: {}, ended () {} }), ended () {} }
  const calling = { call, trace, watch, deadline: Infinity, reserve: async () => {} } as unknown as Calling
  return { parts, calling, told, asked: () => asked }
}

t.test('how long an upstream took to answer is told without what the call waited for before', async t => {
  for (const stream of [false, true]) {
    const { parts, calling, told } = given(new AbortController().signal, stream)
    await (stream ? askForAssembled(parts, calling, () => false) : askForWhole(parts, calling))
    const [ended] = told
    t.equal(told.length, 1)
    t.ok(ended?.kind === 'answered' && ended.firstByteMs >= 0 && ended.firstByteMs < 60_000, stream ? 'stream' : 'whole')
  }
})

t.test('who has left before its place was given asks nothing, and is told its own reason', async t => {
  for (const stream of [false, true]) {
    const controller = new AbortController()
    const { parts, calling, told, asked } = given(controller.signal, stream)
    const reason = new Error('gone')
    controller.abort(reason)
    const ask = stream ? askForAssembled(parts, calling, () => false) : askForWhole(parts, calling)
    await t.rejects(ask, reason)
    t.equal(asked(), 0)
    t.match(told, [{ kind: 'cancelled' }])
  }
})
