/** Runs as they stand, counted from the store. */
import type { Run } from '../../../shared/contracts/run.ts'
import { jobReader, type JobReader } from '../../../shared/tasks/job-reader.ts'
import type { RunSpec } from '../domain/plan.ts'
import type { Parts } from './parts.ts'

export function runReader ({ jobs, store }: Pick<Parts, 'jobs' | 'store'>): JobReader<RunSpec, Run> {
  return jobReader({
    name: 'run',
    jobs,
    async viewOf ({ _id, spec: { benchmarkId, model, condition, prompts, vision, rescoredFrom, sitting } }) {
      const [view, outcomes, variantOf] = await Promise.all([
        jobs.view(_id), store.countOutcomes(_id), store.variantsOf(_id)
      ])
      return {
        id: _id,
        benchmarkId,
        model,
        condition,
        prompts,
        vision,
        ...view,
        outcomes,
        variantOf,
        ...rescoredFrom !== undefined && { rescoredFrom },
        ...sitting !== undefined && { sitting }
      }
    }
  })
}
