/** Papers as they stand; one that was deleted answers so. */
import type { Paper } from '../../../shared/contracts/paper.ts'
import { Problem } from '../../../shared/errors/problem.ts'
import { jobReader, type JobReader, type ReadJobs } from '../../../shared/tasks/job-reader.ts'
import type { JobRecord } from '../../../shared/tasks/tasks.ts'
import { lifeIdOf, lifeOf } from '../domain/life.ts'
import { lifeNumber, type PaperSpec } from '../store.ts'
import type { Parts } from './parts.ts'

/** With the number of the life that the job is of. */
type Spec = PaperSpec & { life: number }

export function paperReader (parts: Pick<Parts, 'papers' | 'jobs'>): JobReader<Spec, Paper> {
  const { papers } = parts
  const jobs = jobsByPaper(parts)
  return jobReader({
    name: 'paper',
    jobs,
    mustBe: papers.present,
    async viewOf ({ _id, spec: { fileName, bytes, format, life } }) {
      // The state first: a paper seen as succeeded then has its document.
      const view = await jobs.view(_id)
      const paper = await papers.present(_id)
      if (lifeNumber(paper) !== life) throw new Problem('paper-deleted', `Paper ${_id} was deleted and has come back meanwhile.`)
      const { title, documentHash, warnings } = paper
      const found = paper.format ?? format
      return { id: _id, fileName, bytes, format: found, title, documentHash, warnings, ...view }
    }
  })
}

/** A job bears the id of a life; here it goes by that of the paper, for which its present life stands. */
function jobsByPaper ({ papers, jobs }: Pick<Parts, 'papers' | 'jobs'>): ReadJobs<Spec> {
  const idOf = async (paperId: string) => lifeIdOf({ paperId, life: lifeNumber(await papers.find(paperId)) })
  const ofPaper = ({ spec, ...job }: JobRecord<PaperSpec>): JobRecord<Spec> => {
    const { paperId, life } = lifeOf(job._id)
    return { ...job, _id: paperId, spec: { ...spec, life } }
  }
  return {
    async find (paperId) {
      const job = await jobs.find(await idOf(paperId))
      return job === undefined ? undefined : ofPaper(job)
    },
    async list ({ after, limit }) {
      // After every life of that paper.
      const found = await jobs.list({ limit, ...after !== undefined && { after: `${after}~` } })
      return found.map(ofPaper)
    },
    view: async paperId => await jobs.view(await idOf(paperId)),
    wait: async (paperId, timeoutMs) => { await jobs.wait(await idOf(paperId), timeoutMs) },
    cancel: async paperId => { await jobs.cancel(await idOf(paperId)) },
    retry: async paperId => await jobs.retry(await idOf(paperId))
  }
}
