/** Curations as they stand, and their items as lines of JSON. */
import type { Curation } from '../../../../shared/contracts/curation.ts'
import { canonicalJson } from '../../../../shared/contracts/hash.ts'
import { jobReader, type JobReader } from '../../../../shared/tasks/job-reader.ts'
import type { CurationParts, CurationSpec } from './parts.ts'

export function curationReader ({ jobs, curations }: Pick<CurationParts, 'jobs' | 'curations'>): JobReader<CurationSpec, Curation> {
  return jobReader({
    name: 'curation',
    jobs,
    async viewOf ({ _id, spec: { source, steps, except, seed } }) {
      // The state first: a curation seen as ended has what it came to.
      const view = await jobs.view(_id)
      const outcome = await curations.findOutcome(_id)
      const none = { sourceCount: 0, itemCount: 0, stepCounts: [], findings: [] }
      return { id: _id, source, steps, ...except.length > 0 && { except }, seed, ...outcome ?? none, ...view }
    }
  })
}

const pageItems = 200

export async function * curatedLines (
  { curations }: Pick<CurationParts, 'curations'>, curationId: string
): AsyncGenerator<string> {
  let cursor: string | undefined
  do {
    const from = cursor === undefined ? {} : { cursor }
    const page = await curations.listItems({ curationId, limit: pageItems, ...from })
    if (page.items.length > 0) yield page.items.map(item => `${canonicalJson(item)}\n`).join('')
    cursor = page.nextCursor ?? undefined
  } while (cursor !== undefined)
}
