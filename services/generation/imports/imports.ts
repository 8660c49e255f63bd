/** Puts imports together. The only file here that knows every part. */
import type { App } from '../../../shared/app/service.ts'
import type { Store } from '../../../shared/store/store.ts'
import type { Worker } from '../../../shared/tasks/tasks.ts'
import type { Config } from '../config.ts'
import { bankStore } from './bank-store.ts'
import { bankThread } from './bank-thread.ts'
import type { ImportParts, ImportSpec } from './parts.ts'
import { readImport } from './read-import.ts'
import { importRoutes } from './routes.ts'

interface Given extends Pick<ImportParts, 'items' | 'blobs' | 'parsing'> {
  app: App
  documents: Store
  worker: Worker
  config: Config
}

export async function startImports (
  { app, documents, worker, config, ...given }: Given
): Promise<{ jobs: ImportParts['jobs'], close: () => Promise<void> }> {
  const banks = await bankStore(documents)
  const thread = bankThread({ timeoutMs: config.GENERATION_IMPORT_TIMEOUT_MS })
  const parts = { ...given, banks, thread }
  const jobs = await worker.define<ImportSpec, null>({
    name: 'import',
    concurrency: 1,
    plan: async () => [{ key: 'bank', input: null }],
    perform: async (_, job, signal) => { await readImport(parts, job, signal) }
  })
  importRoutes(app, { ...parts, jobs })
  return { jobs, close: thread.close }
}
