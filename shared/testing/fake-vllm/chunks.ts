/** Events of a stream as each version spells them; what a version does not set it leaves out. */
import type { Asked } from './asked.ts'
import type { Choice } from './choices.ts'
import type { Dialect } from './dialect.ts'
import { chatLogprobs, created, fingerprint, textLogprobs, type Usage } from './shapes.ts'

/** JSON of events, without the frame around it. */
export interface Chunks {
  role: (choice: Choice) => string
  /** @param thought part of the chain of thought */
  token: (choice: Choice, text: string, thought: boolean) => string
  finish: (choice: Choice, usage: Usage | null) => string
  usage: (usage: Usage) => string
}

export function chunksOf (asked: Asked, { id, dialect }: { id: string, dialect: Dialect }): Chunks {
  const chat = asked.form === 'chat'
  const object = chat ? 'chat.completion.chunk' : 'text_completion'
  const head = JSON.stringify({ id, object, created, model: asked.model }).slice(0, -1)
  const one = (choice: string, usage?: Usage | null) => {
    const tail = usage !== undefined && usage !== null ? `,"usage":${JSON.stringify(usage)}` : chat || dialect.recent ? '' : ',"usage":null'
    return `${head},"choices":[${choice}]${tail}}`
  }
  const ids = dialect.wideMessages ? ',"token_ids":null' : ''
  const textIds = dialect.recent ? `${ids},"prompt_token_ids":null` : ids

  const prompted = dialect.recent ? ',"prompt_token_ids":null,"prompt_text":null}' : '}'
  const signed = dialect.recent ? `,"system_fingerprint":"${fingerprint}"` : ''

  const chatDelta = (choice: Choice, text: string, thought: boolean) => {
    const quoted = JSON.stringify(text)
    if (choice.call !== null && !thought) {
      return `{"tool_calls":[{"index":0,"function":{"arguments":${quoted}}}]}`
    }
    if (thought) {
      return `{${dialect.reasoningNames.map(name => `"${name}":${quoted}`).join(',')}}`
    }
    return `{"content":${quoted}}`
  }

  return {
    role (choice) {
      const calls = choice.call === null
        ? ''
        : `,"tool_calls":[{"index":0,"id":"chatcmpl-tool-${choice.index}","type":"function","function":{"name":${JSON.stringify(choice.call.name)},"arguments":""}}]`
      return one(`{"index":${choice.index},"delta":{"role":"assistant","content":""${calls}},"logprobs":null,"finish_reason":null}`).replace(/\}$/, prompted)
    },
    token (choice, text, thought) {
      if (!chat) {
        const logprobs = asked.logprobs === null ? 'null' : JSON.stringify(textLogprobs({ ...choice, tokens: [text] }, asked))
        return one(`{"index":${choice.index},"text":${JSON.stringify(text)},"logprobs":${logprobs},"finish_reason":null,"stop_reason":null${textIds}}`)
      }
      const logprobs = JSON.stringify(chatLogprobs([text], asked.logprobs))
      return one(`{"index":${choice.index},"delta":${chatDelta(choice, text, thought)},"logprobs":${logprobs},"finish_reason":null${ids}}`)
    },
    finish ({ index, finish, stopReason }, usage) {
      const ends = `"logprobs":null,"finish_reason":"${finish}","stop_reason":${JSON.stringify(stopReason)}${chat ? ids : textIds}`
      return one(`{"index":${index},${chat ? '"delta":{"content":""}' : '"text":""'},${ends}}`, usage)
    },
    usage (usage) {
      return `${head},"choices":[],"usage":${JSON.stringify(withoutNull(usage))}${signed}}`
    }
  }
}

/** The last chunk leaves out what is null. */
function withoutNull (usage: object): object {
  return Object.fromEntries(Object.entries(usage).filter(([, value]) => value !== null)
    .map(([name, value]) => [name, typeof value === 'object' ? withoutNull(value as object) : value as unknown]))
}
