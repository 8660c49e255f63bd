/** One file from an address that somebody else chose, within the rules and bounded in time and bytes. */
import { pipeline, type Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { errors, request, type Agent, type Dispatcher } from 'undici'
import { Problem } from '../errors/problem.ts'
import { checkUrl } from './check-url.ts'
import { guardedAgent, type Connecting } from './guarded-agent.ts'

export interface FetchRules extends Connecting {
  /** For all of it: names, redirects, the last byte. */
  timeoutMs: number
  /** Of the file, and of what is sent of it, whichever is more. */
  bytesMax: number
}

export interface Fetched {
  /** Where the redirects ended. */
  url: URL
  content: AsyncIterable<Buffer>
}

const redirectsMax = 5
const redirects = [301, 302, 303, 307, 308]

/**
 * Gives `take` the file as it arrives. Asked for like by a stranger: no cookie, no referrer, no key.
 *
 * @throws Problem url-forbidden, url-unreachable, url-refused, url-timeout, body-too-large, and
 *         whatever `take` throws
 */
export async function fetchFile<T> (
  address: string, rules: FetchRules, take: (fetched: Fetched) => Promise<T>
): Promise<T> {
  const agent = guardedAgent(rules)
  const signal = AbortSignal.timeout(rules.timeoutMs)
  try {
    const { url, answer } = await follow(checkUrl(address, rules), { rules, agent, signal })
    return await take({ url, content: contentOf(answer, rules, signal) })
  } catch (cause) {
    throw faultOf(cause, rules, signal)
  } finally {
    await agent.destroy()
  }
}

interface Following { rules: FetchRules, agent: Agent, signal: AbortSignal }

async function follow (start: URL, { rules, agent, signal }: Following) {
  let url = start
  for (let hops = 0; hops <= redirectsMax; hops++) {
    const answer = await request(url, {
      dispatcher: agent,
      signal,
      headers: { accept: '*/*', 'accept-encoding': 'identity', 'user-agent': 'viva' }
    })
    const { statusCode, headers } = answer
    const location = redirects.includes(statusCode) ? one(headers.location) : undefined
    if (location === undefined) {
      if (statusCode !== 200) throw refused(statusCode)
      return { url, answer }
    }
    // Its body is nobody's business, and may be endless.
    answer.body.on('error', () => undefined).destroy()
    // Node reads headers as Latin-1; hosts write them as UTF-8.
    const next = Buffer.from(location, 'latin1').toString()
    url = checkUrl(URL.canParse(next, url) ? new URL(next, url).href : next, rules)
  }
  throw new Problem('url-refused', `The host redirects more than ${redirectsMax} times; give the address of the file itself.`)
}

function refused (status: number): Problem {
  if (status >= 500 || status === 429) {
    return new Problem('url-unreachable', `The host of this address is overloaded or failing (it answers ${status}); try again later, or download the file and upload it.`, { retryAfterSeconds: 30 })
  }
  return new Problem('url-refused', `The host does not give this file (it answers ${status}); check the address, or download the file and upload it.`)
}

/** As it was before it was encoded for its way; RFC 9110 §8.4. */
async function * contentOf (
  { headers, body }: Dispatcher.ResponseData, { bytesMax }: FetchRules, signal: AbortSignal
): AsyncGenerator<Buffer> {
  if (Number(one(headers['content-length']) ?? 0) > bytesMax) {
    body.on('error', () => undefined).destroy()
    throw tooLarge(bytesMax)
  }
  for await (const chunk of bounded(decoded(one(headers['content-encoding']) ?? '', bounded(body, bytesMax)), bytesMax)) {
    signal.throwIfAborted()
    yield chunk
  }
}

function decoded (encoding: string, sent: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
  const decoder = decoderOf(encoding.trim().toLowerCase())
  if (decoder === undefined) return sent
  // Its failure is also that of `decoder`, which is read.
  pipeline(sent, decoder, () => undefined)
  return decoder
}

function decoderOf (encoding: string): (NodeJS.WritableStream & Readable) | undefined {
  if (encoding === '' || encoding === 'identity') return undefined
  if (encoding === 'gzip' || encoding === 'x-gzip') return createGunzip()
  if (encoding === 'deflate') return createInflate()
  if (encoding === 'br') return createBrotliDecompress()
  throw new Problem('url-refused', 'The host sends the file in an encoding that is not read here; download it and upload it.')
}

async function * bounded (chunks: AsyncIterable<Buffer>, bytesMax: number): AsyncGenerator<Buffer> {
  let bytes = 0
  for await (const chunk of chunks) {
    bytes += chunk.byteLength
    if (bytes > bytesMax) throw tooLarge(bytesMax)
    yield chunk
  }
}

function tooLarge (bytesMax: number): Problem {
  return new Problem('body-too-large', `The file at this address has more than ${Math.floor(bytesMax / 2 ** 20)} MiB; reduce it and upload it.`)
}

function one (header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header
}

function faultOf (cause: unknown, { timeoutMs }: FetchRules, signal: AbortSignal): unknown {
  if (cause instanceof Problem) return cause
  if (signal.aborted || cause instanceof errors.ConnectTimeoutError) {
    return new Problem('url-timeout', `The file did not arrive within ${timeoutMs / 1_000} s; try again later, or download it and upload it.`, { cause })
  }
  const { code = '' } = cause as NodeJS.ErrnoException
  if (code.startsWith('Z_') || code.startsWith('ERR__ERROR_') || code === 'ERR_BROTLI_DECODER') {
    return new Problem('url-refused', 'What the host sends cannot be decoded as it says; download the file and upload it.', { cause })
  }
  if (!isOfNet(cause, code)) return cause
  const why = /^[A-Z][A-Z\d_]{2,40}$/u.test(code) ? ` (${code})` : ''
  return new Problem('url-unreachable', `The host of this address cannot be reached, or broke off${why}; check the address, try again later, or download the file and upload it.`, { cause })
}

/** Faults of a name, a socket, of TLS and of HTTP; what `take` throws of its own is left as it is. */
function isOfNet (cause: unknown, code: string): boolean {
  const { syscall } = cause as NodeJS.ErrnoException
  return cause instanceof errors.UndiciError || syscall === 'getaddrinfo' || syscall === 'connect' || syscall === 'read' ||
    /^(?:E(?:CONN|HOST|NET|PIPE|PROTO|AI_)|HPE_|UND_|CERT_|ERR_(?:TLS|SSL)|UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO)/u.test(code)
}
