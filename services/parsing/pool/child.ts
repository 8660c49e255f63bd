/**
 * A parser process: loads the engine once, then does one request after another. It trusts nothing
 * in a paper and is trusted with nothing: it gets bytes and limits, has no store, no keys and no
 * environment worth reading, and is killed from outside when it takes too long.
 */
import { Worker } from 'node:worker_threads'
import { pathToFileURL } from 'node:url'
import { Problem } from '../../../shared/errors/problem.ts'
import type { Domain } from '../../../shared/contracts/domain.ts'
import type { PaperFormat } from '../../../shared/contracts/paper.ts'
import type { ParsedPaper, Parser } from '../parser.ts'
import { finishDocument } from '../domain/finish-document.ts'
import type { Reply, Request } from './messages.ts'

const [modulePath = '', memoryBytesMax = ''] = process.argv.slice(2)

const watchdog = new Worker(new URL('watchdog.mjs', import.meta.url), {
  execArgv: [], workerData: { parentPid: process.ppid, memoryBytesMax: Number(memoryBytesMax) }
})
watchdog.unref()
process.on('disconnect', () => process.exit())

const parser: Parser = await import(pathToFileURL(modulePath).href)

async function answer (request: Request): Promise<Reply> {
  if (request.kind === 'render') {
    return { kind: 'rendered', bytes: await parser.renderPage(request.bytes, request.page, request.view) }
  }
  const { kind: _, bytes, domain, ...options } = request
  const parsed = await parser.parsePaper(bytes, options)
  for (const image of parsed.images) await send({ kind: 'image', image })
  return parsedReply(parsed, { format: parsed.format ?? options.format, domain })
}

interface Known { format: PaperFormat, domain: Domain | undefined }

function parsedReply ({ document: draft, images }: ParsedPaper, { format, domain }: Known): Reply {
  const { document, json } = finishDocument(draft, domain)
  const stored = new Set(images.map(({ id }) => id))
  const lost = document.figures.find(({ imageId }) => imageId !== null && !stored.has(imageId))
  if (lost !== undefined) throw new Error(`The parser named image ${lost.imageId} and did not send it`)
  return {
    kind: 'parsed',
    json: Buffer.from(json),
    summary: {
      documentHash: document.documentHash,
      title: document.title,
      ...document.domain !== undefined && { domain: document.domain },
      warnings: document.warnings,
      parser: document.parser,
      pages: document.pages.length,
      figures: document.figures.map(({ id, imageId }) => ({ figureId: id, imageId })),
      format
    }
  }
}

function failure (cause: unknown): Reply {
  if (cause instanceof Problem) {
    return { kind: 'problem', problem: { kind: cause.kind, detail: cause.message } }
  }
  // The engine ran into the limit of its own memory, or aborted: the file's doing, not a bug of ours.
  if (cause instanceof WebAssembly.RuntimeError || isAllocationFailure(cause)) {
    return { kind: 'problem', problem: { kind: 'paper-too-complex', detail: 'Parsing this paper needs more memory than a paper may use (cause: memory). Reduce its images, or print it to a new PDF, and upload that.' } }
  }
  return { kind: 'bug', stack: cause instanceof Error ? cause.stack ?? cause.message : String(cause) }
}

function isAllocationFailure (cause: unknown): boolean {
  return cause instanceof RangeError && /allocation failed|array buffer/iu.test(cause.message)
}

async function send (reply: Reply): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    process.send?.(reply, (error: Error | null) => error === null ? resolve() : reject(error))
  })
}

process.on('message', (request: Request) => {
  void answer(request).catch(failure).then(send)
})
await send({ kind: 'ready' })
