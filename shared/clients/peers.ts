/**
 * The replicas of a service, asked in turn: who cannot be reached, is silent or shuts down is left
 * out for a moment, and the request goes to the next one where that cannot make it happen twice.
 */
import { errors, type Dispatcher } from 'undici'
import { addressesIn, notServedHeader } from '../contracts/addresses.ts'
import { problemFromBody } from '../errors/problem-body.ts'

/** Long enough to spare most requests the wait for a dead host, short enough to miss no restart. */
const leftOutMs = 5_000
/** A handshake is the kernel's: however busy the other process is, it takes no longer on a live host. */
export const connectTimeoutMs = 3_000
/** Noticing within five seconds leaves five of the ten in which work must go on. */
const probeEveryMs = 2_000
export const probeTimeoutMs = 2_000
/** What a process says about its end is short. */
const problemBytesMax = 64 * 1024

export interface Replicas {
  readonly addresses: readonly string[]
  /** Each once, best first: in turn those believed alive, then the others, longest left out first. */
  order: () => string[]
  leaveOut: (address: string) => void
}

/**
 * @param setting  as checked by the settings: 1 to 16 addresses
 * @param now      a monotonic clock, in milliseconds
 */
export function replicasOf (setting: string, now: () => number = () => performance.now()): Replicas {
  const addresses = addressesIn(setting)
  if (addresses === undefined) throw new RangeError(`"${setting}" is no list of addresses`)
  const leftOutAt = new Map<string, number>()
  let turn = 0
  return {
    addresses,
    order () {
      const from = turn++ % addresses.length
      const inTurn = [...addresses.slice(from), ...addresses.slice(0, from)]
      const since = (address: string) => leftOutAt.get(address) ?? -Infinity
      const isOut = (address: string) => now() - since(address) < leftOutMs
      return [
        ...inTurn.filter(address => !isOut(address)),
        // Nobody is given up: when all are left out, the last to fail is the last to be tried.
        ...inTurn.filter(isOut).sort((a, b) => since(a) - since(b))
      ]
    },
    leaveOut (address) { leftOutAt.set(address, now()) }
  }
}

/** What came back: a body that streams, or one that had to be read to know what it says. */
export interface Answer {
  statusCode: number
  headers: Dispatcher.ResponseData['headers']
  body: Dispatcher.ResponseData['body'] | Buffer
}

export interface Attempts {
  /** `last`: there is nobody else to ask, so that there is no point in giving up early. */
  send: (address: string, last: boolean) => Promise<Dispatcher.ResponseData>
  /** Asking twice is asking once (RFC 9110 §9.2.2): an answer that was lost may be asked for again. */
  idempotent: boolean
  /** Whether the body can (still) be sent from its beginning. */
  repeatable: () => boolean
  signal?: AbortSignal
}

/** An address leads to a process that does not serve the path. */
export class Misdirected extends Error {}

/**
 * The first answer that is not a farewell; the last fault when no replica gives one.
 *
 * @throws Misdirected, or what undici throws
 */
export async function askInTurn (replicas: Replicas, attempts: Attempts): Promise<Answer> {
  const order = replicas.order()
  for (const [at, address] of order.entries()) {
    const last = at === order.length - 1
    try {
      const answer = await attempts.send(address, last)
      if (answer.headers[notServedHeader] !== undefined) {
        await answer.body.dump()
        throw new Misdirected(`${address} does not serve what it was asked for`)
      }
      if (answer.statusCode !== 503) return answer
      const { read, leaves } = await farewell(answer)
      if (leaves) replicas.leaveOut(address)
      // It did nothing with the request, whatever its method.
      if (!leaves || last || !attempts.repeatable()) return read
    } catch (cause) {
      if (attempts.signal?.aborted === true || !isAway(cause)) throw cause
      replicas.leaveOut(address)
      const untouched = cause instanceof Misdirected || notConnected(cause) || attempts.idempotent
      if (last || !untouched || !attempts.repeatable()) throw cause
    }
  }
  throw new RangeError('A service has at least one address')
}

/**
 * Looks after the replicas of each service that has several: one that stands still, or whose host is
 * cut off, keeps its connections open and would take its share of requests without answering any.
 *
 * @returns a function that ends it
 */
export function watchReplicas (
  services: readonly Replicas[], isAlive: (address: string) => Promise<boolean>, everyMs = probeEveryMs
): () => void {
  const look = async (replicas: Replicas, address: string) => {
    if (!await isAlive(address)) replicas.leaveOut(address)
  }
  const several = services.filter(({ addresses }) => addresses.length > 1)
  const timer = setInterval(() => {
    for (const replicas of several) for (const address of replicas.addresses) void look(replicas, address)
  }, everyMs).unref()
  return () => { clearInterval(timer) }
}

/** Reads a 503 to learn whether the process is shutting down; a long one is passed on as it is. */
async function farewell (answer: Dispatcher.ResponseData): Promise<{ read: Answer, leaves: boolean }> {
  const { statusCode, headers, body } = answer
  const length = Number(headers['content-length'] ?? Infinity)
  if (length > problemBytesMax) return { read: answer, leaves: false }
  const bytes = Buffer.from(await body.arrayBuffer())
  return { read: { statusCode, headers, body: bytes }, leaves: kindIn(bytes) === 'shutting-down' }
}

function kindIn (bytes: Buffer): string | undefined {
  try { return problemFromBody(JSON.parse(bytes.toString('utf8')))?.kind } catch { return undefined }
}

const neverConnected = new Set([
  'UND_ERR_CONNECT_TIMEOUT', 'ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'EHOSTDOWN', 'ENETDOWN',
  'ENOTFOUND', 'EAI_AGAIN', 'EADDRNOTAVAIL'
])
const lost = new Set(['UND_ERR_SOCKET', 'UND_ERR_CLOSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT'])

/** Nothing of the request can have arrived. */
function notConnected (cause: unknown): boolean {
  return codesOf(cause).some(code => neverConnected.has(code))
}

export function isSlow (cause: unknown): boolean {
  return cause instanceof errors.HeadersTimeoutError || cause instanceof errors.BodyTimeoutError ||
    (cause instanceof Error && cause.name === 'TimeoutError')
}

function isAway (cause: unknown): boolean {
  return cause instanceof Misdirected || notConnected(cause) || cause instanceof errors.HeadersTimeoutError ||
    codesOf(cause).some(code => lost.has(code))
}

/** A name with several addresses fails with one error for each. */
function codesOf (cause: unknown): string[] {
  const { code, errors: each = [] } = cause as { code?: string, errors?: unknown[] }
  return [...code === undefined ? [] : [code], ...each.flatMap(codesOf)]
}
