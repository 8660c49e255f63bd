/** Writes a body to the socket, whole or in the pieces and with the pauses of a plan, and notes when. */
import type { Socket } from 'node:net'
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
  /** The only part of a body and its end, in one packet. */
  finish: (part: Buffer, tokens?: number) => void
  /** Reset, or an end in the middle of the body, after all that was written. */
  breakOff: (how: 'rst' | 'fin') => void
  /** Whether anybody still listens. */
  readonly open: boolean
}

const readMs = 3

type Step = { part: Buffer, tokens: number } | { act: () => void }

export function wireOf (fake: Fake, exchange: Exchange): Wire {
  const { response, entry, plan } = exchange
  const { split, merge, stall, gzip } = plan
  const plain = split === undefined && merge === undefined && stall === undefined && gzip !== true
  const send = senderOf(fake, exchange)
  const queue = plain ? null : stepQueue(fake, exchange, send)
  const act = (then: () => void): void => {
    if (queue === null) then()
    else queue({ act: then })
  }
  return {
    get open () { return !response.destroyed },
    head (status, headers, flush = false) {
      entry.status = status
      entry.headersAt ??= fake.clock.now()
      // uvicorn says neither Connection nor Keep-Alive; leaving out the first drops both.
      response.removeHeader('connection')
      const extra = plan.oversizeHeaders === undefined ? [] : ['x-filler', 'x'.repeat(plan.oversizeHeaders * 1024)]
      const packed = gzip === true ? ['content-encoding', 'gzip'] : []
      response.writeHead(status, ['date', dateNow(), 'server', 'uvicorn', ...headers, ...packed, ...extra] as string[])
      if (flush) response.flushHeaders()
    },
    write (part, tokens = 0) {
      if (queue === null) { send(part, tokens); return }
      const bytes = Buffer.from(part)
      queue({ part: gzip === true ? gzipSync(bytes) : bytes, tokens })
    },
    end () { act(() => { response.end() }) },
    finish (part, tokens = 0) {
      if (queue === null) { send(part, tokens, true); return }
      this.write(part, tokens)
      this.end()
    },
    breakOff (how) {
      act(() => {
        entry.endedBy = 'server'
        // After the bytes before it were read: a Node client that gets both at once sees an end, not a reset.
        setTimeout(() => {
          if (how === 'fin') response.socket?.end()
          else if (response.socket !== null) resetUnended(response.socket)
        }, readMs)
      })
    }
  }
}

type Send = (part: string | Buffer, tokens: number, last?: boolean) => void

function senderOf ({ clock }: Fake, { response, entry }: Exchange): Send {
  return (part, tokens, last = false) => {
    if (response.destroyed) return
    if (last) response.end(part)
    else response.write(part)
    const now = clock.now()
    entry.firstAt ??= now
    entry.lastAt = now
    entry.tokensSent += tokens
    entry.bytesSent += typeof part === 'string' ? Buffer.byteLength(part) : part.length
  }
}

/** Does one step after the other, in the pieces and with the pause of the plan. */
function stepQueue ({ clock }: Fake, { response, entry, plan }: Exchange, send: Send): (step: Step) => void {
  const steps: Step[] = []
  const { merge, stall } = plan
  let pumping = false
  let stalled = false
  async function pump (): Promise<void> {
    // What is written in the same turn can be merged.
    if (merge !== undefined) await nextTurn()
    const queue = merge === undefined ? steps : mergedSteps(steps, merge)
    for (let step = queue.shift(); step !== undefined && !response.destroyed; step = queue.shift()) {
      if ('act' in step) { step.act(); continue }
      if (stall !== undefined && !stalled && entry.tokensSent >= stall.after) {
        stalled = true
        await wait(clock, stall.ms)
      }
      const parts = cutUp(step.part, plan.split)
      for (const [at, part] of parts.entries()) {
        send(part, at === parts.length - 1 ? step.tokens : 0)
        // Apart, so that they arrive apart.
        if (parts.length > 1 || merge !== undefined) await nextTurn()
      }
    }
    if (steps.length > 0 && !response.destroyed) await pump()
    // In the turn of the last look at `steps`: nothing can be left behind.
    else pumping = false
  }
  return step => {
    steps.push(step)
    if (pumping) return
    pumping = true
    void pump()
  }
}

/** A reset and no FIN before it, which `resetAndDestroy` sends; after the end there is no reset. */
export function resetUnended (socket: Socket): void {
  Object.assign(socket, { resetAndClosing: !socket.writableEnded })
  socket.destroy()
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
