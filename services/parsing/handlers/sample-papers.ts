import { Problem } from '../../../shared/errors/problem.ts'
import { samplePapers as sample, type Candidate, type Quotas, type Sampled } from '../domain/sample-papers.ts'
import type { Parts } from './parts.ts'

/** Papers that one sample is drawn from. */
export const candidatesMax = 5_000
const pageSize = 200

/**
 * Draws from the papers that are parsed here, or from those of them that are named. Changes nothing.
 *
 * @throws Problem invalid-request when there are too many papers to look at all
 */
export async function samplePapers (
  { papers }: Pick<Parts, 'papers'>, { paperIds, ...quotas }: Quotas & { paperIds?: readonly string[] }
): Promise<Sampled & { candidates: number }> {
  const named = paperIds === undefined ? undefined : new Set(paperIds)
  const candidates: Candidate[] = []
  for (let after: string | undefined; ;) {
    const some = await papers.list({ limit: pageSize, ...after !== undefined && { after } })
    for (const paper of some) {
      if (named?.has(paper._id) === false) continue
      const { domain, figures = 0 } = await papers.shown(paper)
      if (domain !== undefined) candidates.push({ paperId: paper._id, domain, figures })
    }
    if (candidates.length > candidatesMax) {
      throw new Problem('invalid-request', `A sample is drawn from ${candidatesMax} papers at most; name those in paperIds that it should be drawn from.`)
    }
    if (some.length < pageSize) break
    after = some.at(-1)?._id
  }
  return { ...sample(candidates, quotas), candidates: candidates.length }
}
