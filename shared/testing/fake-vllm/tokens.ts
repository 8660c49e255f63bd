/**
 * The tokenizer `bytes4`: four bytes of UTF-8 are a token, whose id is those bytes as a little-endian
 * number. Nothing about language, but exact, reversible and quick.
 */
import { createHash } from 'node:crypto'

const tokenBytes = 4
const imageTokens = 256
const endOfTurn = '<|im_end|>\n'

/** @returns tokens of a text or of its bytes, rounded up */
export function countTokens (text: string | Buffer, each = tokenBytes): number {
  return Math.ceil((typeof text === 'string' ? Buffer.byteLength(text) : text.length) / each)
}

export function encode (text: string, each = tokenBytes): number[] {
  const bytes = Buffer.from(text)
  const tokens: number[] = []
  for (let at = 0; at < bytes.length; at += each) {
    tokens.push(bytes.readUIntLE(at, Math.min(each, bytes.length - at)))
  }
  return tokens
}

/** Undoes `encode` for texts without NUL. */
export function decode (tokens: readonly number[]): string {
  const bytes: number[] = []
  for (const token of tokens) {
    let rest = Math.abs(Math.trunc(token))
    for (let each = 0; each < tokenBytes && rest > 0; each++) {
      bytes.push(rest % 256)
      rest = Math.floor(rest / 256)
    }
  }
  return Buffer.from(bytes).toString()
}

/**
 * A text as it is given out token by token. A token that ends inside a character yields nothing
 * and the next one the whole character, as an incremental detokenizer does.
 */
export function pieces (text: string): string[] {
  const bytes = Buffer.from(text)
  const found: string[] = []
  let start = 0
  for (let at = tokenBytes; at < bytes.length + tokenBytes; at += tokenBytes) {
    let end = Math.min(at, bytes.length)
    // 0b10xxxxxx is in the middle of a character.
    while (end > start && end < bytes.length && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--
    found.push(bytes.toString('utf8', start, end))
    start = end
  }
  return found
}

export interface ChatPrompt { text: string, images: number, unreachable: string | null }

export interface Message { role?: unknown, content?: unknown, tool_calls?: unknown }

/**
 * The prompt of a conversation, ChatML's template. An image stands for 256 tokens that differ
 * from image to image; a medium on a host of the reserved domain `.invalid` is out of reach.
 */
export function renderChat (
  messages: readonly Message[], options: { generate?: boolean, tools?: unknown } = {}
): ChatPrompt {
  const { generate = true, tools } = options
  const prompt: ChatPrompt = { text: '', images: 0, unreachable: null }
  if (tools !== undefined && tools !== null) prompt.text += `<|im_start|>tools\n${JSON.stringify(tools)}${endOfTurn}`
  for (const { role, content, tool_calls: calls } of messages) {
    prompt.text += `<|im_start|>${String(role)}\n`
    if (typeof content === 'string') prompt.text += content
    else if (Array.isArray(content)) for (const part of content) renderPart(part, prompt)
    if (calls !== undefined && calls !== null) prompt.text += JSON.stringify(calls)
    prompt.text += endOfTurn
  }
  if (generate) prompt.text += '<|im_start|>assistant\n'
  return prompt
}

function renderPart (part: unknown, prompt: ChatPrompt): void {
  if (part === null || typeof part !== 'object') return
  const { type, text, image_url: image } = part as { type?: unknown, text?: unknown, image_url?: unknown }
  if (type === 'text') { prompt.text += String(text); return }
  if (type !== 'image_url') { prompt.text += JSON.stringify(part); return }
  const url = typeof image === 'string' ? image : String((image as { url?: unknown } | null)?.url)
  prompt.images++
  if (/^https?:\/\/[^/?#]*\.invalid(?:[:/?#]|$)/.test(url)) prompt.unreachable = url
  prompt.text += createHash('sha256').update(url).digest('hex').repeat(imageTokens * tokenBytes / 64)
}
