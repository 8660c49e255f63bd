/**
 * A connection to NATS that comes and goes. Whoever uses it goes on without: it is looked for in
 * the background for ever. Only what waiting cannot mend stops a start: a malformed address, or
 * credentials that the server does not accept.
 */
import { readFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import {
  connect, credsAuthenticator, Events, NatsError, tokenAuthenticator, usernamePasswordAuthenticator,
  type Authenticator, type ConnectionOptions, type NatsConnection
} from 'nats'

const attemptTimeoutMs = 3_000
const retryMs = 500
const drainTimeoutMs = 2_000

export interface NatsAddress {
  /** `nats://` or `tls://`, user and password or a token before the host; several by comma. */
  url: string
  /** Path of a file with NATS credentials (JWT and seed), or with a token alone. */
  credentials?: string
}

export interface Link {
  /** While the server can be reached. */
  current: () => NatsConnection | undefined
  /** Waits for the server; undefined once closed. */
  wait: () => Promise<NatsConnection | undefined>
  /** Grows with each connection: what the server knew before may be gone. */
  epoch: () => number
  /** Sends what is on its way, 2 s at most. */
  close: () => Promise<void>
}

/** @param changed  told when the server is reached, and why it is not; never twice the same */
export async function openLink (
  address: NatsAddress, changed: (connected: boolean, reason: string) => void
): Promise<Link> {
  const options = await optionsOf(address)
  const waiting: Array<() => void> = []
  const closing = new AbortController()
  let connection: NatsConnection | undefined
  let connected = false
  let epoch = 0
  let told = ''

  function wakeAll (): void {
    for (const wake of waiting.splice(0)) wake()
  }

  function turn (now: boolean, reason: string): void {
    connected = now
    if (now) epoch++
    if (now) wakeAll()
    if (told === `${now} ${reason}` || closing.signal.aborted) return
    told = `${now} ${reason}`
    changed(now, reason)
  }

  async function follow (opened: NatsConnection): Promise<void> {
    connection = opened
    turn(true, opened.getServer())
    void watch(opened)
    await opened.closed()
    turn(false, 'The connection was closed')
  }

  async function watch (opened: NatsConnection): Promise<void> {
    for await (const { type, data } of opened.status()) {
      if (type === Events.Reconnect) turn(true, opened.getServer())
      // Each attempt in vain is one more disconnect.
      else if (type === Events.Disconnect && connected) turn(false, 'The connection was lost')
      else if (type === Events.Error && !connected) turn(false, String(data))
    }
  }

  async function always (first: NatsConnection | undefined): Promise<void> {
    let opened = first
    while (!closing.signal.aborted) {
      if (opened !== undefined) await follow(opened)
      await delay(retryMs, undefined, { signal: closing.signal }).catch(() => {})
      if (closing.signal.aborted) return
      opened = await tryOnce(options, cause => turn(false, reasonOf(cause)))
    }
    await opened?.close()
  }

  const first = await tryOnce(options, cause => {
    if (isRefusal(cause)) throw new Error('Cannot start: the NATS server does not accept the credentials of NATS_URL or NATS_CREDS. Correct them, or unset NATS_URL to work within one process.')
    turn(false, reasonOf(cause))
  })
  const ended = always(first)
  return {
    current: () => connected ? connection : undefined,
    async wait () {
      if (!connected && !closing.signal.aborted) await new Promise<void>(resolve => { waiting.push(resolve) })
      return closing.signal.aborted ? undefined : connection
    },
    epoch: () => epoch,
    async close () {
      closing.abort()
      wakeAll()
      if (connection !== undefined) await drain(connection, connected)
      await ended
    }
  }
}

async function tryOnce (
  options: ConnectionOptions, failed: (cause: unknown) => void
): Promise<NatsConnection | undefined> {
  try {
    return await connect(options)
  } catch (cause) {
    failed(cause)
    return undefined
  }
}

async function drain (connection: NatsConnection, connected: boolean): Promise<void> {
  const late = new AbortController()
  const timeout = delay(drainTimeoutMs, undefined, { signal: late.signal }).catch(() => {})
  if (connected) await Promise.race([connection.drain().catch(() => {}), timeout])
  late.abort()
  await connection.close()
}

async function optionsOf ({ url, credentials }: NatsAddress): Promise<ConnectionOptions> {
  const urls = url.split(',').map(part => urlOf(part.trim()))
  const authenticator = await authenticatorOf(urls, credentials)
  return {
    servers: urls.map(({ host, port }) => port === '' ? `${host}:4222` : host),
    name: 'viva',
    timeout: attemptTimeoutMs,
    reconnectTimeWait: retryMs,
    maxReconnectAttempts: -1,
    // Credentials may be changed on both sides while we run; only the start is refused.
    ignoreAuthErrorAbort: true,
    // A server that stands still is noticed after 10 to 15 s.
    pingInterval: 5_000,
    maxPingOut: 2,
    noAsyncTraces: true,
    ...urls.some(({ protocol }) => protocol === 'tls:') && { tls: {} },
    ...authenticator !== undefined && { authenticator }
  }
}

function urlOf (text: string): URL {
  const parsed = URL.canParse(text) ? new URL(text) : undefined
  const known = parsed !== undefined && ['nats:', 'tls:'].includes(parsed.protocol)
  const bare = known && parsed.hostname !== '' && ['', '/'].includes(parsed.pathname) && parsed.search + parsed.hash === ''
  // It may hold a password, so it is not shown.
  if (!bare) throw new Error('Cannot start: NATS_URL is not of the form nats://host:4222, nats://user:password@host:4222 or tls://…, several separated by commas. Special characters in a password are percent-encoded.')
  return parsed
}

async function authenticatorOf (urls: URL[], path: string | undefined): Promise<Authenticator | undefined> {
  const given = new Set(urls.map(({ username, password }) => `${username}:${password}`).filter(each => each !== ':'))
  if (given.size > 1) throw new Error('Cannot start: the servers of NATS_URL have different credentials; they are one cluster, with the same.')
  const [inUrl] = given
  if (inUrl !== undefined && path !== undefined) throw new Error('Cannot start: credentials are both in NATS_URL and in NATS_CREDS; keep one of the two.')
  if (path !== undefined) return fromFile(await readCredentials(path))
  if (inUrl === undefined) return undefined
  const [user = '', password = ''] = inUrl.split(':').map(decoded)
  return password === '' ? tokenAuthenticator(user) : usernamePasswordAuthenticator(user, password)
}

async function readCredentials (path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (cause) {
    throw new Error(`Cannot start: NATS_CREDS names ${path}, which cannot be read (${(cause as NodeJS.ErrnoException).code}).`, { cause })
  }
}

function fromFile (text: string): Authenticator {
  if (!text.includes('-----BEGIN NATS USER JWT-----')) return tokenAuthenticator(text.trim())
  return credsAuthenticator(new TextEncoder().encode(text))
}

function decoded (text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new Error('Cannot start: the credentials in NATS_URL are not percent-encoded correctly.')
  }
}

function isRefusal (cause: unknown): boolean {
  return cause instanceof NatsError && cause.isAuthError()
}

/** The code only: messages of the library are for its developers. */
function reasonOf (cause: unknown): string {
  return cause instanceof NatsError ? cause.code : (cause as Partial<NodeJS.ErrnoException> | undefined)?.code ?? 'no connection'
}
