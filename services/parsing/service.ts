/** Puts parsing together. The only file here that knows every part. */
import { fileURLToPath } from 'node:url'
import { defineService } from '../../shared/app/service.ts'
import { parseAllowed } from '../../shared/net/addresses.ts'
import { Config, processesOf } from './config.ts'
import { parserVersion } from './parser-version.ts'
import { parseEngines } from './domain/external-engine.ts'
import type { TalkOptions } from './external/ask-engine.ts'
import { externalEngines } from './external/engines.ts'
import { parsePaper } from './handlers/parse-paper.ts'
import { parserPool } from './pool/pool.ts'
import { routes } from './routes.ts'
import { paperStore, type PaperSpec } from './store.ts'

const mebibyte = 2 ** 20
/** Node, our code and the document being built, beside the engine's own memory. */
const besideWasmMb = 144
/** A caller waits for it, and gives up at about twice that. */
const fetchTimeoutMs = 30_000

interface Options {
  /** Of the parser in the module; ours when absent. */
  ownVersion?: string
  /** How to wait for an external engine. */
  sleep?: TalkOptions['sleep']
}

/**
 * @param parserModule path of a module that implements `Parser`; tests bring worse ones than ours
 */
export function parsingWith (parserModule: string, options: Options = {}) {
  const { ownVersion = parserVersion } = options
  return defineService({
    name: 'parsing',
    config: Config,
    summary: 'Upload papers; get structured documents and figures.',
    async start ({ app, config, store, blobs, worker }) {
      const papers = await paperStore(store, blobs)
      const engines = externalEngines(parseEngines(config.PARSER_ENGINES), {
        secret: name => process.env[name], ...options
      })
      const { pool, ocr } = poolsOf(parserModule, config)
      const jobs = await worker.define<PaperSpec, null>({
        name: 'paper',
        // A scan has a process of its own, and who waits for an engine needs none meanwhile.
        concurrency: pool.size + 1 + 2 * engines.names.length,
        plan: async () => [{ key: 'parse', input: null }],
        perform: async (_, job, signal) => {
          await parsePaper({ papers, blobs, pool, ocr, engines, ownVersion }, job, signal)
        }
      })
      routes(app, {
        papers,
        jobs,
        blobs,
        pool,
        ocr,
        ownVersion,
        engines,
        uploadBytesMax: config.PARSING_UPLOAD_MB * mebibyte,
        fetching: { allowed: parseAllowed(config.FETCH_ALLOW), timeoutMs: fetchTimeoutMs }
      })
      return { close: async () => { await Promise.all([pool.close(), ocr.pool.close(), engines.close()]) } }
    }
  })
}

/** One for most papers, and one of a single process for scans, which take longer and more memory. */
function poolsOf (modulePath: string, config: Config) {
  const common = {
    modulePath,
    documentsMax: config.PARSING_DOCUMENTS_PER_PROCESS,
    outputBytesMax: config.PARSING_OUTPUT_MB * mebibyte,
    limits: {
      pagesMax: config.PARSING_PAGES_MAX,
      wasmBytesMax: (config.PARSING_MEMORY_MB - besideWasmMb) * mebibyte
    }
  }
  const pool = parserPool({
    ...common,
    size: processesOf(config),
    timeoutMs: config.PARSING_TIMEOUT_MS,
    memoryBytesMax: config.PARSING_MEMORY_MB * mebibyte
  })
  const forScans = parserPool({
    ...common,
    size: 1,
    // Memory of WebAssembly never shrinks: each scan gets a fresh process.
    documentsMax: 1,
    timeoutMs: config.PARSING_OCR_TIMEOUT_MS,
    memoryBytesMax: config.PARSING_OCR_MEMORY_MB * mebibyte
  })
  const options = { pagesMax: config.PARSING_OCR_PAGES_MAX, languages: config.PARSING_OCR_LANGUAGES }
  return { pool, ocr: { pool: forScans, options } }
}

export const parsing = parsingWith(fileURLToPath(new URL('parse.ts', import.meta.url)))
