/** How diverse the items of a generation are, and what choosing among its drafts was worth. */
import type { GenerationDiversity } from '../../../shared/contracts/diversity.ts'
import { Problem } from '../../../shared/errors/problem.ts'
import { diversityOver, selectionOver } from '../../../shared/text/diversity/summary.ts'
import { generationReader } from './get-generation.ts'
import type { Parts } from './parts.ts'

/**
 * Found out when it ended; of one that ended before there was diversity, nothing is known and all is null.
 *
 * @throws Problem generation-not-found; not-finished while it is at work
 */
export async function getDiversity (
  { jobs, store }: Pick<Parts, 'jobs' | 'store'>, generationId: string
): Promise<GenerationDiversity> {
  await generationReader({ jobs, store }).job(generationId)
  const { state } = await jobs.view(generationId)
  if (state === 'queued' || state === 'running') {
    throw new Problem('not-finished', `Generation ${generationId} is ${state}; GET /v1/generations/${generationId}?wait=60 waits for it.`)
  }
  const papers = await store.listDiversities(generationId)
  return {
    generationId,
    ...diversityOver(papers),
    selection: selectionOver(papers),
    byPaper: papers.map(({ paperId, items, of, measures }) => ({ paperId, items, of, measures }))
  }
}
