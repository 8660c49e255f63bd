/** Inference as a process that can be struck: on a folder that outlives it. */
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { readyUrl } from '../../../../shared/testing/children.ts'
import { rest } from '../calls.ts'
import { startPinned } from '../process.ts'
import { proxyEnv } from '../servers.ts'

const runner = fileURLToPath(new URL('../../../run.mjs', import.meta.url))
const garbageCollector = fileURLToPath(new URL('collect-garbage.mjs', import.meta.url))

export interface Struck {
  url: string
  residentMb: () => number
  /** Frees what nobody holds. */
  collectGarbage: () => Promise<void>
  /** @returns its exit code, or the signal that ended it, and after how long */
  strike: (signal: NodeJS.Signals) => Promise<{ ended: number | string, ms: number }>
}

export interface Starting {
  folder: string
  upstreams: ReadonlyArray<Record<string, unknown>>
  env?: Record<string, string>
}

/** Resolves when it listens. */
export async function startStruck ({ folder, upstreams, env = {} }: Starting): Promise<Struck> {
  const child = startPinned({
    core: 1,
    command: process.execPath,
    args: ['--expose-gc', `--import=${garbageCollector}`, runner, 'services/inference/main.ts'],
    env: { ...proxyEnv(folder, upstreams), ...env }
  })
  const url = await readyUrl(child.stdout!)
  if (url === undefined) throw new Error('inference ended before it listened; see above')
  return {
    url,
    residentMb: () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1024,
    async collectGarbage () {
      child.kill('SIGUSR2')
      await rest(1_000)
    },
    async strike (signal) {
      const began = performance.now()
      const ended = once(child, 'exit') as Promise<[number | null, string | null]>
      child.kill(signal)
      const [code, by] = await ended
      return { ended: code ?? by ?? '', ms: performance.now() - began }
    }
  }
}
