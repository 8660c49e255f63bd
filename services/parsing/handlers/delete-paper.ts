/** Takes a paper and everything made of it away. */
import { Problem } from '../../../shared/errors/problem.ts'
import { paperReader } from './get-paper.ts'
import type { Parts } from './parts.ts'

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
    await paperReader(parts).job(paperId)
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
