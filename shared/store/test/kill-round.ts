/** Kills a process that writes, and compares what it had acknowledged with what is there. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import Database from 'libsql'
import { embeddedStore } from '../embedded.ts'
import type { Doc } from '../store.ts'

export interface Written extends Doc { state: string, n: number, key?: string, text?: string }
export interface Ledger {
  acknowledged: number
  lost: number
  torn: number
  indexFaults: number
  /** What SQLite says of the file: `ok`, or the first fault. */
  integrity: string
}

interface Run {
  round: number
  /** Acknowledgements after which the writer is killed. */
  acknowledgements: number
  /** After so many it ends by itself; 0, the default, is never. */
  share?: number
}

export const counterId = 'counter'

/** Long enough for a page of its own now and then, and telling whose it is. */
export function textOf (id: string): string {
  return `${id} é `.repeat(20 + id.length)
}

/**
 * Runs a writer until so many ids are acknowledged, or its share is done, and answers the ids. Some
 * more than asked for may have been acknowledged by the time it is dead.
 */
export async function runWriter (
  file: string, { round, acknowledgements, share = 0 }: Run
): Promise<string[]> {
  const writer = fileURLToPath(new URL('writer.ts', import.meta.url))
  const child = spawn(process.execPath, ['--import', 'tsx', writer, file, String(round), String(share)],
    { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(child, 'close')
  const ids: string[] = []
  for await (const id of createInterface({ input: child.stdout })) {
    ids.push(id)
    if (ids.length === acknowledgements) child.kill('SIGKILL')
  }
  const [code, signal] = await ended as [number | null, string | null]
  if (signal !== 'SIGKILL' && code !== 0) throw new Error(`The writer ended with ${String(code ?? signal)}`)
  return ids
}

/** One round: write, kill, reopen, and count what is missing, half written or wrongly indexed. */
export async function killRound (file: string, run: Run): Promise<Ledger> {
  return await ledgerOf(file, await runWriter(file, run))
}

export async function ledgerOf (file: string, ids: readonly string[]): Promise<Ledger> {
  const store = await embeddedStore(file)
  const documents = await store.collection<Written>('written')
  const ledger = { acknowledged: ids.length, lost: 0, torn: 0, indexFaults: 0 }
  for (const id of ids) {
    const found = await documents.find(id)
    if (found === undefined) ledger.lost++
    else if (found.state !== 'changed' || found.n !== 1 || found.text !== textOf(id)) ledger.torn++
  }
  // Counted by everyone since the file was made, so at least once for each id of this round.
  const counted = (await documents.find(counterId))?.n ?? 0
  if (counted < ids.length) ledger.lost += ids.length - counted
  // All documents by their own table, against all by the index on `state`.
  const byIndex = await documents.count({ state: { $in: ['new', 'changed'] } })
  if (byIndex !== await documents.count({}) - 1) ledger.indexFaults++
  for (let after = ''; ;) {
    const page = await documents.findMany({ _id: { $gt: after }, state: 'new' }, { limit: 1_000 })
    // Never acknowledged as changed, yet whole.
    for (const { _id, n, text } of page) if (n !== 0 || text !== textOf(_id)) ledger.torn++
    const last = page.at(-1)
    if (last === undefined) break
    after = last._id
  }
  await store.close()
  const database = new Database(file)
  const integrity = (database.prepare('PRAGMA integrity_check').raw(true).get([]) as string[])[0] as string
  database.close()
  return { ...ledger, integrity }
}
