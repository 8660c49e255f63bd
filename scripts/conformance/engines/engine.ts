/** A server process of an engine: started on a free port, ready when it answers, ended with us. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, open, readFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { request } from 'undici'
import { endWithUs } from '../../../shared/testing/children.ts'

const ownEnv = process.env
const startMaxMs = 10 * 60_000
const endMaxMs = 15_000

export interface Engine {
  url: string
  model: string
  version: string
  contextLength: number
  close: () => Promise<void>
}

/** Where engines are kept: `VIVA_CACHE`, else the user's cache folder. */
export const cacheFolder = process.env.VIVA_CACHE ??
  join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'viva')

export interface Process {
  name: string
  command: string
  arguments: readonly string[]
  env?: Record<string, string>
  url: string
}

/**
 * Starts a server and waits until `/health` answers 200; what it writes goes to a file.
 *
 * @throws Error with the last lines of its log when it ends, or is not ready after ten minutes
 */
export async function startProcess (process: Process): Promise<() => Promise<void>> {
  const { name, command, arguments: args, env, url } = process
  const logPath = join(cacheFolder, 'conformance', `${name}.log`)
  await mkdir(dirname(logPath), { recursive: true })
  const log = await open(logPath, 'w')
  const child = spawn(command, [...args], { stdio: ['ignore', log.fd, log.fd], env: { ...ownEnv, ...env } })
  const ended = once(child, 'exit').catch((cause: unknown) => [cause])
  endWithUs(child)
  const deadline = performance.now() + startMaxMs
  const end = async (): Promise<void> => {
    child.kill('SIGTERM')
    const forced = setTimeout(() => { child.kill('SIGKILL') }, endMaxMs)
    await ended
    clearTimeout(forced)
    await log.close()
  }
  for (;;) {
    const state = await Promise.race([ended.then(() => 'ended'), isHealthy(url)])
    if (state === 'healthy') return end
    if (state === 'ended' || performance.now() > deadline) {
      await end()
      const said = (await readFile(logPath, 'utf8')).trim().split('\n').slice(-15).join('\n')
      throw new Error(`${name} ${state === 'ended' ? 'ended before it was ready' : 'was not ready in time'}; its log is ${logPath}:\n${said}`)
    }
    await wait(500)
  }
}

async function isHealthy (url: string): Promise<'healthy' | 'not yet'> {
  try {
    const { statusCode, body } = await request(`${url}/health`, { headersTimeout: 2000 })
    await body.dump()
    return statusCode === 200 ? 'healthy' : 'not yet'
  } catch { return 'not yet' }
}
