/**
 * One SQLite file, shared with other processes of this host. Writes gather for a turn of the event
 * loop and go in one transaction, so that many small ones cost one; each resolves once it is
 * committed. Nothing is awaited inside a transaction, so reads never see half of one.
 */
import Database from 'libsql'
import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Problem } from '../errors/problem.ts'
import { groupCommit, type Write } from './group-commit.ts'

/**
 * SQLite sleeps this long for a lock, and the event loop with it; then we wait ourselves. Others
 * hold the lock for a few milliseconds, and who waits in step with them would never get it.
 */
const busyTimeoutMs = 1
const busyPauseMinMs = 1
const busyPauseMaxMs = 8
/** Statements differ by which paths a filter names, which is code: there are few. */
const statementsMax = 500

/** Of the tables; a store of a later one is refused, never guessed at. */
const schemaVersion = 1
const pageBytes = 4_096

export interface FileOptions {
  /**
   * `normal` (the default) loses nothing when a process is killed, and at a power cut at most the
   * last moments; `full` waits for the disk with every commit.
   */
  sync?: 'normal' | 'full'
  /** Beyond which the file does not grow: writes are then disk-full. Default: the disk decides. */
  bytesMax?: number
  /** How long to wait for another process's lock before store-unavailable; default 10,000. */
  busyMaxMs?: number
}

export type Row = readonly unknown[]
export interface Statement {
  get: (...values: string[]) => Row | undefined
  all: (...values: string[]) => Row[]
  /** How many rows it changed. */
  run: (...values: string[]) => number
}

export interface Connection {
  /** Prepared once for each text; valid until the next call. Call it inside `read` and `write` only. */
  statement: (sql: string) => Statement
  read<T> (query: () => T): Promise<T>
  /** Runs `change` in a transaction with others; what it throws undoes nothing it has done. */
  write<T> (change: () => T): Promise<T>
  /** Runs `statements` in a transaction of their own. */
  define: (statements: readonly string[]) => Promise<void>
  close: () => Promise<void>
}

/** Runs work, again while another process holds the lock, and names what fails in our words. */
type Patiently = <T>(work: () => T) => Promise<T>

/** @throws Problem store-unavailable when the file cannot be opened or is no store of ours */
export async function openConnection (file: string, options: FileOptions): Promise<Connection> {
  const { sync = 'normal', bytesMax, busyMaxMs = 10_000 } = options
  const patiently: Patiently = async work => await retried(work, { file, busyMaxMs })
  let database: Database.Database | undefined
  try {
    await mkdir(dirname(file), { recursive: true })
    await patiently(() => {
      database ??= new Database(file)
      database.exec(`PRAGMA busy_timeout = ${busyTimeoutMs}`)
      database.exec('PRAGMA journal_mode = WAL')
      database.exec(`PRAGMA synchronous = ${sync === 'full' ? 'FULL' : 'NORMAL'}`)
      // 16 MiB: a suite has five of these, and the system caches the file as well.
      database.exec('PRAGMA cache_size = -16384')
      database.exec('PRAGMA journal_size_limit = 67108864')
      database.exec('PRAGMA wal_autocheckpoint = 4000')
      if (bytesMax !== undefined) database.exec(`PRAGMA max_page_count = ${Math.ceil(bytesMax / pageBytes)}`)
      claimSchema(database, file)
    })
  } catch (cause) {
    database?.close()
    throw storeProblem(file, cause)
  }
  return connectionOf(database as unknown as Database.Database, file, patiently)
}

function claimSchema (database: Database.Database, file: string): void {
  const version = prepare(database, 'PRAGMA user_version').get()?.[0]
  if (version === 0) database.exec(`PRAGMA user_version = ${schemaVersion}`)
  else if (version !== schemaVersion) {
    throw new Problem('store-unavailable', `${file} has schema ${String(version)}, this version reads ${schemaVersion}: start the version of Viva that wrote it, or a later one.`)
  }
}

