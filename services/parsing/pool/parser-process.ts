/** One parser process as its parent sees it: started, ready, asked one thing at a time, ended. */
import { fork, type ChildProcess } from 'node:child_process'
import { createRequire } from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { Problem } from '../../../shared/errors/problem.ts'
import type { Image, Parsed, Reply, Request } from './messages.ts'

export interface ProcessLimits {
  timeoutMs: number
  memoryBytesMax: number
  outputBytesMax: number
}

export type Answer = Parsed | { bytes: Uint8Array }

export interface ParserProcess {
  /** Resolves once the engine is loaded; rejects if it never is. */
  ready: Promise<void>
  /** Rejects with a Problem when the paper, and with an Error when we are to blame. */
  ask: (request: Request, signal?: AbortSignal) => Promise<Answer>
  /** Answers given; undefined once the process has ended or must not be used again. */
  answered: () => number | undefined
  end: () => Promise<void>
}

const startTimeoutMs = 30_000
const lastWordsMax = 4_000

export function startParserProcess (modulePath: string, limits: ProcessLimits): ParserProcess {
  const child = fork(fileURLToPath(new URL('child.ts', import.meta.url)), [modulePath, String(limits.memoryBytesMax)], {
    // Resolved here: the working directory of whoever started us need not be ours.
    execArgv: [
      '--import', pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href,
      `--max-old-space-size=${Math.ceil(limits.memoryBytesMax / 2 ** 20)}`
    ],
    env: environmentOf(process.env),
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc']
  })
  let lastWords = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => { lastWords = (lastWords + text).slice(-lastWordsMax) })
  let count: number | undefined = 0
  let endedBy: Problem | undefined
  const closed = new Promise<string>(resolve => {
    child.once('error', error => resolve(error.message))
    child.once('close', (code, signal) => resolve(signal ?? `exit code ${code}`))
  })
  void closed.then(() => { count = undefined })
  const stop = (problem?: Problem) => {
    count = undefined
    endedBy ??= problem
    child.kill('SIGKILL')
  }
  const ready = readyOf(child, { closed, words: () => lastWords, stop })

  async function ask (request: Request, signal?: AbortSignal): Promise<Answer> {
    const images: Image[] = []
    let outputBytes = 0
    let told = false
    const timer = setTimeout(() => stop(tooComplex('time', `took longer than ${limits.timeoutMs / 1_000} s`)), limits.timeoutMs)
    const abort = () => stop()
    signal?.addEventListener('abort', abort, { once: true })
    try {
      return await new Promise<Answer>((resolve, reject) => {
        child.removeAllListeners('message')
        child.on('message', (reply: Reply) => {
          outputBytes += bytesOf(reply)
          told = reply.kind === 'problem'
          if (outputBytes > limits.outputBytesMax) {
            stop(tooComplex('output', `gave more than ${Math.round(limits.outputBytesMax / 2 ** 20)} MB`))
          } else if (reply.kind === 'image') images.push(reply.image)
          else settle(reply, images, { resolve, reject })
        })
        void closed.then(how => reject(signal?.aborted === true ? signal.reason : endedBy ?? crash(how, lastWords)))
        child.send(request, error => { if (error !== null) stop() })
        if (signal?.aborted === true) stop()
      })
    } catch (cause) {
      // Whatever went wrong, the next paper gets a process that has not seen it; a problem that the
      // parser itself told of is no failure of the process.
      if (!told) stop()
      throw cause
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener('abort', abort)
      if (count !== undefined) count++
    }
  }
  return { ready, ask, answered: () => count, end: async () => { stop(); await closed } }
}

interface Starting { closed: Promise<string>, words: () => string, stop: () => void }

async function readyOf (child: ChildProcess, { closed, words, stop }: Starting): Promise<void> {
  const timer = setTimeout(stop, startTimeoutMs)
  const failed = closed.then(how => {
    throw new Problem('service-unavailable', 'The parser could not be started; the log of the service says more.', {
      cause: new Error(`A parser process ended before it was ready (${how}): ${words()}`)
    })
  })
  const said = new Promise<void>(resolve => child.once('message', () => resolve()))
  await Promise.race([said, failed]).finally(() => clearTimeout(timer))
  // Its end is expected from now on.
  failed.catch(() => undefined)
}

interface Promised { resolve: (answer: Answer) => void, reject: (cause: unknown) => void }

function settle (reply: Reply, images: Image[], { resolve, reject }: Promised): void {
  if (reply.kind === 'parsed') resolve({ json: reply.json, summary: reply.summary, images })
  else if (reply.kind === 'rendered') resolve({ bytes: reply.bytes })
  else if (reply.kind === 'problem') reject(new Problem(reply.problem.kind, reply.problem.detail))
  else if (reply.kind === 'bug') reject(new Error(`The parser has a bug: ${reply.stack}`))
}

function bytesOf (reply: Reply): number {
  if (reply.kind === 'image') return reply.image.bytes.byteLength
  if (reply.kind === 'parsed') return reply.json.byteLength
  return reply.kind === 'rendered' ? reply.bytes.byteLength : 0
}

function tooComplex (cause: string, what: string): Problem {
  return new Problem('paper-too-complex', `Parsing this paper ${what} and was stopped (cause: ${cause}). Print it to a new PDF, or split it, and upload that.`)
}

function crash (how: string, lastWords: string): Problem {
  if (/viva: memory limit|heap out of memory/u.test(lastWords)) {
    return tooComplex('memory', 'took more memory than a paper may use')
  }
  return new Problem('paper-too-complex', `The parser ended unexpectedly on this paper (cause: crash, ${how}). Print it to a new PDF and upload that.`, { cause: new Error(lastWords) })
}

/** What a program needs to run at all; no setting and no key of ours. */
function environmentOf (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const names = ['PATH', 'HOME', 'TMPDIR', 'TEMP', 'TMP', 'SystemRoot', 'USERPROFILE']
  return Object.fromEntries(names.filter(name => env[name] !== undefined).map(name => [name, env[name]]))
}
