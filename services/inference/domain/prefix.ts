/**
 * Names for the beginnings of a prompt: two requests whose first k blocks have the same names begin with
 * the same k blocks, so a server that has read one has most of the other in its cache.
 */

/** Characters of a block. vLLM's own are 16 tokens; coarser ones suffice to tell papers apart. */
export const blockChars = 1024
/** Shorter prompts are read anew in milliseconds: naming their blocks would save nothing. */
export const promptCharsMin = 4 * blockChars
/** Beginnings further in say nothing more about where to go. */
export const blocksMax = 256

type Body = Readonly<Record<string, unknown>>

/** 64 bits: FNV-1a over UTF-16 code units beside a rotating sum; tells apart, and is no match for malice. */
interface State { low: number, high: number, filled: number, names: string[] }

/**
 * Hashes of the leading blocks, each covering all before it and the model; images count as one block of
 * their data. Only whole blocks are named: the end of a prompt is what differs.
 *
 * @returns at most `blocksMax`, none for a prompt shorter than `promptCharsMin`
 */
export function prefixOf (body: Body): string[] {
  if (!isLong(body)) return []
  const state: State = { low: 0x811c9dc5, high: 0x9e3779b9, filled: 0, names: [] }
  addText(state, typeof body.model === 'string' ? body.model : '')
  state.filled = 0
  if (Array.isArray(body.messages)) {
    for (const message of body.messages) {
      if (state.names.length >= blocksMax) break
      addMessage(state, message)
    }
  } else if (typeof body.prompt === 'string') addText(state, body.prompt)
  else if (Array.isArray(body.prompt)) addPrompt(state, body.prompt[0], body.prompt)
  return state.names
}

/** Whether the texts and pictures together are long; says yes where it would have to look further. */
function isLong ({ messages, prompt }: Body): boolean {
  if (!Array.isArray(messages)) return typeof prompt !== 'string' || prompt.length >= promptCharsMin
  let chars = 0
  for (const message of messages as Array<Body | null>) {
    const content = message?.content
    if (typeof content !== 'string') return true
    chars += content.length
    if (chars >= promptCharsMin) return true
  }
  return false
}

function addMessage (state: State, message: unknown): void {
  if (message === null || typeof message !== 'object') return
  const { role, content } = message as Body
  // Between messages the template writes something of its own.
  mix(state, 0x1f0000)
  if (typeof role === 'string') for (let at = 0; at < role.length && at < 32; at++) mix(state, role.charCodeAt(at))
  if (typeof content === 'string') addText(state, content)
  else if (Array.isArray(content)) {
    for (const part of content) {
      if (state.names.length >= blocksMax) return
      if (typeof part === 'string') addText(state, part)
      else if (part !== null && typeof part === 'object') addPart(state, part as Body)
    }
  }
}

function addPart (state: State, part: Body): void {
  if (typeof part.text === 'string') { addText(state, part.text); return }
  const { image_url: image } = part
  const url = typeof image === 'string' ? image : (image as Body | null | undefined)?.url
  if (typeof url === 'string') addImage(state, url)
}

/** Of a long one its length and 4,096 characters spread over it: enough to tell pictures apart. */
function addImage (state: State, url: string): void {
  mix(state, url.length)
  const step = Math.max(1, Math.floor(url.length / 4096))
  for (let at = 0; at < url.length; at += step) mix(state, url.charCodeAt(at))
  close(state)
}

function addPrompt (state: State, first: unknown, prompt: readonly unknown[]): void {
  if (typeof first === 'string') addText(state, first)
  else {
    for (const token of typeof first === 'number' ? prompt : Array.isArray(first) ? first : []) {
      if (state.names.length >= blocksMax) return
      mix(state, Number(token))
      // A token is about four characters.
      state.filled += 4
      if (state.filled >= blockChars) close(state)
    }
  }
}

function addText (state: State, text: string): void {
  let { low, high, filled } = state
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    low = Math.imul(low ^ code, 0x01000193)
    high = ((high << 5) | (high >>> 27)) + code | 0
    if (++filled === blockChars) {
      state.low = low
      state.high = high
      close(state)
      if (state.names.length >= blocksMax) return
      filled = 0
    }
  }
  Object.assign(state, { low, high, filled })
}

function mix (state: State, value: number): void {
  state.low = Math.imul(state.low ^ value, 0x01000193)
  state.high = ((state.high << 5) | (state.high >>> 27)) + value | 0
}

function close (state: State): void {
  state.filled = 0
  // The sum alone would be the same for a block moved by 32 characters.
  state.high = Math.imul(state.high ^ state.low, 0x85ebca6b)
  state.names.push((state.low >>> 0).toString(16).padStart(8, '0') + (state.high >>> 0).toString(16).padStart(8, '0'))
}
