import type { Paper } from '../../../shared/contracts/paper.ts'
import { Problem } from '../../../shared/errors/problem.ts'
import { getJob, getPaper } from './get-paper.ts'
import type { Parts } from './parts.ts'

export async function cancelPaper (parts: Parts, paperId: string): Promise<Paper> {
  await getJob(parts, paperId)
  await parts.jobs.cancel(paperId)
  return await getPaper(parts, paperId)
}

/** @throws Problem conflict when nothing failed */
export async function retryPaper (parts: Parts, paperId: string): Promise<Paper> {
  await getJob(parts, paperId)
  if (await parts.jobs.retry(paperId) === 0) {
    const { state } = await parts.jobs.view(paperId)
    throw new Problem('conflict', `Paper ${paperId} is ${state}: there is nothing to do again.`)
  }
  return await getPaper(parts, paperId)
}

/**
 * From the first write on the paper answers 410; the rest takes away what it had. Repeating it
 * finishes a deletion that a crash cut short.
 *
 * @throws Problem paper-not-found; paper-deleted when it is gone already
 */
export async function deletePaper (parts: Parts, paperId: string): Promise<void> {
  await parts.papers.alone(paperId, async () => await removeAll(parts, paperId))
}

async function removeAll (parts: Parts, paperId: string): Promise<void> {
  const { papers: { papers, purge }, jobs } = parts
  if ((await papers.find(paperId))?.presence !== 'deleting') {
    await getJob(parts, paperId)
    const ours = await papers.update(paperId, { presence: 'present' }, {
      $set: { presence: 'deleting', documentHash: null, title: null, warnings: [] }
    })
    if (!ours) throw new Problem('paper-deleted', `Paper ${paperId} was deleted by somebody else at the same time.`)
  }
  await jobs.cancel(paperId)
  await jobs.delete(paperId)
  await purge(paperId)
  await papers.update(paperId, { presence: 'deleting' }, { $set: { presence: 'deleted' } })
}
