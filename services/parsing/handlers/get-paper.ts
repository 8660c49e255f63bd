/** Papers as they stand; one that was deleted answers so. */
import type { Paper } from '../../../shared/contracts/paper.ts'
import { jobReader, type JobReader } from '../../../shared/tasks/job-reader.ts'
import type { PaperSpec } from '../store.ts'
import type { Parts } from './parts.ts'

export function paperReader ({ papers, jobs }: Parts): JobReader<PaperSpec, Paper> {
  return jobReader({
    name: 'paper',
    jobs,
    mustBe: papers.present,
    async viewOf ({ _id, spec: { fileName, bytes, format } }) {
      // The state first: a paper seen as succeeded then has its document.
      const view = await jobs.view(_id)
      const { title, documentHash, warnings } = await papers.present(_id)
      return { id: _id, fileName, bytes, format, title, documentHash, warnings, ...view }
    }
  })
}
