/** Servers of a bench, each a process of its own on a core of its own where there are two. */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { endWithUs, readyUrl } from '../../../shared/testing/children.ts'

/** 0: callers and model servers, this process among them; 1: what is measured. */
export type Core = 0 | 1
const canPin = process.platform === 'linux' && availableParallelism() > 1 && has('taskset')

export interface Server {
  url: string
  pid: number
  /** Microseconds of CPU so far, of all its threads. */
  cpuMicros: () => number
  residentKb: () => number
  stop: () => Promise<void>
}

export interface Command {
  core: Core
  command: string
  args: readonly string[]
  env?: Record<string, string>
}

/** Starts a server whose first line on standard output is `{"url": …}`. */
export async function startServer (given: Command): Promise<Server> {
  const child = startPinned(given)
  const url = await readyUrl(child.stdout!)
  if (url === undefined) throw new Error(`${given.args.join(' ')} ended before it listened; see above`)
  return serverOf(child, url)
}

export function startPinned ({ core, command, args, env = {} }: Command): ChildProcess {
  const line = canPin ? ['taskset', '-c', String(core), command, ...args] : [command, ...args]
  const child = spawn(line[0] ?? command, line.slice(1), {
    env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'inherit']
  })
  endWithUs(child)
  return child
}

/** taskset becomes the program it starts, so the child's pid is the server's. */
export function serverOf (child: ChildProcess, url: string): Server {
  const pid = child.pid ?? 0
  return {
    url,
    pid,
    cpuMicros: () => cpuMicrosOf(pid),
    residentKb: () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]),
    async stop () {
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
    }
  }
}

/**
 * Fields 14 and 15, in hundredths of a second on Linux; see proc_pid_stat(5).
 *
 * @param pid  or `pid/task/tid` of one thread
 */
export function cpuMicrosOf (pid: number | string): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10_000
}

/** This process calls, and holds model servers in itself: it stays off the core that is measured. */
export function pinOurselves (): void {
  if (canPin) execFileSync('taskset', ['-acp', '0', String(process.pid)], { stdio: 'ignore' })
}

export function has (program: string): boolean {
  try {
    execFileSync('sh', ['-c', 'command -v "$0"', program], { stdio: 'ignore' })
    return true
  } catch { return false }
}

/**
 * Installs Debian packages whose programs are missing.
 * @throws Error that says what to install where this may not be done
 */
export function needPrograms (programs: readonly string[]): void {
  const missing = programs.filter(program => !has(program))
  if (missing.length === 0) return
  if (process.getuid?.() !== 0 || !has('apt-get')) {
    throw new Error(`This bench needs ${missing.join(' and ')}: apt-get install ${missing.join(' ')}`)
  }
  process.stderr.write(`installing ${missing.join(', ')} …\n`)
  execFileSync('apt-get', ['install', '-y', '--no-install-recommends', ...missing], { stdio: 'ignore' })
}
