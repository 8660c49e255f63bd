/** The two processes of these benches: the suite, which is measured and killed, and its model server. */
import { once } from 'node:events'
import type { ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundledPrograms } from '../../../shared/testing/cluster/bundle.ts'
import { endWithUs, readyUrl } from '../../../shared/testing/children.ts'
import { cpuMicrosOf } from '../inference/process.ts'
import type { Answered, ModelOptions } from './model-server.ts'

const here = (name: string) => fileURLToPath(new URL(name, import.meta.url))

export interface Model {
  url: string
  ledger: () => Promise<Answered[]>
  cpuMs: () => number
  stop: () => Promise<void>
}

export interface Memory { residentMb: number, heapMb: number }

export interface Suite {
  /** Once it listens. */
  ready: Promise<string>
  /** Of all its threads; its parser processes are not among them. */
  cpuMs: () => number
  /** Of its main thread alone: what bounds how fast it answers. */
  mainCpuMs: () => number
  /** Of this process alone, once what nobody holds is freed in its main thread. */
  memory: () => Promise<Memory>
  kill: () => Promise<void>
  stop: () => Promise<void>
}

export async function startModel (options: ModelOptions): Promise<Model> {
  const child = start([here('../../run.mjs'), here('model-server.ts'), JSON.stringify(options)], {})
  return {
    url: await urlOf(child),
    async ledger () {
      child.send({})
      return (await once(child, 'message'))[0] as Answered[]
    },
    cpuMs: () => cpuMicrosOf(child.pid!) / 1_000,
    stop: async () => { await ended(child, 'SIGTERM') }
  }
}

export interface SuiteOptions {
  dir: string
  modelUrl: string
  slots: number
  port?: number
  env?: Record<string, string>
}

/** Does not wait until it listens: it may be killed before that. */
export async function startSuite (options: SuiteOptions): Promise<Suite> {
  const { dir, modelUrl, slots, port = 0, env = {} } = options
  const profile = process.env['BENCH_PROFILE_DIR']
  const upstreams = [{ name: 'fake', baseUrl: modelUrl, capabilities: ['vision', 'structured-output'], slots }]
  const child = start([
    '--expose-gc',
    `--import=${here('watched.mjs')}`,
    ...profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profile}`],
    join(await bundledPrograms(), 'suite.mjs')
  ], {
    PORT: String(port), DATA_DIR: dir, LOG_LEVEL: 'fatal', RATE_PER_MINUTE: '0', UPSTREAMS: JSON.stringify(upstreams), ...env
  })
  return {
    ready: urlOf(child),
    cpuMs: () => cpuMicrosOf(child.pid!) / 1_000,
    mainCpuMs: () => cpuMicrosOf(`${child.pid}/task/${child.pid}`) / 1_000,
    async memory () {
      child.send('memory')
      const [{ heapUsed }] = await once(child, 'message') as [NodeJS.MemoryUsage]
      return { residentMb: residentKb(child.pid!) / 1024, heapMb: heapUsed / 2 ** 20 }
    },
    kill: async () => { await ended(child, 'SIGKILL') },
    stop: async () => { await ended(child, 'SIGTERM') }
  }
}

function start (args: readonly string[], env: Record<string, string>): ChildProcess {
  const { spawn } = process.getBuiltinModule('node:child_process')
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'inherit', 'ipc']
  })
  endWithUs(child)
  return child
}

async function urlOf (child: ChildProcess): Promise<string> {
  const url = await readyUrl(child.stdout!)
  if (url === undefined) throw new Error(`${child.spawnargs.at(-1)} ended before it listened; see above`)
  return url
}

async function ended (child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exit = once(child, 'exit')
  child.kill(signal)
  await exit
}

function residentKb (pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])
}
