/** POST /v1/chat/completions and /v1/completions. */
import { ask, type Asked } from './asked.ts'
import { choicesOf } from './choices.ts'
import { servedNames, type Exchange, type Fake } from './fake.ts'
import type { Handler } from './other-routes.ts'
import { streamAnswer } from './stream-answer.ts'
import { wholeAnswer } from './whole-answer.ts'
import { mix } from './words.ts'

export const chat: Handler = (fake, exchange, wire) => { generate(fake, exchange, { form: 'chat', wire }) }
export const completion: Handler = (fake, exchange, wire) => { generate(fake, exchange, { form: 'text', wire }) }

function generate (fake: Fake, exchange: Exchange, { form, wire }: { form: Asked['form'], wire: Parameters<Handler>[2] }): void {
  const { entry: { body }, plan } = exchange
  const asked = ask(form, body, { options: fake.options, dialect: fake.dialect, models: servedNames(fake) })
  const wishes = { reply: fake.reply?.(body) ?? null, violate: plan.schemaViolation === true }
  const choices = choicesOf(asked, wishes)
  const answer = { asked, choices, id: idOf(fake, exchange, asked), wire }
  if (asked.stream) streamAnswer(fake, exchange, answer)
  else wholeAnswer(fake, exchange, answer)
}

/** The same request, the same id; or the caller's X-Request-Id, as vLLM does. */
function idOf ({ options }: Fake, { request }: Exchange, { form, key, prompts }: Asked): string {
  const prefix = form === 'chat' ? 'chatcmpl' : 'cmpl'
  const given = options.ids === 'header' ? request.headers['x-request-id'] : undefined
  return `${prefix}-${typeof given === 'string' ? given : mix((prompts[0]?.hash ?? 0) ^ key ^ 0x1d).toString(16).padStart(8, '0')}`
}
