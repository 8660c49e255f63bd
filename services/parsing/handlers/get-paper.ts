/** Papers as they stand; one that was deleted answers so. */
import type { Paper } from '../../../shared/contracts/paper.ts'
import { Problem } from '../../../shared/errors/problem.ts'
import { jobReader, type JobReader, type ReadJobs } from '../../../shared/tasks/job-reader.ts'
import type { JobRecord } from '../../../shared/tasks/tasks.ts'
import { lifeOf } from '../domain/life.ts'
import { lifeNumber, readingIds, type PaperDoc, type PaperSpec } from '../store.ts'
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
      const shown = await papers.shown(paper)
      const { title, documentHash, warnings } = shown
      const found = shown.format ?? format
      return { id: _id, fileName, bytes, format: found, title, documentHash, warnings, ...view }
    }
  })
}

/**
 * A job bears the id of a reading; here it goes by that of the paper, which stands for the reading of
 * its present life that was asked for last.
 */
function jobsByPaper ({ papers, jobs }: Pick<Parts, 'papers' | 'jobs'>): ReadJobs<Spec> {
  async function jobOf (paper: PaperDoc | undefined): Promise<JobRecord<PaperSpec> | undefined> {
    if (paper === undefined) return undefined
    for (const id of readingIds(paper)) {
      const job = await jobs.find(id)
      // The reading may be noted whose job is not open yet.
      if (job !== undefined) return job
    }
  }
  const idOf = async (paperId: string) => {
    const paper = await papers.find(paperId)
    return (await jobOf(paper))?._id ?? paperId
  }
  const ofPaper = ({ spec, ...job }: JobRecord<PaperSpec>): JobRecord<Spec> => {
    const { paperId, life } = lifeOf(job._id)
    return { ...job, _id: paperId, spec: { ...spec, life } }
  }
  return {
    async find (paperId) {
      const job = await jobOf(await papers.find(paperId))
      return job === undefined ? undefined : ofPaper(job)
    },
    async list ({ after, limit }) {
      const found: Array<JobRecord<Spec>> = []
      for (let last = after; found.length < limit;) {
        const some = await papers.list({ limit, ...last !== undefined && { after: last } })
        const jobs = await Promise.all(some.map(jobOf))
        found.push(...jobs.filter(job => job !== undefined).map(ofPaper))
        if (some.length < limit) break
        last = some.at(-1)?._id
      }
      return found.slice(0, limit)
    },
    view: async paperId => await jobs.view(await idOf(paperId)),
    wait: async (paperId, timeoutMs) => { await jobs.wait(await idOf(paperId), timeoutMs) },
    cancel: async paperId => { await jobs.cancel(await idOf(paperId)) },
    retry: async paperId => await jobs.retry(await idOf(paperId))
  }
}
