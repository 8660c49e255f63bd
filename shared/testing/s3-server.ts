/** A real S3-protocol server (VersityGW over a folder) behind a gate on loopback that tests can shut. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { endWithUs, killChild } from './children.ts'

export interface S3Server {
  url: string
  keys: { AWS_ACCESS_KEY_ID: string, AWS_SECRET_ACCESS_KEY: string, AWS_REGION: string }
  /** Where objects are files: `<folder>/<bucket>/<key>`. */
  folder: string
  makeBucket: (name: string) => Promise<void>
  /**
   * `cut`: connections end and none are taken; `mute`: they stay, and what is sent is lost. `open`
   * ends those there are, so that new ones are made: also to lose an idle one.
   */
  gate: (state: 'open' | 'cut' | 'mute') => void
  stop: () => Promise<void>
}

const startMsMax = 10_000

export async function startS3 (path: string): Promise<S3Server> {
  // The server takes no port 0 that it would tell; a socket's path must be short.
  const dir = await mkdtemp(join(tmpdir(), 'viva-s3-'))
  const [folder, socketPath] = [join(dir, 'data'), join(dir, 's3.sock')]
  await mkdir(folder)
  const keys = { AWS_ACCESS_KEY_ID: 'viva', AWS_SECRET_ACCESS_KEY: 'only for tests', AWS_REGION: 'us-east-1' }
  const child = spawn(path, ['--port', socketPath, '--quiet', 'posix', folder], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...process.env,
      ROOT_ACCESS_KEY: keys.AWS_ACCESS_KEY_ID,
      ROOT_SECRET_KEY: keys.AWS_SECRET_ACCESS_KEY
    }
  })
  endWithUs(child)
  const deadline = performance.now() + startMsMax
  while (!existsSync(socketPath)) {
    if (child.exitCode !== null || performance.now() > deadline) throw new Error('The S3 server did not start')
    await delay(20)
  }
  const { port, gate, close } = await openGate(socketPath)
  return {
    url: `http://127.0.0.1:${port}`,
    keys,
    folder,
    makeBucket: async name => { await mkdir(join(folder, name)) },
    gate,
    async stop () {
      close()
      await killChild(child)
      await rm(dir, { recursive: true, force: true })
    }
  }
}

async function openGate (socketPath: string) {
  let state: 'open' | 'cut' | 'mute' = 'open'
  const pairs = new Set<[Socket, Socket]>()
  const end = (pair: [Socket, Socket]): void => {
    for (const socket of pair) socket.destroy()
    pairs.delete(pair)
  }
  const server = createServer(near => {
    if (state === 'cut') { near.destroy(); return }
    const pair: [Socket, Socket] = [near, connect(socketPath)]
    const [, far] = pair
    pairs.add(pair)
    for (const socket of pair) {
      socket.on('error', () => { end(pair) })
      socket.on('close', () => { end(pair) })
    }
    near.on('data', chunk => { if (state === 'open' && !far.write(chunk)) near.pause() })
    far.on('data', chunk => { if (state === 'open' && !near.write(chunk)) far.pause() })
    near.on('drain', () => { far.resume() })
    far.on('drain', () => { near.resume() })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const close = (): void => { for (const pair of pairs) end(pair) }
  return {
    port: (server.address() as AddressInfo).port,
    gate (next: typeof state) {
      state = next
      if (state !== 'mute') close()
    },
    close () { server.close(); close() }
  }
}
