/** A real nats-server on a free port of loopback, which tests kill, wipe and start again. */
import { spawn, type ChildProcess } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { endWithUs, killChild } from './children.ts'

export interface NatsServer {
  url: string
  pid: () => number | undefined
  /** SIGKILL; resolves when the process has ended. */
  kill: () => Promise<void>
  /** Again on the same port, over what is in the folder. */
  start: () => Promise<void>
  /** Only while it does not run: all streams are gone. */
  wipe: () => Promise<void>
}

interface NatsOptions {
  /** Its address, where another host of the test must reach it; default loopback. */
  host?: string
  /** What the command begins with, such as `ip netns exec NAME`. */
  prefix?: readonly string[]
  /** A configuration file: users, for example. */
  config?: string
}

/** @param dir  made when missing; the streams are in it */
export async function startNats (path: string, dir: string, options: NatsOptions = {}): Promise<NatsServer> {
  const { host = '127.0.0.1', prefix = [], config } = options
  let child: ChildProcess | undefined
  let port = -1

  async function start (): Promise<void> {
    const [command = path, ...args] = [...prefix, path, '--addr', host, '--port', String(port),
      '--jetstream', '--store_dir', join(dir, 'jetstream'), ...config === undefined ? [] : ['--config', config]]
    child = spawn(command, args, { stdio: ['ignore', 'ignore', 'pipe'] })
    endWithUs(child)
    port = await portWhenReady(child)
  }

  async function kill (): Promise<void> {
    if (child !== undefined) await killChild(child)
  }

  await start()
  return {
    url: `nats://${host}:${port}`,
    pid: () => child?.pid,
    kill,
    start,
    async wipe () { await rm(join(dir, 'jetstream'), { recursive: true, force: true }) }
  }
}

/** The server says where it listens, and later that it is ready, on its standard error. */
async function portWhenReady (child: ChildProcess): Promise<number> {
  const said: string[] = []
  let port = 0
  for await (const line of createInterface({ input: child.stderr as NodeJS.ReadableStream })) {
    said.push(line)
    port = Number(/Listening for client connections on \S*:(\d+)/.exec(line)?.[1] ?? port)
    if (!line.includes('Server is ready')) continue
    child.stderr?.resume()
    return port
  }
  throw new Error(`nats-server did not start:\n${said.join('\n')}`)
}
