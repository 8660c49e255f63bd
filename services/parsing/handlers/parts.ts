/** What handlers work with. */
import type { Blobs } from '../../../shared/blobs/blobs.ts'
import type { FetchRules } from '../../../shared/net/fetch-file.ts'
import type { Jobs } from '../../../shared/tasks/tasks.ts'
import type { ExternalEngines } from '../external/engines.ts'
import type { Extras } from '../parser.ts'
import type { ParserPool } from '../pool/pool.ts'
import type { PaperSpec, PaperStore } from '../store.ts'

export interface Parts {
  papers: PaperStore
  jobs: Jobs<PaperSpec>
  blobs: Blobs
  pool: ParserPool
  uploadBytesMax: number
  /** Version of the parser; see domain/reading.ts. */
  ownVersion: string
  /** Takes scans, one at a time, under limits of its own. */
  ocr: { pool: Pick<ParserPool, 'parse'>, options: NonNullable<Extras['ocr']> }
  /** Parsers of others. */
  engines: Pick<ExternalEngines, 'names' | 'ask'>
  /** For files that are fetched. */
  fetching: Omit<FetchRules, 'bytesMax'>
}
