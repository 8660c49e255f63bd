/** An answer as a stream of events, with the faults of its plan. */
import type { Asked } from './asked.ts'
import { tokensOf, type Choice } from './choices.ts'
import { chunksOf } from './chunks.ts'
import { errorBody, errorFrame, Refusal } from './dialect.ts'
import type { Exchange, Fake } from './fake.ts'
import { flood } from './flood.ts'
import { runChoices } from './run-choices.ts'
import { spentOf, usageOf, type Usage } from './shapes.ts'
import type { Wire } from './wire.ts'

const type = 'text/event-stream; charset=utf-8'

export interface Answer { asked: Asked, choices: readonly Choice[], id: string, wire: Wire }

export function streamAnswer (fake: Fake, exchange: Exchange, answer: Answer): void {
  const { wire, choices } = answer
  const events = eventsOf(fake, exchange, answer)
  let headed = false
  const head = () => {
    if (headed) return
    headed = true
    wire.head(200, ['content-type', type], true)
  }
  // Submitted first: what refuses it still has a status to say so with; its events come after the headers.
  runChoices(fake, exchange, {
    asked: answer.asked,
    choices,
    listener: {
      token (choice, made) { head(); events.token(choice, made) },
      choiceEnded (choice) { head(); events.choiceEnded(choice) },
      ended (aborted) { head(); events.ended(aborted) }
    }
  })
  head()
  events.started()
}

interface Events {
  started: () => void
  token: (choice: Choice, made: number) => void
  choiceEnded: (choice: Choice) => void
  ended: (aborted: boolean) => void
}

function eventsOf (fake: Fake, exchange: Exchange, { asked, choices, id, wire }: Answer): Events {
  const { plan, entry } = exchange
  const chunks = chunksOf(asked, { id, dialect: fake.dialect })
  const writer = frameWriter(exchange, wire)
  const total = choices.reduce((sum, choice) => sum + tokensOf(choice), 0)
  const breaks = breakOf(fake, exchange, { wire, writer, total })
  const begun = new Set<Choice>()
  const told = new Map<Choice, number>()
  let sent = 0
  const usage = (): Usage => {
    const spent = spentOf(asked, choices, fake.options.promptTokensDetails ? entry.cachedTokens : null)
    return usageOf(plan.usage === 'zero' ? { prompt: 0, completion: 0, cached: null, thoughts: 0 } : { ...spent, completion: sent }, fake.dialect)
  }
  const continuous = plan.usage === 'continuous' || (asked.usage.asked && asked.usage.continuous)
  const withUsage = (json: string) => continuous ? `${json.replace(/,"usage":null\}$/, '}').slice(0, -1)},"usage":${JSON.stringify(usage())}}` : json

  function begin (choice: Choice): void {
    begun.add(choice)
    if (asked.form === 'chat') writer.frame(chunks.role(choice))
    else if (asked.echo) writer.frame(chunks.token(choice, choice.prompt.text, false))
    for (let each = 0; each < (plan.manyEmpty ?? 0); each++) writer.frame(chunks.token(choice, '', false))
  }

  function tell (choice: Choice, text: string, thought: boolean): void {
    if (text === '') return
    const long = plan.bigChunk !== undefined && sent === 1 ? 'x'.repeat(plan.bigChunk) : text
    const json = withUsage(chunks.token(choice, long, thought))
    writer.frame(plan.badJson === sent ? json.slice(0, json.length / 2) : json)
  }

  return {
    started () { breaks.at(0) },
    token (choice, made) {
      if (breaks.at(sent)) return
      if (!begun.has(choice)) begin(choice)
      sent++
      writer.owe(1)
      const from = told.get(choice) ?? 0
      if (made % asked.interval !== 0 && made !== tokensOf(choice)) return
      told.set(choice, made)
      const { thoughts, tokens } = choice
      const [first, until] = [Math.max(0, from - thoughts.length), made - thoughts.length]
      if (from < thoughts.length && asked.tellsThoughts) tell(choice, joined(thoughts, from, made), true)
      if (until > 0) tell(choice, joined(tokens, first, until), false)
      breaks.at(sent)
    },
    choiceEnded (choice) {
      if (breaks.done() || plan.noFinish === true) return
      if (!begun.has(choice)) begin(choice)
      writer.frame(withUsage(chunks.finish(choice, plan.usage === 'in_choice' ? usage() : null)))
    },
    ended (aborted) {
      if (breaks.done()) return
      if (aborted) for (const choice of choices) writer.frame(chunks.finish({ ...choice, finish: 'abort' as 'stop' }, null))
      if (asked.usage.asked && plan.usage !== 'none' && plan.usage !== 'in_choice') {
        writer.frame(chunks.usage(usage()))
        if (plan.usage === 'dup') writer.frame(chunks.usage(usage()))
      }
      if (plan.noDone !== true) writer.frame('[DONE]')
      wire.end()
    }
  }
}

