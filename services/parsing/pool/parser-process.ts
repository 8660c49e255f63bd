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

export type Answer = ({ kind: 'parsed' } & Parsed) | Extract<Reply, { kind: 'rendered' }>
type Told = Extract<Reply, { kind: 'problem' }>

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
  const child = forkParser(modulePath, limits)
  let lastWords = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    lastWords = (lastWords + text).slice(-lastWordsMax)
  })
  let count: number | undefined = 0
  let stoppedBy: unknown
  const closed = new Promise<string>(resolve => {
    child.once('error', error => resolve(error.message))
    child.once('close', (code, signal) => resolve(signal ?? `exit code ${code}`))
  })
  void closed.then(() => { count = undefined })
  const stop = (reason?: unknown) => {
    count = undefined
    stoppedBy ??= reason
    child.kill('SIGKILL')
  }
  const ready = readyOf(child, { closed, words: () => lastWords, stop })

  async function ask (request: Request, signal?: AbortSignal): Promise<Answer> {
    const timer = setTimeout(() => {
      stop(tooComplex('time', `took longer than ${limits.timeoutMs / 1_000} s`))
    }, limits.timeoutMs)
    const abort = () => stop(signal?.reason)
    signal?.addEventListener('abort', abort, { once: true })
    if (signal?.aborted === true) abort()
    try {
      const ended = closed.then(how => { throw stoppedBy ?? crash(how, lastWords) })
      const answer = await Promise.race([answerOf(child, request, { limits, stop }), ended])
      if (count !== undefined) count++
      if (answer.kind === 'problem') throw new Problem(answer.problem.kind, answer.problem.detail)
      return answer
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener('abort', abort)
    }
  }
  return { ready, ask, answered: () => count, end: async () => { stop(); await closed } }
}

function forkParser (modulePath: string, { memoryBytesMax }: ProcessLimits): ChildProcess {
  const program = fileURLToPath(new URL('child.ts', import.meta.url))
  return fork(program, [modulePath, String(memoryBytesMax)], {
    // Resolved here: the working directory of whoever started us need not be ours.
    execArgv: [
      '--import', pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href,
      `--max-old-space-size=${Math.ceil(memoryBytesMax / 2 ** 20)}`
    ],
    env: environmentOf(process.env),
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc']
  })
}

interface Asking { limits: ProcessLimits, stop: (reason?: unknown) => void }

/**
 * What the child answers to one request; never settles when the child ends instead. A bug ends the
 * child: the next paper gets one that is not half way through something.
 */
async function answerOf (
  child: ChildProcess, request: Request, { limits, stop }: Asking
): Promise<Answer | Told> {
  const images: Image[] = []
  let outputBytes = 0
  return await new Promise((resolve, reject) => {
    const take = (reply: Reply) => {
      outputBytes += bytesOf(reply)
      if (outputBytes > limits.outputBytesMax) {
        stop(tooComplex('output', `gave more than ${Math.round(limits.outputBytesMax / 2 ** 20)} MB`))
      } else if (reply.kind === 'image') {
        images.push(reply.image)
      } else {
        child.off('message', take)
        if (reply.kind === 'parsed') resolve({ ...reply, images })
        else if (reply.kind !== 'bug') resolve(reply as Answer | Told)
        else {
          stop()
          reject(new Error(`The parser has a bug: ${reply.stack}`))
        }
      }
    }
    child.on('message', take)
    child.send(request, error => { if (error !== null) stop() })
  })
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
