/** A chat completion put together from its chunks: what the server would have sent in one piece. */

type Fields = Record<string, unknown>

export interface ChatAssembly {
  add: (chunk: Fields) => void
  /** The content so far. */
  text: () => string
  /** @param finishReason  instead of the server's, for an answer that was stopped here */
  whole: (finishReason?: string) => Fields
}

const texts = ['content', 'reasoning', 'reasoning_content', 'refusal'] as const

/** Of one choice, without tools: more is not asked for where this is used. */
export function chatAssembly (): ChatAssembly {
  let head: Fields = {}
  let usage: unknown = null
  const message: Partial<Record<(typeof texts)[number], string>> = {}
  let ends: Fields = { finish_reason: null }

  return {
    add (chunk) {
      const { choices, usage: counted, ...rest } = chunk
      head = { ...rest, ...head }
      usage = counted ?? usage
      const [choice] = Array.isArray(choices) ? choices as Fields[] : []
      if (choice === undefined) return
      const delta = choice.delta as Fields | null ?? {}
      for (const name of texts) {
        const piece = delta[name]
        if (typeof piece === 'string') message[name] = (message[name] ?? '') + piece
      }
      const { finish_reason: reason, stop_reason: stop } = choice
      if (typeof reason === 'string') ends = { finish_reason: reason, ...stop !== undefined && { stop_reason: stop } }
    },
    text: () => message.content ?? '',
    whole: finishReason => ({
      ...head,
      object: 'chat.completion',
      choices: [{
        index: 0,
        message: { role: 'assistant', content: null, ...message },
        ...ends,
        ...finishReason !== undefined && { finish_reason: finishReason }
      }],
      ...usage !== null && { usage }
    })
  }
}
