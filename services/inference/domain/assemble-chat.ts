/** A chat completion put together from its chunks: what the server would have sent in one piece. */

import { growingText, type GrowingText } from './growing-text.ts'
import { windowChars, type Written } from './stop-rules.ts'

type Fields = Record<string, unknown>

export interface ChatAssembly {
  add: (chunk: Fields) => void
  written: Written
  /** @param finishReason  instead of the server's, for an answer that was stopped here */
  whole: (finishReason?: string) => Fields
}

const texts = ['content', 'reasoning', 'reasoning_content', 'refusal'] as const
type TextName = (typeof texts)[number]

export type AssembledMessage = { content: string | null } & Partial<Record<TextName, string | null>>

/** What a message that was put together says of how far it came. */
export function writtenIn (message: AssembledMessage): Written {
  return {
    chars: texts.reduce((sum, name) => sum + (message[name]?.length ?? 0), 0),
    end: () => message.content ?? ''
  }
}

/** Fields beside the choices; a server that sends new ones with every chunk is not followed. */
const headFieldsMax = 32

/** Of one choice, without tools: more is not asked for where this is used. */
export function chatAssembly (): ChatAssembly {
  const head: Fields = {}
  let usage: unknown = null
  const message = new Map<TextName, GrowingText>()
  const written = { chars: 0, end: () => message.get('content')?.end(windowChars) ?? '' }
  let ends: Fields = { finish_reason: null }

  function note (fields: Fields): void {
    for (const [name, value] of Object.entries(fields)) {
      if (!Object.hasOwn(head, name) && Object.keys(head).length < headFieldsMax) head[name] = value
    }
  }

  return {
    add (chunk) {
      const { choices, usage: counted, ...rest } = chunk
      note(rest)
      usage = counted ?? usage
      const [choice] = Array.isArray(choices) ? choices as Fields[] : []
      if (choice === undefined) return
      const delta = choice.delta as Fields | null ?? {}
      for (const name of texts) {
        const piece = delta[name]
        if (typeof piece !== 'string') continue
        const text = message.get(name) ?? growingText()
        message.set(name, text)
        text.add(piece)
        written.chars += piece.length
      }
      const { finish_reason: reason, stop_reason: stop } = choice
      if (typeof reason === 'string') ends = { finish_reason: reason, ...stop !== undefined && { stop_reason: stop } }
    },
    written,
    whole: finishReason => ({
      ...head,
      object: 'chat.completion',
      choices: [{
        index: 0,
        message: {
          role: 'assistant', content: null, ...Object.fromEntries([...message].map(([name, text]) => [name, text.whole()]))
        },
        ...ends,
        ...finishReason !== undefined && { finish_reason: finishReason }
      }],
      ...usage !== null && { usage }
    })
  }
}
