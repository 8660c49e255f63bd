/** Reviewings as they stand, counted from the store. */
import { verdicts, type Reviewing, type Verdict } from '../../../shared/contracts/review.ts'
import { jobReader, type JobReader } from '../../../shared/tasks/job-reader.ts'
import type { Jobs } from '../../../shared/tasks/tasks.ts'
import type { ReviewingStore } from '../store.ts'
import type { ReviewingSpec } from './review-paper.ts'

export interface ReadParts { jobs: Jobs<ReviewingSpec>, store: ReviewingStore }

export function reviewingReader ({ jobs, store }: ReadParts): JobReader<ReviewingSpec, Reviewing> {
  return jobReader({
    name: 'reviewing',
    jobs,
    async viewOf ({ _id, spec: { source, recipe } }) {
      const [view, counts, ineligibleCount] = await Promise.all([
        jobs.view(_id),
        store.countByVerdict(_id),
        store.countReviewedItems({ reviewingId: _id, eligible: false })
      ])
      const [unreviewedReasons, roundCounts, rewriteCounts] = await Promise.all([
        store.countByUnreviewed(_id),
        store.countByRounds(_id),
        store.countRewrites(_id)
      ])
      const verdictCounts = Object.fromEntries(
        verdicts.map(verdict => [verdict, counts[verdict] ?? 0])) as Record<Verdict, number>
      const found = { verdictCounts, ineligibleCount, unreviewedReasons, roundCounts, rewriteCounts }
      return { id: _id, source, recipe, ...view, ...found }
    }
  })
}
