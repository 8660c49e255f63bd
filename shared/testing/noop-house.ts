/** The noop service as real processes: replicas that share one embedded store, asked over HTTP. */
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Agent, request } from 'undici'
import { startBare } from './bare-process.ts'
import { readyUrl } from './children.ts'

const script = fileURLToPath(new URL('noop-service.ts', import.meta.url))

export interface Answer { status: number, body: any, retryAfter: string | undefined, ms: number }

export interface NoopProcess {
  url: string
  pid: number
  get: (path: string) => Promise<Answer>
  post: (path: string, body: object) => Promise<Answer>
  /** A figure of /metrics; 0 where there is none yet. */
  metric: (name: string, labels?: string) => Promise<number>
  /** Megabytes resident now. */
  residentMb: () => number
  /** Seconds of CPU spent since the start. */
  cpuSeconds: () => number
  /** SIGTERM; answers the exit code. */
  stop: () => Promise<number | null>
}

/** One replica; `env` are its settings, DATA_DIR above all. */
export async function startNoop (env: Record<string, string>): Promise<NoopProcess> {
  const settings = { PORT: '0', LOG_LEVEL: 'error', RATE_PER_MINUTE: '0', ...env }
  const child = startBare(['--import', 'tsx', script], settings)
  const exited = once(child, 'exit')
  const url = await readyUrl(child.stdout)
  if (url === undefined) throw new Error('The process ended before it listened; its standard error says why')
  const pid = child.pid ?? 0
  const agent = new Agent({ connections: 128 })

  async function ask (path: string, body?: object): Promise<Answer> {
    const began = performance.now()
    const answer = await request(`${url}${path}`, {
      dispatcher: agent,
      headersTimeout: 90_000,
      ...body !== undefined && {
        method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' }
      }
    })
    const text = await answer.body.text()
    const isJson = String(answer.headers['content-type']).includes('json')
    return {
      status: answer.statusCode,
      body: isJson ? JSON.parse(text) : text,
      retryAfter: answer.headers['retry-after'] as string | undefined,
      ms: performance.now() - began
    }
  }

  return {
    url,
    pid,
    get: async path => await ask(path),
    post: async (path, body) => await ask(path, body),
    async metric (name, labels = '') {
      const { body } = await ask('/metrics')
      const line = String(body).split('\n').find(each => /^[\w:]+/.exec(each)?.[0] === name && each.includes(labels))
      return Number(line?.slice(line.lastIndexOf(' ')) ?? 0)
    },
    residentMb: () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024,
    cpuSeconds () {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
      // Fields 14 and 15, in hundredths on Linux; see proc_pid_stat(5).
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      return (Number(fields[11]) + Number(fields[12])) / 100
    },
    async stop () {
      child.kill('SIGTERM')
      const [code] = await exited as [number | null]
      await agent.destroy()
      return code
    }
  }
}
