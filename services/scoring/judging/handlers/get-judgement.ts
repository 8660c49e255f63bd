/** Judgements as they stand, counted from the store. */
import type { Judgement } from '../../../../shared/contracts/judgement.ts'
import { jobReader, type JobReader } from '../../../../shared/tasks/job-reader.ts'
import type { JudgementSpec } from '../domain/spec.ts'
import type { JudgementParts } from './parts.ts'

type ReadParts = Pick<JudgementParts, 'jobs' | 'judging'>

export function judgementReader ({ jobs, judging }: ReadParts): JobReader<JudgementSpec, Judgement> {
  return jobReader({
    name: 'judgement',
    jobs,
    async viewOf ({ _id, spec }) {
      const [view, outcomes] = await Promise.all([jobs.view(_id), judging.countOutcomes(_id)])
      return { id: _id, ...spec, ...view, outcomes }
    }
  })
}
