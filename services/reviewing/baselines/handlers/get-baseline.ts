/** Partial-input baselines as they stand, counted from the store. */
import type { PartialInputBaseline } from '../../../../shared/contracts/partial-input.ts'
import { jobReader, type JobReader } from '../../../../shared/tasks/job-reader.ts'
import type { BaselineParts, BaselineSpec } from './parts.ts'

export function baselineReader (
  { jobs, baselines }: Pick<BaselineParts, 'jobs' | 'baselines'>
): JobReader<BaselineSpec, PartialInputBaseline> {
  return jobReader({
    name: 'partialInputBaseline',
    jobs,
    async viewOf ({ _id, spec }) {
      const view = await jobs.view(_id)
      const ended = view.state !== 'queued' && view.state !== 'running'
      return { id: _id, ...spec, ...view, report: ended ? await baselines.findReport(_id) : null }
    }
  })
}
