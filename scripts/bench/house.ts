/**
 * What the house itself costs: cold start and idle memory of the suite, and a JSON route of the
 * hardened preset beside the same route on bare Fastify, by the server's own CPU time in one run.
 */
import { fork, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import Fastify from 'fastify'
import { Type } from 'typebox'
import { Pool } from 'undici'
import { createApp } from '../../shared/app/app.ts'

const rounds = 5
const requests = 20_000
const connections = 32

const Body = Type.Object({ n: Type.Integer(), text: Type.String() }, { additionalProperties: false })
const body = JSON.stringify({ n: 7, text: 'a question about a paper' })
const route = { schema: { operationId: 'echo', summary: 'Echo', body: Body } }

if (process.argv[2] === 'serve') await serveRoute(process.argv[3] === 'preset')
else await measure()

async function measure (): Promise<void> {
  const start = await coldStart()
  const [bare, preset] = [await cpuPerRequest('bare'), await cpuPerRequest('preset')]
  const result = {
    coldStartSeconds: start.seconds,
    idleMegabytes: start.megabytes,
    bareMicroseconds: bare,
    presetMicroseconds: preset,
    ratio: preset / bare
  }
  process.stdout.write(process.argv.includes('--json')
    ? `${JSON.stringify(result)}\n`
    : `| what | figure |
|---|---|
| cold start of the suite, median of ${rounds} | ${start.seconds.toFixed(2)} s |
| idle memory of the suite, its warm parser included | ${start.megabytes.toFixed(0)} MB |
| validated JSON POST, server CPU a request, preset / bare Fastify | ${preset.toFixed(0)} / ${bare.toFixed(0)} µs = ${(preset / bare).toFixed(2)} |
`)
}

/** From spawn to the ready line; resident memory of the process and its children a second later. */
async function coldStart (): Promise<{ seconds: number, megabytes: number }> {
  const seconds: number[] = []
  let megabytes = 0
  for (let round = 0; round < rounds; round++) {
    const folder = mkdtempSync(join(tmpdir(), 'viva-bench-'))
    const started = performance.now()
    const child = spawn(process.execPath, ['scripts/run.mjs', 'scripts/all-in-one.ts'], {
      stdio: ['ignore', 'pipe', 'ignore'], env: { ...process.env, PORT: '0', DATA_DIR: folder, LOG_LEVEL: 'warn' }
    })
    await once(createInterface(child.stdout), 'line')
    seconds.push((performance.now() - started) / 1000)
    await new Promise(resolve => { setTimeout(resolve, 1500) })
    megabytes = Math.max(megabytes, residentOf(child.pid ?? 0))
    child.kill('SIGTERM')
    await once(child, 'exit')
    rmSync(folder, { recursive: true, force: true })
  }
  seconds.sort((a, b) => a - b)
  return { seconds: seconds[Math.floor(rounds / 2)] ?? NaN, megabytes }
}

/** Megabytes resident, children included; NaN where there is no /proc. */
function residentOf (pid: number): number {
  try {
    const kilobytes = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean)
    return kilobytes / 1024 + children.reduce((sum, child) => sum + residentOf(Number(child)), 0)
  } catch { return NaN }
}

async function cpuPerRequest (kind: 'bare' | 'preset'): Promise<number> {
  const child = fork(fileURLToPath(import.meta.url), ['serve', kind], { execArgv: ['--import', 'tsx'] })
  const [{ url }] = await once(child, 'message') as [{ url: string }]
  const pool = new Pool(url, { connections })
  await load(pool, requests / 4)
  const before = await cpuOf(child)
  await load(pool, requests)
  const spent = await cpuOf(child) - before
  await pool.close()
  child.kill('SIGTERM')
  return spent / requests
}

async function load (pool: Pool, count: number): Promise<void> {
  let left = count
  await Promise.all(Array.from({ length: connections }, async () => {
    while (left-- > 0) {
      const answer = await pool.request({
        method: 'POST', path: '/echo', body, headers: { 'content-type': 'application/json' }
      })
      await answer.body.dump()
      if (answer.statusCode !== 200) throw new Error(`status ${answer.statusCode}`)
    }
  }))
}

/** Microseconds of CPU the server has spent. */
async function cpuOf (child: ChildProcess): Promise<number> {
  child.send('cpu')
  const [{ cpu }] = await once(child, 'message') as [{ cpu: number }]
  return cpu
}

async function serveRoute (preset: boolean): Promise<void> {
  const app = preset ? await createApp() : Fastify()
  app.post('/echo', route, async request => request.body)
  const url = await app.listen({ port: 0 })
  process.on('message', () => {
    const { user, system } = process.cpuUsage()
    process.send?.({ cpu: user + system })
  })
  process.send?.({ url })
}
