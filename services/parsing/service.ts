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
      const pool = parserPool({
        modulePath: parserModule,
        size: processesOf(config),
        documentsMax: config.PARSING_DOCUMENTS_PER_PROCESS,
        timeoutMs: config.PARSING_TIMEOUT_MS,
        memoryBytesMax: config.PARSING_MEMORY_MB * mebibyte,
        outputBytesMax: config.PARSING_OUTPUT_MB * mebibyte,
        limits: {
          pagesMax: config.PARSING_PAGES_MAX,
          wasmBytesMax: (config.PARSING_MEMORY_MB - besideWasmMb) * mebibyte
        }
      })
      const jobs = await worker.define<PaperSpec, null>({
        name: 'paper',
        // Who waits for an engine needs no parser meanwhile.
        concurrency: pool.size + 2 * engines.names.length,
        plan: async () => [{ key: 'parse', input: null }],
        perform: async (_, job, signal) => {
          await parsePaper({ papers, blobs, pool, engines, ownVersion }, job, signal)
        }
      })
      routes(app, {
        papers,
        jobs,
        blobs,
        pool,
        ownVersion,
        engines,
        uploadBytesMax: config.PARSING_UPLOAD_MB * mebibyte,
        fetching: { allowed: parseAllowed(config.FETCH_ALLOW), timeoutMs: fetchTimeoutMs }
      })
      return { close: async () => { await Promise.all([pool.close(), engines.close()]) } }
    }
  })
}

export const parsing = parsingWith(fileURLToPath(new URL('parse.ts', import.meta.url)))
