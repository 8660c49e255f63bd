/**
 * The door between services of one process: a Unix socket (a named pipe on Windows) that only this
 * user can open. Real HTTP, so that cancellation and streams behave as they do between machines;
 * requests through it are ours, and skip keys and rate limit.
 */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { backlog } from './backlog.ts'
import type { App } from './service.ts'

const throughPrivateDoor = new WeakSet<object>()

/** Whether a request came through the private socket of this process. */
export function isPrivate ({ raw }: { raw: IncomingMessage }): boolean {
  return throughPrivateDoor.has(raw.socket)
}

export interface PrivateSocket { path: string, close: () => Promise<void> }

/** Call it when the app is ready; mkdtemp makes the folder readable by this user alone. */
export async function openPrivateSocket (app: App): Promise<PrivateSocket> {
  const path = process.platform === 'win32'
    ? `\\\\.\\pipe\\viva-${randomBytes(16).toString('hex')}`
    : join(await mkdtemp(join(tmpdir(), 'viva-')), 'peer.sock')
  const server = createServer((request, response) => { app.routing(request, response) })
  server.on('connection', socket => { throughPrivateDoor.add(socket) })
  // Peers decide how long they wait (`timeoutMs`); this door need not guess.
  server.requestTimeout = 0
  server.listen({ path, backlog })
  await once(server, 'listening')
  return {
    path,
    async close () {
      server.close()
      server.closeAllConnections()
      if (process.platform !== 'win32') await rm(dirname(path), { recursive: true, force: true })
    }
  }
}
