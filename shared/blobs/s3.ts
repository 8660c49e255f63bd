/**
 * Blobs in a bucket of any S3-protocol store, for services on several hosts: the object
 * `<prefix>/<service>/ab/<id>`, written by one PUT, so it is whole or not there at all. The store must
 * read its own writes, as AWS (since 2020), MinIO, Ceph, Garage, SeaweedFS and VersityGW do.
 *
 * The client is AWS's own: 22 MB and 70 ms, paid only where S3_URL is set (this file is imported then
 * and never before). The small signers (aws4fetch, 25 kB) leave to us what hosts need in earnest: keys
 * from a role (instance, container, web identity) and their renewal, clocks that are off, XML of errors.
 */
import { createHash, randomUUID } from 'node:crypto'
import { open, rm, type FileHandle } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import {
  DeleteObjectCommand, GetObjectCommand, HeadObjectCommand, ListObjectsV2Command, PutObjectCommand, S3Client,
  type DeleteObjectCommandOutput
} from '@aws-sdk/client-s3'
import type { S3Settings } from '../config/config.ts'
import { Problem } from '../errors/problem.ts'
import { answering, isBlobId, tooLong, writeAside, type Stored } from './aside.ts'
import type { Blobs } from './blobs.ts'
import { genuine, isMissing, refusal, sending, timeouts, unavailable, type Timeouts } from './s3-faults.ts'

interface Place { endpoint: string, host: string, bucket: string, prefix: string }

/**
 * @param settings  S3_URL is `https://host[:port]/bucket[/prefix]`; without keys among the settings they
 *   come from where AWS's tools look: profile, web identity, container, instance
 * @param folder  between prefix and id: one service's own
 * @throws Error that says what to change, when the bucket is missing or may not be used
 */
export async function s3Blobs (
  settings: S3Settings, folder: string, limits: Timeouts = timeouts
): Promise<Blobs> {
  const place = placeOf(settings.S3_URL)
  const client = clientFor(place, settings, limits)
  const bucket = bucketOf({ place, client, folder, limits })
  try {
    await bucket.look()
  } catch (cause) {
    client.destroy()
    throw refusal(place, cause)
  }
  return {
    async put (content, bytesMax = Infinity) {
      if (content instanceof Uint8Array) {
        if (content.length > bytesMax) throw tooLong(bytesMax)
        const id = createHash('sha256').update(content).digest('hex')
        return await bucket.send({ id, bytes: content.length }, () => content)
      }
      return await withAside(async file => {
        const stored = await writeAside(file, content, bytesMax)
        return await bucket.send(stored, () => file.createReadStream({ start: 0, autoClose: false }))
      })
    },
    async find (id) {
      const content = isBlobId(id) ? await bucket.get(id) : undefined
      return content && await buffer(content)
    },
    stream: async id => isBlobId(id) ? await bucket.get(id) : undefined,
    has: async id => isBlobId(id) && await bucket.has(id),
    async delete (id) {
      if (isBlobId(id)) await bucket.delete(id)
    }
  }
}

const hasTag = ({ ETag }: { ETag?: string | undefined }): boolean => ETag !== undefined

interface Parts { place: Place, client: S3Client, folder: string, limits: Timeouts }

/** The five requests we make; their faults are Problems, but for `look`. */
function bucketOf ({ place, client, folder, limits }: Parts) {
  const { bucket: Bucket, host } = place
  const keyOf = (id: string): string =>
    [place.prefix, folder, id.slice(0, 2), id].filter(part => part !== '').join('/')
  /** What the call gives; undefined when there is no such object. */
  async function ask<T> (call: (abortSignal: AbortSignal) => Promise<T>, bytes = 0): Promise<T | undefined> {
    try {
      return await sending(call, bytes, limits)
    } catch (cause) {
      if (isMissing(cause)) return undefined
      throw unavailable(host, cause)
    }
  }
  return {
    async look () {
      const command = new ListObjectsV2Command({ Bucket, Prefix: keyOf(''), MaxKeys: 1 })
      const found = await sending(async abortSignal => await client.send(command, { abortSignal }), 0, limits)
      genuine(found, ({ Name }) => Name === Bucket)
    },
    async send ({ id, bytes }: Stored, body: () => Uint8Array | Readable): Promise<Stored> {
      await ask(async abortSignal => {
        const command = new PutObjectCommand({ Bucket, Key: keyOf(id), Body: body(), ContentLength: bytes })
        // The id is signed: the store hashes what arrives and refuses other bytes.
        command.middlewareStack.add(next => async args => {
          (args.request as { headers: Record<string, string> }).headers['x-amz-content-sha256'] = id
          return await next(args)
        }, { step: 'build' })
        return genuine(await client.send(command, { abortSignal }), hasTag)
      }, bytes)
      return { id, bytes }
    },
    async get (id: string): Promise<Readable | undefined> {
      const command = new GetObjectCommand({ Bucket, Key: keyOf(id) })
      const found = await ask(async abortSignal =>
        genuine(await client.send(command, { abortSignal }), hasTag))
      if (found === undefined) return undefined
      const bytes = checked(found.Body as Readable, { id, host, idleMs: limits.idleMs })
      return Readable.from(bytes, { objectMode: false })
    },
    async has (id: string): Promise<boolean> {
      const command = new HeadObjectCommand({ Bucket, Key: keyOf(id) })
      return await ask(async abortSignal =>
        genuine(await client.send(command, { abortSignal }), hasTag)) !== undefined
    },
    async delete (id: string): Promise<void> {
      const command = new DeleteObjectCommand({ Bucket, Key: keyOf(id) })
      const isDone = ({ $metadata }: DeleteObjectCommandOutput): boolean => $metadata.httpStatusCode === 204
      await ask(async abortSignal => genuine(await client.send(command, { abortSignal }), isDone))
    }
  }
}