function joined (tokens: readonly string[], from: number, until: number): string {
  return until - from === 1 ? tokens[from] ?? '' : tokens.slice(from, until).join('')
}

interface Writer {
  frame: (json: string) => void
  raw: (text: string) => void
  /** Tokens that go out with the next frame. */
  owe: (tokens: number) => void
}

function frameWriter ({ plan }: Exchange, wire: Wire): Writer {
  let owed = 0
  const prefix = plan.badPrefix === true ? 'data:' : 'data: '
  const end = plan.crlfLines === true ? '\r\n\r\n' : '\n\n'
  const ping = plan.commentPing === true ? `: ping${end}` : ''
  return {
    frame (json) {
      wire.write(`${ping}${prefix}${json}${end}`, owed)
      owed = 0
    },
    raw (text) { wire.write(text) },
    owe (tokens) { owed += tokens }
  }
}

interface Breaks {
  /** Breaks off if that is to happen after so many tokens. @returns whether it has */
  at: (sent: number) => boolean
  done: () => boolean
}

interface Outlet { wire: Wire, writer: Writer, total: number }

/** Where the stream stops being one; at its last token when there are fewer. */
function breakOf (fake: Fake, exchange: Exchange, { wire, writer, total }: Outlet): Breaks {
  let broken = false
  const whenever: Array<{ after: number, act: () => void }> = []
  const { cut, errFrame, errFirst, jsonTail, unterminated } = exchange.plan
  const refusal = (code: number) => new Refusal(code, 'as told')
  if (cut !== undefined) {
    whenever.push({ after: cut.after ?? Math.ceil(total / 2), act: () => { wire.breakOff(cut.how) } })
  }
  const ending = (after: number, frames: () => void) => {
    whenever.push({ after, act: () => { frames(); wire.end() } })
  }
  if (errFrame !== undefined) {
    ending(errFrame.after, () => {
      writer.frame(JSON.stringify(errorFrame(fake.dialect, refusal(errFrame.code))))
      writer.frame('[DONE]')
    })
  }
  if (errFirst !== undefined) {
    ending(0, () => {
      if (errFirst === 'error') writer.frame(JSON.stringify(errorFrame(fake.dialect, refusal(500))))
      writer.frame('[DONE]')
    })
  }
  if (jsonTail !== undefined) {
    ending(jsonTail, () => { writer.raw(JSON.stringify(errorBody(fake.dialect, refusal(500)))) })
  }
  if (unterminated !== undefined) {
    const endless = { first: 'data: {"id":"', part: 'x'.repeat(65536), bytes: unterminated }
    whenever.push({ after: 1, act: () => { void flood(exchange, endless) } })
  }
  return {
    done: () => broken,
    at (sent) {
      if (broken) return true
      const due = whenever.find(({ after }) => sent >= Math.min(after, total))
      if (due === undefined) return false
      broken = true
      due.act()
      return true
    }
  }
}
