/** Asks a model for a value of a schema: at most twice, and says what was done to the replies. */
import type { StructuredCompletion, StructuredRequest } from '../../../shared/contracts/structured-completion.ts'
import { Problem, type ProblemKind } from '../../../shared/errors/problem.ts'
import { renderPrompt, type Prompt } from '../../../shared/prompts/prompt.ts'
import type { CallRecord, RequestBody } from '../domain/call.ts'
import type { StepName } from '../domain/ladder/notes.ts'
import { readCompletion, type Said } from '../domain/read-completion.ts'
import type { ReplySchema } from '../domain/reply-schema.ts'
import { shouldStop, type StopRule, type Written } from '../domain/stop-rules.ts'
import {
  chatRequest, readSaid, reasonOf, repairCharsMax, reportOf, secondTurn, stepsOf, streamCharsMax,
  type Read, type Reason, type Step
} from '../domain/structured.ts'
import { addUsage } from '../domain/token-usage.ts'

/** A reply and where it came from. */
export interface Completed {
  /** A whole chat completion in OpenAI's form. */
  reply: unknown
  requestHash: string
  upstream: string
  upstreamVersion: string | null
  attempts: number
  source: CallRecord['source']
}

/**
 * Called with what has come so far. Once it answers true, the upstream call is ended and
 * what came is resolved as a completion; its finish reason then counts for nothing. Also called with what
 * was ended so earlier, or for another caller; never with a reply that came to its own end.
 */
export interface Watch { onText: (written: Written) => boolean }

/** One call by way of record, queue and upstream. @throws Problem for whatever is no reply */
export type Complete<Context> = (body: RequestBody, context: Context & Watch) => Promise<Completed>

export interface StructuredParts<Context> {
  complete: Complete<Context>
  schemaOf: (schema: object) => ReplySchema
  repairPrompt: Prompt
  /** Steps by name, `outcome/answered` and the like, `fault/duplicate-key` and the like. */
  count: (name: string, n: number) => void
}

interface Turn {
  completed: Completed
  said: Said
  read: Read
  reason: Reason | null
  steps: Step[]
  stopped: StopRule | null
}

/** @throws Problem: the request is wrong, or the first reply cannot be had */
export async function structuredCompletion<Context> (
  parts: StructuredParts<Context>, request: StructuredRequest, context: Context
): Promise<StructuredCompletion> {
  const chat = chatRequest(request)
  const schema = parts.schemaOf(request.schema)
  const first = await askOnce(parts, { chat, schema, nth: 1 }, context)
  const turns = [first]
  const ofCall: Step[] = []
  let problem: Problem | null = null
  const step = (name: StepName) => { ofCall.push({ step: name, turn: 1, count: 1, places: [] }) }
  if (request.repairTurns > 0 && first.read.outcome === 'unparsable') {
    if ((first.read.raw ?? '').length > repairCharsMax) step('repair-skipped')
    else {
      const report = renderPrompt(parts.repairPrompt, { faults: reportOf(first.reason!, first.read.raw) })
      const again = secondTurn(chat, first.read.raw, report)
      try {
        turns.push(await askOnce(parts, { chat: again, schema, nth: 2 }, context))
        step('repair-turn')
      } catch (cause) {
        if (!(cause instanceof Problem)) throw cause
        // The second turn is the longer one; what refuses it for what it is will refuse it always.
        if (refusals.has(cause.kind)) step('repair-refused')
        else problem = cause
      }
    }
  }
  const result = told(request.model, turns, { ofCall, problem })
  for (const { step: name, count } of result.steps) parts.count(name, count)
  parts.count(`outcome/${result.outcome}`, 1)
  if (result.reason !== null) parts.count(`fault/${result.reason.code}`, 1)
  return result
}

/** All else is no word on the request: a budget used up, a turn that was not recorded, a server gone. */
const refusals: ReadonlySet<ProblemKind> = new Set<ProblemKind>(['upstream-refused', 'invalid-request', 'limit-exceeded', 'body-too-large'])

interface Asked { chat: RequestBody, schema: ReplySchema, nth: number }

/** Characters between two looks at a growing reply. */
const lookEvery = 256

async function askOnce<Context> (
  { complete }: StructuredParts<Context>, { chat, schema, nth }: Asked, context: Context
): Promise<Turn> {
  let stopped: StopRule | null = null
  let looked = 0
  const onText = (written: Written) => {
    if (stopped === null && written.chars - looked >= lookEvery) {
      looked = written.chars
      stopped = shouldStop(written, streamCharsMax)
    }
    return stopped !== null
  }
  const completed = await complete(chat, { ...context, onText })
  const said = readCompletion(completed.reply, { upstream: completed.upstream, stopped: stopped !== null })
  const read = readSaid(said, schema, stopped)
  return { completed, said, read, reason: reasonOf(read), steps: stepsOf(read.notes, read.raw, nth), stopped }
}

interface Beside { ofCall: readonly Step[], problem: Problem | null }

/** What all turns come to; the last one decides. */
function told (model: string, turns: readonly Turn[], { ofCall, problem }: Beside): StructuredCompletion {
  const { read, reason, completed } = turns.at(-1)!
  const usages = turns.map(({ said }) => said.usage)
  return {
    outcome: problem === null ? read.outcome : 'error',
    value: 'value' in read ? read.value : null,
    hasValue: 'value' in read,
    raw: read.raw,
    reason,
    dropped: read.dropped,
    steps: [...turns.flatMap(({ steps }) => steps), ...ofCall],
    usage: usages.reduce(addUsage),
    model,
    upstreamVersion: completed.upstreamVersion,
    requestHash: completed.requestHash,
    attempts: turns.reduce((sum, turn) => sum + turn.completed.attempts, 0),
    problem: problem?.kind ?? null,
    turns: turns.map(turnOf)
  }
}

function turnOf ({ completed, said, read, reason, stopped }: Turn): StructuredCompletion['turns'][number] {
  const { requestHash, upstream, upstreamVersion, attempts, source } = completed
  return {
    raw: read.raw,
    reasoning: said.reasoning,
    finishReason: stopped ?? said.finishReason,
    reason,
    requestHash,
    upstream,
    upstreamVersion,
    attempts,
    source
  }
}
