/** The sides of the comparison: our proxy as users start it, nginx, and the least that Node can do. */
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '../../../shared/testing/free-port.ts'
import { serverOf, startPinned, startServer, type Server } from './process.ts'

const here = (name: string) => fileURLToPath(new URL(name, import.meta.url))
const runner = here('../../run.mjs')

/** @param chunkMs between two chunks of a stream; 0: all at once */
export async function startFastFake (chunkMs = 0): Promise<Server> {
  const args = [runner, here('fast-fake.ts'), JSON.stringify({ chunkMs })]
  return await startServer({ core: 0, command: process.execPath, args })
}

export async function startBareProxy (upstream: string): Promise<Server> {
  return await startServer({ core: 1, command: process.execPath, args: [runner, here('bare-proxy.ts'), upstream] })
}

export interface Upstreams { urls: readonly string[], slots: number }

/** The inference service with all it does, on a store of its own. @param env  further settings */
export async function startProxy (
  { urls, slots }: Upstreams, env: Record<string, string> = {}
): Promise<Server> {
  const folder = mkdtempSync(join(tmpdir(), 'viva-bench-'))
  const upstreams = urls.map((baseUrl, nth) => ({ name: `fake-${nth}`, baseUrl, models: ['fake-model'], slots }))
  const server = await startServer({
    core: 1,
    command: process.execPath,
    args: [...profiling(), runner, 'services/inference/main.ts'],
    env: { ...proxyEnv(folder, upstreams), ...env }
  })
  await ready(server.url)
  return withFolder(server, folder)
}

/** Nothing but the work: no log, no limit of its own, a port that is free. */
export function proxyEnv (folder: string, upstreams: readonly object[]): Record<string, string> {
  return {
    PORT: '0',
    DATA_DIR: folder,
    LOG_LEVEL: 'fatal',
    RATE_PER_MINUTE: '0',
    REQUESTS_MAX: '20000',
    UPSTREAMS: JSON.stringify(upstreams)
  }
}

/** With `--profile DIR` each proxy leaves a profile of its CPU time there, for Chrome's developer tools. */
function profiling (): string[] {
  const { BENCH_PROFILE_DIR: folder } = process.env
  return folder === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${folder}`]
}

function withFolder (server: Server, folder: string): Server {
  return {
    ...server,
    async stop () {
      await server.stop()
      rmSync(folder, { recursive: true, force: true })
    }
  }
}

/** Until it has found its upstream: the first call must not be the one that pays for that. */
async function ready (url: string): Promise<void> {
  const body = JSON.stringify({ model: 'fake-model', messages: [{ role: 'user', content: 'ready?' }], max_tokens: 1 })
  const headers = { 'content-type': 'application/json' }
  for (let attempt = 0; ; attempt++) {
    const answer = await fetch(`${url}/v1/chat/completions`, { method: 'POST', body, headers })
    const text = await answer.text()
    if (answer.ok) return
    if (attempt > 50) throw new Error(`The proxy does not reach its upstream: ${text}`)
    await new Promise(resolve => { setTimeout(resolve, 100) })
  }
}

/** One worker, no buffering, connections to the upstream kept: what a careful operator writes. */
export async function startNginx (upstreams: readonly string[]): Promise<Server> {
  const folder = mkdtempSync(join(tmpdir(), 'viva-nginx-'))
  const port = await freePort()
  writeFileSync(join(folder, 'nginx.conf'), nginxConfig(folder, port, upstreams))
  const child = startPinned({ core: 1, command: 'nginx', args: ['-c', join(folder, 'nginx.conf'), '-p', folder] })
  const gone = once(child, 'exit').then(() => { throw new Error('nginx ended before it listened') })
  await Promise.race([listening(port), gone])
  gone.catch(() => {})
  return withFolder(serverOf(child, `http://127.0.0.1:${port}`), folder)
}

function nginxConfig (folder: string, port: number, upstreams: readonly string[]): string {
  return `daemon off; master_process off; pid ${folder}/pid; error_log stderr error;
events { worker_connections 8192; }
http {
  access_log off; client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/f; uwsgi_temp_path ${folder}/u; scgi_temp_path ${folder}/s;
  keepalive_requests 1000000000; client_body_buffer_size 64k; client_max_body_size 32m;
  upstream fakes {
    ${upstreams.map(url => `server ${new URL(url).host};`).join(' ')}
    keepalive 1024; keepalive_requests 1000000000;
  }
  server {
    listen 127.0.0.1:${port} backlog=2048;
    location / {
      proxy_pass http://fakes; proxy_http_version 1.1; proxy_set_header Connection "";
      proxy_buffering off; proxy_read_timeout 600s;
    }
  }
}
`
}

async function listening (port: number): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const socket = connect(port, '127.0.0.1')
    const isOpen = await new Promise<boolean>(resolve => {
      socket.once('connect', () => { resolve(true) })
      socket.once('error', () => { resolve(false) })
    })
    socket.destroy()
    if (isOpen) return
    await new Promise(resolve => { setTimeout(resolve, 50) })
  }
  throw new Error(`Nothing listens on port ${port}`)
}
