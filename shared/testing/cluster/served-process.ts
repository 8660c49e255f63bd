/** One process that serves: started, asked for its address, stopped in the ways that tests need. */
import type { ChildProcess, StdioOptions } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import type { Readable } from 'node:stream'
import { readyUrl } from '../children.ts'

export interface Program {
  script: string
  env: Record<string, string | undefined>
  /** Its standard error, one life after the other. */
  logFile: string
  /** What the command begins with, such as `ip netns exec NAME`; it must become the program itself. */
  prefix: readonly string[]
  nodeArguments: readonly string[]
}

export interface ServedProcess {
  pid: number
  url: string
  running: () => boolean
  signal: (name: NodeJS.Signals) => void
  /** Resolves with exit code or signal. */
  ended: Promise<number | NodeJS.Signals>
}

const startTimeoutMs = 60_000
/** However the test ends, its processes do not outlive it: they notice that the channel is gone. */
const endWithParent = 'data:text/javascript,process.once("disconnect",()=>process.exit(1))'

/** @throws Error with the end of its log when it does not say where it listens */
export async function startServed (program: Program): Promise<ServedProcess> {
  const child = spawnProgram(program)
  const ended = once(child, 'exit').then(([code, signal]) => (code ?? signal) as number | NodeJS.Signals)
  // A test that ends early must not fail on a promise that nobody awaits.
  ended.catch(() => {})
  const timer = setTimeout(() => { child.kill('SIGKILL') }, startTimeoutMs)
  try {
    const url = await Promise.race([readyUrl(child.stdout as Readable), ended.then(() => undefined)])
    if (url === undefined) throw new Error(`It did not start; its log ends:\n${lastWords(program.logFile)}`)
    return {
      pid: child.pid as number,
      url,
      ended,
      running: () => child.exitCode === null && child.signalCode === null,
      signal: name => { child.kill(name) }
    }
  } finally {
    clearTimeout(timer)
  }
}

function spawnProgram ({ script, env, logFile, prefix, nodeArguments }: Program): ChildProcess {
  // An import of child_process may be answered with the test framework's own, which slows each promise.
  const { spawn } = process.getBuiltinModule('node:child_process')
  const [command, ...args] = [...prefix, process.execPath, ...nodeArguments, '--import', endWithParent, script]
  const log = openSync(logFile, 'a')
  const stdio: StdioOptions = ['ignore', 'pipe', log, 'ipc']
  try { return spawn(command as string, args, { env, stdio }) } finally { closeSync(log) }
}

function lastWords (file: string): string {
  return readFileSync(file, 'utf8').slice(-2_000)
}