function connectionOf (
  database: Database.Database, file: string, patiently: Patiently
): Connection {
  const statements = new Map<string, Statement>()
  let closed = false

  function statement (sql: string): Statement {
    const known = statements.get(sql)
    if (known !== undefined) return known
    if (statements.size >= statementsMax) statements.clear()
    const made = prepare(database, sql)
    statements.set(sql, made)
    return made
  }

  function transaction (work: () => void): void {
    // Not a kept statement: one that met a lock stays open in the driver, and what it has read
    // would be all that this connection sees until it is run again.
    database.exec('BEGIN IMMEDIATE')
    try {
      work()
      statement('COMMIT').run()
    } catch (cause) {
      // A full disk or an IO error has ended it already.
      if (database.inTransaction) statement('ROLLBACK').run()
      throw cause
    }
  }

  const writes = groupCommit(async take => await patiently(() => commitAll(take, transaction)))
  const refused = (): Problem => new Problem('store-unavailable', `The store ${file} has been closed.`)
  return {
    statement,
    async read (query) {
      if (closed) throw refused()
      return await patiently(query)
    },
    async write (change) {
      if (closed) throw refused()
      return await writes.add(change)
    },
    async define (sqls) {
      if (closed) throw refused()
      await patiently(() => transaction(() => { for (const sql of sqls) database.exec(sql) }))
    },
    async close () {
      if (closed) return
      closed = true
      await writes.settled()
      statements.clear()
      try {
        // So that the one file is the whole store, for who copies it; the driver does so late.
        prepare(database, 'PRAGMA wal_checkpoint(TRUNCATE)').get()
      } catch {
        // Everything is in the log beside it, and the next to open the file goes on from there.
      }
      database.close()
    }
  }
}

/**
 * Runs the writes it takes in one transaction. A write that throws what the store did not cause
 * fails alone; a fault of the store fails the batch, of which then nothing is kept.
 *
 * @returns what to call for each write, now that all of it is committed
 */
function commitAll (
  take: () => Iterable<Write>, transaction: (work: () => void) => void
): Array<() => void> {
  const settle: Array<() => void> = []
  transaction(() => {
    settle.length = 0
    for (const { change, resolve, reject } of take()) {
      try {
        const value = change()
        settle.push(() => resolve(value))
      } catch (cause) {
        if (codeOf(cause).startsWith('SQLITE_') && !isConstraint(cause)) throw cause
        settle.push(() => reject(cause))
      }
    }
  })
  return settle
}

function prepare (database: Database.Database, sql: string): Statement {
  const prepared = database.prepare(sql)
  if (prepared.reader) prepared.raw(true)
  return {
    get: (...values) => prepared.get(values) as Row | undefined,
    all: (...values) => prepared.all(values) as Row[],
    run: (...values) => prepared.run(values).changes
  }
}

async function retried<T> (
  work: () => T, { file, busyMaxMs }: { file: string, busyMaxMs: number }
): Promise<T> {
  const deadline = performance.now() + busyMaxMs
  for (;;) {
    try {
      return work()
    } catch (cause) {
      if (!isBusy(cause) || performance.now() > deadline) throw storeProblem(file, cause)
    }
    await pause(busyPauseMinMs + Math.random() * (busyPauseMaxMs - busyPauseMinMs))
  }
}

function codeOf (cause: unknown): string {
  return String((cause as { code?: unknown } | null)?.code ?? '')
}

function isBusy (cause: unknown): boolean {
  return /^SQLITE_(BUSY|LOCKED)/.test(codeOf(cause))
}

export function isConstraint (cause: unknown): boolean {
  return codeOf(cause).startsWith('SQLITE_CONSTRAINT')
}

/** What went wrong with the file as a Problem; bugs, such as wrong SQL, stay what they are. */
function storeProblem (file: string, cause: unknown): unknown {
  const code = codeOf(cause)
  const because = { cause }
  if (code === 'SQLITE_FULL' || code === 'ENOSPC') {
    return new Problem('disk-full', `There is no space left for ${file}; nothing was stored. Free some and try again.`, because)
  }
  if (isBusy(cause)) {
    return new Problem('store-unavailable', `Another process holds the lock on ${file} and does not let go; it may hang.`, because)
  }
  if (code.startsWith('SQLITE_CORRUPT') || code === 'SQLITE_NOTADB') {
    return new Problem('store-unavailable', `${file} is damaged or not a store: restore it from a copy.`, because)
  }
  if (/^SQLITE_(IOERR|CANTOPEN|READONLY|PERM|NOMEM|PROTOCOL)|^E(EXIST|NOTDIR|ACCES|PERM|ROFS|IO)$/.test(code) ||
    /ConnectionFailed/.test(String(cause))) {
    return new Problem('store-unavailable', `${file} cannot be read or written (${code || 'cannot open'}): check the disk and the rights of the folder.`, because)
  }
  return cause
}
