/** Imports as they stand. */
import type { BankImport } from '../../../shared/contracts/bank.ts'
import { canonicalJson } from '../../../shared/contracts/hash.ts'
import { Problem } from '../../../shared/errors/problem.ts'
import { jobReader, type JobReader } from '../../../shared/tasks/job-reader.ts'
import { noCounts } from './domain/tally.ts'
import type { ImportParts, ImportSpec } from './parts.ts'

export function importReader ({ jobs, banks }: Pick<ImportParts, 'jobs' | 'banks'>): JobReader<ImportSpec, BankImport> {
  return jobReader({
    name: 'bankImport',
    jobs,
    async viewOf ({ _id, spec }) {
      // The state first: an import seen as ended then has its counts.
      const view = await jobs.view(_id)
      const { fileName, options } = spec
      const summary = await banks.findSummary(_id) ??
        { format: options.format ?? null, answerBase: null, answerBaseBy: 'none' as const, ...noCounts() }
      return { id: _id, name: options.name ?? fileName, ...spec, ...summary, ...view }
    }
  })
}

const pageItems = 200

/** As lines of JSON in the order of the file, a page of the store at a time. */
export async function * bankItemLines ({ items }: Pick<ImportParts, 'items'>, importId: string): AsyncGenerator<string> {
  let cursor: string | undefined
  do {
    const page = await items.listItems({ importId, limit: pageItems, ...cursor !== undefined && { cursor } })
    if (page.items.length > 0) yield page.items.map(item => `${canonicalJson(item)}\n`).join('')
    cursor = page.nextCursor ?? undefined
  } while (cursor !== undefined)
}

/** @throws Problem image-not-found for what is no image of a bank, other files among them */
export async function bankImage ({ banks, blobs }: Pick<ImportParts, 'banks' | 'blobs'>, imageId: string) {
  const found = await banks.findImage(imageId)
  if (found === undefined) throw new Problem('image-not-found', `There is no image ${imageId}; items of imports name those there are.`)
  const content = await blobs.stream(imageId)
  if (content === undefined) throw new Error(`Blob ${imageId} of an image is gone`)
  return { ...found, content }
}
