/** An answer as one JSON body, with the faults of its plan. */
import { errorBody, Refusal } from './dialect.ts'
import type { Exchange, Fake } from './fake.ts'
import { runChoices } from './run-choices.ts'
import { spentOf, usageOf, wholeBody } from './shapes.ts'
import type { Answer } from './stream-answer.ts'
import type { Headers, Wire } from './wire.ts'

export function wholeAnswer (fake: Fake, exchange: Exchange, answer: Answer): void {
  const { plan, entry } = exchange
  const { asked, choices, id, wire } = answer
  const failed = plan.errFrame?.code ?? (plan.errFirst === undefined ? null : 500)
  if (failed !== null) throw new Refusal(failed, 'as told')
  // The headers of a whole answer come with its body, unless a plan wants them apart.
  const early = plan.firstMs !== undefined
  if (early) wire.head(200, ['content-type', 'application/json', 'transfer-encoding', 'chunked'], true)
  runChoices(fake, exchange, {
    asked,
    choices,
    listener: {
      token () {},
      choiceEnded () {},
      ended (aborted) {
        const spent = spentOf(asked, choices, fake.options.promptTokensDetails ? entry.cachedTokens : null)
        const zero = { prompt: 0, completion: 0, cached: null, thoughts: 0 }
        const usage = plan.usage === 'none' ? null : usageOf(plan.usage === 'zero' ? zero : spent, fake.dialect)
        const body = wholeBody(asked, choices, { id, usage, dialect: fake.dialect }) as Ended
        for (const each of body.choices) {
          if (aborted || plan.noFinish === true) each.finish_reason = aborted ? 'abort' : null
        }
        sendBody(exchange, { text: JSON.stringify(body), tokens: spent.completion, early }, wire)
      }
    }
  })
}

interface Ended { choices: Array<{ finish_reason: unknown }> }
interface Sent { text: string, tokens: number, early: boolean }

/** A JSON body, cut, damaged or mislabelled as planned. */
function sendBody ({ plan, entry, response }: Exchange, { text, tokens, early }: Sent, wire: Wire): void {
  const spoilt = plan.badJson !== undefined
    ? text.slice(0, text.length / 2)
    : plan.jsonTail !== undefined ? `${text}\n${JSON.stringify({ error: { message: 'as told', code: 500 } })}` : text
  const body = plan.bigChunk === undefined ? spoilt : spoilt.padEnd(plan.bigChunk, ' ')
  const bytes = Buffer.from(body)
  if (!early) wire.head(200, [...lengthOf(bytes.length, plan), 'content-type', 'application/json'])
  if (plan.stall !== undefined || plan.cut !== undefined) {
    const after = plan.cut === undefined ? plan.stall?.after ?? 0 : plan.cut.after
    const share = after === null ? 0.5 : Math.min(after, tokens) / Math.max(1, tokens)
    const at = Math.min(bytes.length - 1, Math.floor(bytes.length * share))
    if (plan.cut !== undefined && at === 0) response.flushHeaders()
    const before = Math.min(plan.stall?.after ?? 0, tokens)
    if (at > 0) wire.write(bytes.subarray(0, at), before)
    if (plan.cut !== undefined) { wire.breakOff(plan.cut.how); return }
    wire.write(bytes.subarray(at), tokens - before)
    wire.end()
    return
  }
  if (plan.wrongLength === undefined) wire.finish(bytes, tokens)
  else {
    wire.write(bytes, tokens)
    entry.endedBy = 'server'
    wire.breakOff('fin')
  }
}

function lengthOf (bytes: number, { gzip, wrongLength }: Exchange['plan']): Headers {
  if (gzip === true) return ['transfer-encoding', 'chunked']
  return ['content-length', wrongLength === 'more' ? bytes + 10 : wrongLength === 'less' ? Math.max(1, bytes - 10) : bytes]
}

/** Any other JSON answer. */
export function sendJson (wire: Wire, status: number, body: object): void {
  const bytes = Buffer.from(JSON.stringify(body))
  wire.head(status, ['content-length', bytes.length, 'content-type', 'application/json'])
  wire.finish(bytes)
}

export function sendRefusal (fake: Fake, wire: Wire, refusal: Refusal): void {
  sendJson(wire, refusal.status, errorBody(fake.dialect, refusal))
}
