/**
 * One connection to MongoDB: which settings of the URL count, how long anything takes at most, and
 * what happens at the start.
 *
 * Writes are acknowledged by a majority with their journals on disk, so a failover loses none that
 * was answered. Reads come from the primary with read concern local. That sees every acknowledged
 * write; it may also see one that a failover then undoes, and for some seconds a primary that has
 * been cut off may answer with what it has. Neither does harm here: each decision ends in a guarded
 * write, a majority acknowledges that only along with all that came before it on the same primary,
 * and a primary that is cut off gets no majority. Read concern majority would show older state, and
 * linearizable would cost a round trip to the members with every read.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { MongoClient, MongoCompatibilityError, ReadConcern, type Abortable, type Db, type MongoClientOptions } from 'mongodb'
import { Problem } from '../errors/problem.ts'
import { isAway, isRefusal, mongoProblem, retryAfterSeconds, TimeLimit } from './mongo-errors.ts'

/**
 * Of one call, with finding a server, waiting for a connection and the driver's own retries. Kept
 * by a signal that ends the call, for the driver's own timeoutMS has no effect (7.9.0).
 */
const operationTimeoutMs = 4_500
const pingTimeoutMs = 2_000
/** Calls at once, of which `poolMax` are on their way and the others wait; beyond, they are refused. */
const callsMax = 10_000
const poolMax = 32
const startWaitMs = 30_000
const startPauseMs = 1_000

/** They win over those of the URL. */
const fixedOptions: MongoClientOptions = {
  maxPoolSize: poolMax,
  // Sooner than the signal, so that the error says why there is no server.
  serverSelectionTimeoutMS: operationTimeoutMs - 500,
  // A server that answers nothing is noticed, and one that is back is found, within seconds.
  connectTimeoutMS: 2_000,
  heartbeatFrequencyMS: 2_000,
  maxIdleTimeMS: 60_000,
  retryWrites: true,
  retryReads: true,
  // What comes back is plain JSON, whatever the URL asks for.
  promoteLongs: true,
  promoteValues: true,
  useBigInt64: false,
  raw: false,
  // The driver's own {} inherits members, by whose names lists would come back as bytes: `constructor`.
  fieldsAsRaw: Object.create(null),
  ignoreUndefined: true
}

export interface MongoOptions {
  database: string
  /** Told while the start waits for a server. */
  log?: { warn: (about: object, message: string) => void }
  /** How long the start waits for a server that does not answer; default 30,000. */
  startWaitMs?: number
}

/**
 * Options for any method of the driver. Its types leave the signal out of writes, which heed it too;
 * `ignoreUndefined`, never set here, is what they have in common with reads.
 */
export type Within = Abortable & { ignoreUndefined?: true }

export interface MongoConnection {
  db: Db
  /** Runs a call of the driver; what it throws is as the port promises. `timeoutMs`: default 4,500. */
  call: <T>(work: (within: Within) => Promise<T>, timeoutMs?: number) => Promise<T>
  ping: () => Promise<void>
  /** Takes no more calls, waits for those on their way. */
  close: () => Promise<void>
}

/** The database of a service: that in the URL's path, or `viva`, and the service's name. */
export function databaseOf (url: string, service: string): string {
  const path = /^mongodb(?:\+srv)?:\/\/[^/?]+\/([^/?]+)/.exec(url)?.[1]
  return `${path ?? 'viva'}-${service}`
}

/**
 * Connects, and waits for a server that does not answer yet: where everything is started at once
 * the database is seldom first. After half a minute it gives up, so that a person sees the wrong
 * host name and Kubernetes shows a restarting pod instead of one that hangs. Who is refused, or
 * has written what no server could make good, is told at once.
 *
 * @throws Error whose message says what to change and holds no secret
 */
export async function openMongo (url: string, options: MongoOptions): Promise<MongoConnection> {
  const client = clientOf(url, options.database)
  try {
    const db = client.db(options.database, {
      // Here rather than on the client, where options of the URL would be mixed in.
      writeConcern: { w: 'majority', journal: true },
      readConcern: new ReadConcern('local'),
      readPreference: 'primary'
    })
    await reach(client, db, options)
    await checkMember(client, db)
    return connectionOf(client, db)
  } catch (cause) {
    await client.close()
    throw cause
  }
}

/** What the driver says of a URL may quote it, password and all; so it is not passed on. */
function clientOf (url: string, database: string): MongoClient {
  if (!/^[\w-]{1,63}$/.test(database)) {
    throw new Error(`Cannot start: MONGO_URL names the database ${JSON.stringify(database)}; use letters, digits, _ and -, 63 at most with the service's name.`)
  }
  const client = makeClient(url)
  const compressors = client.options.compressors?.filter(name => name !== 'none') ?? []
  if (compressors.length > 0) {
    throw new Error(`Cannot start: MONGO_URL asks for the compressor ${compressors.join(', ')}. Leave compressors out: zlib lets strangers read the memory of unpatched servers (CVE-2025-14847).`)
  }
  return client
}