function clientFor ({ endpoint }: Place, settings: S3Settings, { connectMs }: Timeouts): S3Client {
  const { AWS_REGION, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN } = settings
  if ((AWS_ACCESS_KEY_ID === undefined) !== (AWS_SECRET_ACCESS_KEY === undefined)) {
    throw new Error('Cannot start: of AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY one is set and the other not. Set both, or none where keys come from a role.')
  }
  return new S3Client({
    endpoint,
    region: AWS_REGION,
    // Names of buckets in the host need a DNS of their own, which few stores besides AWS have.
    forcePathStyle: true,
    ...AWS_ACCESS_KEY_ID !== undefined && AWS_SECRET_ACCESS_KEY !== undefined && {
      credentials: {
        accessKeyId: AWS_ACCESS_KEY_ID,
        secretAccessKey: AWS_SECRET_ACCESS_KEY,
        ...AWS_SESSION_TOKEN !== undefined && { sessionToken: AWS_SESSION_TOKEN }
      }
    },
    // `sending` tries again, also what is a stream, which the client does not.
    maxAttempts: 1,
    // Without one it writes to the console; all faults are thrown as well.
    logger: { debug () {}, info () {}, warn () {}, error () {} },
    // The defaults send CRC trailers that older stores of other makers refuse.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout: connectMs }
  })
}

function placeOf (text: string): Place {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const [bucket = '', ...rest] = url?.pathname.split('/').filter(Boolean) ?? []
  const isPlain = url !== undefined && /^https?:$/.test(url.protocol) &&
    [url.username, url.password, url.search, url.hash].every(part => part === '')
  if (!isPlain || !/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket) || rest.some(part => !/^[\w.-]+$/.test(part))) {
    // Whoever wrote keys into it must not find them in a log.
    throw new Error('Cannot start: S3_URL is not of the form https://host[:port]/bucket[/prefix]. The keys have settings of their own: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.')
  }
  return { endpoint: url.origin, host: url.host, bucket, prefix: rest.join('/') }
}

/**
 * A file in the folder for temporary ones (TMPDIR): an id is known only after the last byte, and
 * memory must not hold an upload. It loses its name at once, so that a killed process leaves nothing.
 */
async function withAside<T> (work: (file: FileHandle) => Promise<T>): Promise<T> {
  return await answering(tmpdir(), async () => {
    const path = join(tmpdir(), `viva-${randomUUID()}`)
    const file = await open(path, 'wx+', 0o600)
    try {
      // Windows removes no open file: there it goes at the end.
      if (process.platform !== 'win32') await rm(path)
      return await work(file)
    } finally {
      await file.close()
      if (process.platform === 'win32') await rm(path, { force: true })
    }
  })
}

/** The bytes as they come; an error at the end where they are not those the id stands for. */
async function * checked (
  body: Readable, { id, host, idleMs }: { id: string, host: string, idleMs: number }
): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256')
  const pieces = body[Symbol.asyncIterator]()
  try {
    for (;;) {
      // Only while we wait for the store: whoever reads from us may be slow.
      const timer = setTimeout(() => { body.destroy(new DOMException('idle', 'TimeoutError')) }, idleMs)
      const { done, value } = await pieces.next().finally(() => { clearTimeout(timer) })
      if (done === true) break
      hash.update(value as Uint8Array)
      yield value as Uint8Array
    }
  } catch (cause) {
    throw unavailable(host, cause)
  } finally {
    body.destroy()
  }
  if (hash.digest('hex') !== id) {
    throw new Problem('store-unavailable', `The object store at ${host} holds other bytes under ${id} than were stored. Restore this object from a backup.`)
  }
}
