/**
 * A warm pool of parser processes: one paper per process at a time, never more processes than
 * `size`. A process starts when there is work (or is about to be: `warm`), is kept for the next
 * paper and let go after a quiet minute, so an idle service holds none.
 *
 * A process serves several papers, because starting one costs as much as parsing a short paper.
 * Nothing of a paper outlives its answer (the engine is given a fresh heap each time), and after any
 * failure, and after `documentsMax` papers, the process is replaced all the same.
 */
import { Problem } from '../../../shared/errors/problem.ts'
import type { PageView } from '../parser.ts'
import type { Limits, PaperToParse, Parsed, Request } from './messages.ts'
import { startParserProcess, type Answer, type ParserProcess, type ProcessLimits } from './parser-process.ts'
import { takingTurns } from './turns.ts'

export interface PoolOptions extends ProcessLimits {
  /** Path of the module that implements `Parser`. */
  modulePath: string
  size: number
  documentsMax: number
  limits: Limits
  /** How long a process is kept with nothing to do; default one minute. */
  idleMs?: number
}

export interface ParserPool {
  parse: (
    bytes: Uint8Array, paper: PaperToParse, signal?: AbortSignal
  ) => Promise<Parsed>
  renderPage: (bytes: Uint8Array, page: number, view: PageView) => Promise<Uint8Array>
  /** Starts a process ahead of a paper that is on its way. */
  warm: () => void
  size: number
  /** Ends every process; what is running rejects. */
  close: () => Promise<void>
}

export function parserPool (options: PoolOptions): ParserPool {
  const { size, documentsMax, idleMs = 60_000 } = options
  const all = new Set<ParserProcess>()
  const idle: ParserProcess[] = []
  const turns = takingTurns(size)
  let closed = false
  let quiet: NodeJS.Timeout | undefined

  function start (): ParserProcess {
    const process = startParserProcess(options.modulePath, options)
    all.add(process)
    // Awaited by whoever takes it; a process that nobody takes must not become an unhandled rejection.
    process.ready.catch(() => all.delete(process))
    return process
  }

  function giveBack (process: ParserProcess): void {
    const answered = process.answered()
    if (answered !== undefined && answered < documentsMax && !closed) idle.push(process)
    else void retire(process)
    clearTimeout(quiet)
    quiet = setTimeout(() => { for (const unused of idle.splice(0)) void retire(unused) }, idleMs).unref()
  }

  async function retire (process: ParserProcess): Promise<void> {
    all.delete(process)
    await process.end()
  }

  function take (): ParserProcess {
    for (let process = idle.pop(); process !== undefined; process = idle.pop()) {
      if (process.answered() !== undefined) return process
      all.delete(process)
    }
    return start()
  }

  async function run (request: Request, signal?: AbortSignal): Promise<Answer> {
    await turns.take()
    try {
      if (closed) throw new Problem('shutting-down', 'The service is shutting down; try again in a while.')
      signal?.throwIfAborted()
      const process = take()
      try {
        await process.ready
        return await process.ask(request, signal)
      } finally {
        giveBack(process)
      }
    } finally {
      turns.give()
    }
  }

  return {
    size,
    async parse (bytes, paper, signal) {
      const answer = await run({ kind: 'parse', bytes, ...paper, limits: options.limits }, signal)
      if (answer.kind !== 'parsed') throw new Error('A parser process answered what was not asked')
      return answer
    },
    async renderPage (bytes, page, view) {
      const answer = await run({ kind: 'render', bytes, page, view })
      if (answer.kind !== 'rendered') throw new Error('A parser process answered what was not asked')
      return answer.bytes
    },
    warm () {
      if (closed || idle.length > 0 || all.size >= size) return
      giveBack(start())
    },
    async close () {
      closed = true
      clearTimeout(quiet)
      await Promise.all([...all].map(retire))
    }
  }
}
