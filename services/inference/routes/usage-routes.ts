/** What was used, by whom and for what. */
import type { FastifyReply } from 'fastify'
import { Readable } from 'node:stream'
import { Type } from 'typebox'
import type { App } from '../../../shared/app/service.ts'
import { csvLines } from '../domain/usage-table.ts'
import { readUsage } from '../handlers/read-usage.ts'
import type { UsageLedger } from '../handlers/usage-ledger.ts'

const count = Type.Integer({ minimum: 0 })
const tokens = Type.Union([count, Type.Null()], { description: 'Spent, as upstreams said; null where none did.' })
const milliseconds = Type.Number({ minimum: 0 })

const figures = {
  requests: count,
  outcomes: Type.Object({ answered: count, refused: count, failed: count, cancelled: count }, { description: 'refused: for something the caller can mend; failed: infrastructure; cancelled: the caller left.' }),
  replayed: Type.Integer({ description: 'Answered from the record, without an upstream.' }),
  coalesced: Type.Integer({ description: 'Answered by an equal call that was under way already.' }),
  retries: Type.Integer({ description: 'Upstream requests beyond the first of each call.' }),
  requestsWithoutUsage: Type.Integer({ description: 'Sent to an upstream that did not say what it spent: cancelled or failed, or a server that does not count. Their tokens are in no sum.' }),
  promptTokens: tokens,
  completionTokens: tokens,
  cachedTokens: tokens,
  reasoningTokens: tokens,
  savedPromptTokens: Type.Integer({ description: 'Of the original calls of what was replayed or coalesced; not part of the tokens spent.' }),
  savedCompletionTokens: count,
  latency: Type.Object({
    queueMs: milliseconds,
    firstByteMs: Type.Union([milliseconds, Type.Null()]),
    firstByteRequests: Type.Integer({ description: 'Requests whose first bytes firstByteMs is the sum of.' }),
    totalMs: milliseconds
  }, { description: 'Sums over the requests.' })
}
const Figures = Type.Object(figures, { $id: 'UsageFigures' })
const UsagePage = Type.Object({
  rows: Type.Array(Type.Object({ model: Type.String(), caller: Type.String(), group: Type.String(), purpose: Type.String(), ...figures }, { $id: 'UsageRow' })),
  totals: Figures,
  nextCursor: Type.Union([Type.String(), Type.Null()])
}, { $id: 'UsagePage' })

const label = (description: string) => Type.Optional(Type.String({ maxLength: 300, description }))

export function usageRoutes (app: App, { usage }: { usage: UsageLedger }): void {
  app.get('/v1/usage', {
    schema: {
      operationId: 'readUsage',
      tags: ['inference'],
      summary: 'Tokens, outcomes and times by model, caller, group and purpose',
      description: 'Every call is counted once. A label "…" stands for calls that are not kept apart: models that no upstream has, and what comes after the first 10,000 combinations of one process. format=csv gives all rows as one table, in which a cell that would run as a formula has an apostrophe before it.',
      querystring: Type.Object({
        group: label('Exactly this viva-group; empty: calls without one.'),
        caller: label('Exactly this viva-caller.'),
        purpose: label('Exactly this viva-purpose.'),
        model: label('Exactly this model, as it was asked for.'),
        format: Type.Enum(['json', 'csv'], { default: 'json' }),
        // A cursor holds a whole key.
        cursor: Type.Optional(Type.String({ maxLength: 2200, description: 'nextCursor of the page before; not for csv.' })),
        limit: Type.Integer({ minimum: 1, maximum: 200, default: 50 })
      }),
      response: { 200: { description: 'JSON, or a table', content: { 'application/json': { schema: UsagePage }, 'text/csv': { schema: Type.String() } } } }
    }
  }, async ({ query }, reply) => {
    const { group, caller, purpose, model, format, cursor, limit } = query
    const filter = { group, caller, purpose, model }
    if (format === 'json') return await reply.send(await readUsage(usage, { filter, cursor, limit }))
    return await sendLines(reply, csvLines(await usage.read(filter)))
  })
}

async function sendLines (reply: FastifyReply, lines: Iterable<string>): Promise<FastifyReply> {
  return await reply.type('text/csv; charset=utf-8').send(Readable.from(lines, { objectMode: false }))
}
