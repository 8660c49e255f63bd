/** How a call ended for its caller: one of three ways, or a sentence that says what was wrong. */
import type { Caller } from '../calls.ts'
import type { MadeCall } from './made-calls.ts'

export type Ending = { kind: 'answered' | 'left', text: string } | { kind: 'failed', type: string } | { kind: 'wrong', why: string }

/** Never rejects. */
export async function endingOf (caller: Caller, call: MadeCall): Promise<Ending> {
  const { body, headers, stream, leaveAfterMs } = call
  const parts: Buffer[] = []
  let left = false
  const asked = caller.ask(body, { data: chunk => { parts.push(chunk) } }, headers)
  const leave = (): void => { left = true; asked.leave() }
  const timer = leaveAfterMs === null ? undefined : setTimeout(leave, leaveAfterMs)
  try {
    const { status } = await asked.done
    const text = Buffer.concat(parts).toString()
    return status === 200 ? stream ? endOfStream(text) : endOfWhole(text) : refusal(status, text)
  } catch (cause) {
    if (left) return { kind: 'left', text: '' }
    return wrong(`cut off after ${Buffer.concat(parts).length} bytes: ${String(cause)}`, Buffer.concat(parts).toString())
  } finally { clearTimeout(timer) }
}

function wrong (why: string, text: string): Ending {
  return { kind: 'wrong', why: `${why}: …${text.slice(-300)}` }
}

function refusal (status: number, text: string): Ending {
  const error = jsonOf(text)?.error as { type?: unknown, message?: unknown, code?: unknown } | undefined
  if (typeof error?.type !== 'string' || typeof error.message !== 'string' || error.code !== status) {
    return wrong(`status ${status} without an error in the shape of OpenAI`, text)
  }
  return { kind: 'failed', type: error.type }
}

function endOfWhole (text: string): Ending {
  const choices = jsonOf(text)?.choices as Array<{ finish_reason?: unknown }> | undefined
  const whole = choices !== undefined && choices.length > 0 && choices.every(({ finish_reason: why }) => typeof why === 'string')
  return whole ? { kind: 'answered', text } : wrong('200 without a whole answer', text)
}

interface Choice { index: number, finish_reason?: unknown }

function endOfStream (text: string): Ending {
  const frames = text.split(/\r?\n\r?\n/).filter(frame => frame.trim() !== '' && !frame.startsWith(':'))
  const isDone = frames.at(-1) === 'data: [DONE]'
  const events = frames.filter(frame => frame !== 'data: [DONE]').map(frame => jsonOf(frame.replace(/^data: ?/, '')))
  const error = (events.find(event => event?.error !== undefined)?.error) as { type?: unknown } | undefined
  if (error !== undefined) {
    if (isDone || typeof error.type !== 'string') return wrong('an error, and [DONE]', text)
    return { kind: 'failed', type: error.type }
  }
  if (events.includes(undefined)) return wrong('a stream with a frame that is no JSON', text)
  const begun = new Set<unknown>()
  const finished = new Set<unknown>()
  for (const event of events) {
    for (const { index, finish_reason: why } of event?.choices as Choice[] | undefined ?? []) {
      begun.add(index)
      if (typeof why === 'string') finished.add(index)
    }
  }
  if (begun.size === 0 || finished.size < begun.size) return wrong('a stream that ends without an end', text)
  return { kind: 'answered', text }
}

function jsonOf (text: string): Record<string, unknown> | undefined {
  try { return JSON.parse(text) as Record<string, unknown> } catch { return undefined }
}
