/** What the model says to a request: its tokens, and why it stops. */
import type { Asked, Prompt } from './asked.ts'
import { instanceText, violationText } from './instance.ts'
import { pieces } from './tokens.ts'
import { mix, naturalLength, words } from './words.ts'

export interface Choice {
  index: number
  prompt: Prompt
  thoughts: string[]
  /** Text, token by token; a token inside a character is empty. */
  tokens: string[]
  finish: 'stop' | 'length' | 'tool_calls'
  /** The stop text that ended it. */
  stopReason: string | null
  call: { name: string } | null
}

export interface Wishes {
  /** A text of the caller's instead of ours. */
  reply: string | null
  violate: boolean
}

/** Tokens of a choice, thoughts included. */
export const tokensOf = ({ thoughts, tokens }: Choice): number => Math.max(1, thoughts.length + tokens.length)

export function choicesOf (asked: Asked, wishes: Wishes): Choice[] {
  return asked.prompts.flatMap((prompt, at) => {
    const key = mix(prompt.hash ^ asked.key)
    return Array.from({ length: asked.n }, (_, choice) =>
      oneChoice(asked, { prompt, index: at * asked.n + choice, key: mix(key + choice) }, wishes))
  })
}

interface Seat { prompt: Prompt, index: number, key: number }

function oneChoice (asked: Asked, { prompt, index, key }: Seat, wishes: Wishes): Choice {
  const thought = asked.thinks ? words(mix(key ^ 0x7f4a7c15), naturalLength(key ^ 1)) : []
  const thoughts = asked.thoughtsInText ? [] : thought
  const made = contentOf(asked, key, wishes)
  const stopped = stoppedAt(made.text, asked)
  const said = stopped === null ? made.tokens : pieces(stopped.text)
  const tokens = thought.length > thoughts.length ? ['<think>', ...thought, '</think>', ...said] : said
  const room = asked.limit - thoughts.length
  const cut = tokens.length > room || (made.endless && stopped === null && asked.limited)
  return {
    index,
    prompt,
    thoughts: thoughts.slice(0, asked.limit),
    tokens: tokens.slice(0, Math.max(0, room)),
    finish: cut ? 'length' : asked.call === null || asked.call.named ? 'stop' : 'tool_calls',
    stopReason: cut ? null : stopped?.by ?? null,
    call: asked.call
  }
}

interface Content { text: string, tokens: string[], endless: boolean }

function contentOf (asked: Asked, key: number, { reply, violate }: Wishes): Content {
  const fixed = (text: string): Content => ({ text, tokens: pieces(text), endless: false })
  if (asked.call !== null) return fixed(instanceText({ kind: 'json', schema: asked.call.schema }, key))
  if (violate && asked.constraint !== null) return fixed(violationText(asked.constraint))
  if (reply !== null) return fixed(reply)
  if (asked.constraint !== null) return fixed(instanceText(asked.constraint, key))
  const natural = Math.min(asked.limit + 1, Math.max(asked.minTokens, naturalLength(key)))
  const count = asked.ignoreEos ? asked.limit : natural
  const tokens = words(key, count)
  return { text: asked.stop.length === 0 ? '' : tokens.join(''), tokens, endless: asked.ignoreEos }
}

/** The text up to the first of the stop texts. */
function stoppedAt (text: string, { stop, includeStop }: Asked): { text: string, by: string } | null {
  let first: { at: number, by: string } | null = null
  for (const by of stop) {
    const at = text.indexOf(by)
    if (by !== '' && at >= 0 && (first === null || at < first.at)) first = { at, by }
  }
  if (first === null) return null
  return { text: text.slice(0, first.at + (includeStop ? first.by.length : 0)), by: first.by }
}