function makeClient (url: string): MongoClient {
  try {
    return new MongoClient(url, fixedOptions)
  } catch (cause) {
    const { message } = cause as Error
    const option = /^options? [\w, ]+ (?:is|are) not supported/.exec(message)?.[0]
    throw new Error(`Cannot start: MONGO_URL is not a connection string of MongoDB, such as mongodb://user:password@host:27017/viva?authSource=admin, with %-escapes for : / ? # [ ] @ in the password${option === undefined ? '' : ` (${option})`}.`)
  }
}

async function reach (
  client: MongoClient, db: Db, { log, startWaitMs: waitMs = startWaitMs }: MongoOptions
): Promise<void> {
  const deadline = performance.now() + waitMs
  const hosts = client.options.srvHost ?? client.options.hosts.map(String).join(', ')
  for (;;) {
    try {
      // Made anew each time: the driver gives a first connection up for good.
      await client.connect()
      // Not a ping, which servers answer before anybody has logged in.
      await timed(async within => await db.collection<{ _id: string }>('claims').findOne({ _id: '' }, within))
      return
    } catch (cause) {
      const reason = reasonOf(cause)
      if (isRefusal(cause)) {
        throw new Error(`Cannot start: MongoDB at ${hosts} does not let us into the database ${db.databaseName} (${reason}). Check user, password and authSource in MONGO_URL, and that the user has the role readWrite there.`)
      }
      if (cause instanceof MongoCompatibilityError || !isAway(cause)) {
        throw new Error(`Cannot start: MongoDB at ${hosts} cannot be used (${reason}).`)
      }
      log?.warn({ hosts, reason }, 'MongoDB does not answer yet')
      if (performance.now() > deadline) {
        throw new Error(`Cannot start: no MongoDB answered at ${hosts} for ${Math.round(waitMs / 1_000)} s (${reason}). Check MONGO_URL, and that the server runs and has a primary.`)
      }
    }
    await pause(startPauseMs)
  }
}

/** The driver's words about a connection name hosts and codes, never the password. */
function reasonOf (cause: unknown): string {
  const { message, code } = cause as { message?: string, code?: unknown }
  return `${message ?? String(cause)}${typeof code === 'number' ? `, code ${code}` : ''}`.slice(0, 300)
}

/** A direct connection goes on reading from its member when another has become primary. */
async function checkMember (client: MongoClient, db: Db): Promise<void> {
  if (client.options.directConnection !== true) return
  const { hosts = [] } = await timed(async within => await db.command({ hello: 1 }, within))
  if (hosts.length > 1) {
    throw new Error('Cannot start: MONGO_URL has directConnection=true, but the server is one of several in a replica set. Name replicaSet instead, so that the primary is found.')
  }
}

/** @throws TimeLimit, whether or not the driver ends what it was doing */
async function timed<T> (
  work: (within: Within) => Promise<T>, timeoutMs = operationTimeoutMs
): Promise<T> {
  const controller = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const tooLate = new Promise<never>((resolve, reject) => {
    timer = setTimeout(() => {
      const limit = new TimeLimit(`no answer in ${timeoutMs} ms`)
      reject(limit)
      controller.abort(limit)
    }, timeoutMs)
  })
  try {
    return await Promise.race([work({ signal: controller.signal }), tooLate])
  } finally {
    clearTimeout(timer)
  }
}

function connectionOf (client: MongoClient, db: Db): MongoConnection {
  const name = db.databaseName
  const onTheWay = new Set<Promise<unknown>>()
  let closed: Promise<void> | undefined

  async function call<T> (work: (within: Within) => Promise<T>, timeoutMs = operationTimeoutMs): Promise<T> {
    if (closed !== undefined) {
      throw new Problem('store-unavailable', `The store ${name} has been closed.`, { retryAfterSeconds })
    }
    if (onTheWay.size >= callsMax) {
      throw new Problem('store-unavailable', `${callsMax} calls wait for MongoDB already; nothing was done. Try again shortly.`, { retryAfterSeconds })
    }
    const answer = timed(work, timeoutMs)
    onTheWay.add(answer)
    try {
      return await answer
    } catch (cause) {
      const problem = mongoProblem(cause, name)
      throw problem
    } finally {
      onTheWay.delete(answer)
    }
  }

  return {
    db,
    call,
    async ping () {
      await call(async within => await db.command({ ping: 1 }, within), pingTimeoutMs)
    },
    async close () {
      closed ??= Promise.allSettled(onTheWay).then(async () => { await client.close() })
      await closed
    }
  }
}
