/** Writes a body to the socket, whole or in the pieces and with the pauses of a plan, and notes when. */
import { gzipSync } from 'node:zlib'
import { wait } from './clock.ts'
import type { Exchange, Fake } from './fake.ts'

export type Headers = Array<string | number>

export interface Wire {
  /** Status and headers; goes out at once when `flush`. */
  head: (status: number, headers: Headers, flush?: boolean) => void
  /** One event, or one part of a body. @param tokens completion tokens in it */
  write: (part: string | Buffer, tokens?: number) => void
  end: () => void
  /** Reset, or an end in the middle of the body, after all that was written. */
  breakOff: (how: 'rst' | 'fin') => void
  /** Whether anybody still listens. */
  readonly open: boolean
}

type Step = { part: Buffer, tokens: number } | { act: () => void }

export function wireOf (fake: Fake, exchange: Exchange): Wire {
  const { response, entry, plan } = exchange
  const { clock } = fake
  const plain = plan.split === undefined && plan.merge === undefined && plan.stall === undefined && plan.gzip !== true
  const steps: Step[] = []
  let pumping = false

  const send = (part: string | Buffer, tokens: number): void => {
    if (response.destroyed) return
    response.write(part)
    const now = clock.now()
    entry.firstAt ??= now
    entry.lastAt = now
    entry.tokensSent += tokens
    entry.bytesSent += typeof part === 'string' ? Buffer.byteLength(part) : part.length
  }

  async function pump (): Promise<void> {
    if (pumping) return
    pumping = true
    // Others write in the same turn: one step at a time keeps the order, and lets them be merged.
    await nextTurn()
    const queue = plan.merge === undefined ? steps : mergedSteps(steps, plan.merge)
    for (let step = queue.shift(); step !== undefined && !response.destroyed; step = queue.shift()) {
      if ('act' in step) { step.act(); continue }
      if (plan.stall !== undefined && entry.tokensSent >= plan.stall.after) {
        const { ms } = plan.stall
        delete exchange.plan.stall
        await wait(clock, ms)
      }
      const parts = cutUp(step.part, plan.split)
      for (const [at, part] of parts.entries()) {
        send(part, at === parts.length - 1 ? step.tokens : 0)
        await nextTurn()
      }
    }
    pumping = false
    if (steps.length > 0 && !response.destroyed) void pump()
  }

  const act = (then: () => void): void => {
    if (plain) then()
    else { steps.push({ act: then }); void pump() }
  }

  return {
    get open () { return !response.destroyed },
    head (status, headers, flush = false) {
      entry.status = status
      entry.headersAt ??= clock.now()
      // uvicorn says neither Connection nor Keep-Alive; leaving out the first drops both.
      response.removeHeader('connection')
      const extra = plan.oversizeHeaders === undefined ? [] : ['x-filler', 'x'.repeat(plan.oversizeHeaders * 1024)]
      const packed = plan.gzip === true ? ['content-encoding', 'gzip'] : []
      response.writeHead(status, ['date', dateNow(), 'server', 'uvicorn', ...headers, ...packed, ...extra] as string[])
      if (flush) response.flushHeaders()
    },
    write (part, tokens = 0) {
      if (plain) { send(part, tokens); return }
      const bytes = Buffer.from(part)
      steps.push({ part: plan.gzip === true ? gzipSync(bytes) : bytes, tokens })
      void pump()
    },
    end () { act(() => { response.end() }) },
    breakOff (how) {
      act(() => {
        entry.endedBy = 'server'
        // After the bytes before it have left.
        setImmediate(() => {
          if (how === 'rst') response.socket?.resetAndDestroy()
          else response.socket?.end()
        })
      })
    }
  }
}

async function nextTurn (): Promise<void> {
  await new Promise(resolve => { setImmediate(resolve) })
}

/** So many events in one write; takes all of `steps`. */
function mergedSteps (steps: Step[], count: number): Step[] {
  const merged: Step[] = []
  let inLast = 0
  for (const step of steps.splice(0)) {
    const last = merged.at(-1)
    if ('part' in step && last !== undefined && 'part' in last && inLast < count) {
      last.part = Buffer.concat([last.part, step.part])
      last.tokens += step.tokens
      inLast++
    } else {
      merged.push('part' in step ? { ...step } : step)
      inLast = 1
    }
  }
  return merged
}

/** The places a body is cut at: everywhere, inside each character, or between two line ends. */
export function cutUp (part: Buffer, split: 'bytes' | 'utf8' | 'crlf' | undefined): Buffer[] {
  if (split === undefined) return [part]
  const parts: Buffer[] = []
  let start = 0
  for (let at = 1; at < part.length; at++) {
    const [before = 0, here = 0] = [part[at - 1], part[at]]
    const inCharacter = before >= 0xc0 && (here & 0xc0) === 0x80
    const betweenEnds = (before === 10 && here === 10) || (before === 13 && here === 10)
    if (split === 'bytes' || (split === 'utf8' ? inCharacter : betweenEnds)) {
      parts.push(part.subarray(start, at))
      start = at
    }
  }
  parts.push(part.subarray(start))
  return parts
}

let dated = { second: 0, text: '' }

function dateNow (): string {
  const second = Math.floor(Date.now() / 1000)
  if (dated.second !== second) dated = { second, text: new Date(second * 1000).toUTCString() }
  return dated.text
}
