/** What came of a judgement, rating by rating, and what it comes to. */
import { Readable } from 'node:stream'
import type { Page, PageRequest } from '../../../../shared/contracts/page.ts'
import type { Rating } from '../../../../shared/contracts/judgement.ts'
import type { JudgementSummary } from '../../../../shared/contracts/judgement-summary.ts'
import type { Outcome } from '../../../../shared/contracts/run.ts'
import { Problem } from '../../../../shared/errors/problem.ts'
import { judgementReader } from './get-judgement.ts'
import type { JudgementParts } from './parts.ts'

type ReadParts = Pick<JudgementParts, 'jobs' | 'judging'>

export async function listRatings (
  parts: ReadParts, judgementId: string, page: PageRequest & { outcome?: Outcome }
): Promise<Page<Rating>> {
  await judgementReader(parts).job(judgementId)
  return await parts.judging.listRatings(judgementId, page)
}

/** One JSON object a line, in the benchmark's order; the same ratings are the same bytes. */
export async function readRatingsJsonl (parts: ReadParts, judgementId: string): Promise<Readable> {
  await judgementReader(parts).job(judgementId)
  return Readable.from(lines(parts, judgementId))
}

async function * lines ({ judging }: ReadParts, judgementId: string): AsyncGenerator<string> {
  for await (const some of judging.ratingsOf(judgementId)) {
    yield some.map(({ value }) => `${JSON.stringify(value)}\n`).join('')
  }
}

/** @throws Problem judgement-not-found; not-finished while it is at work */
export async function getSummary (parts: ReadParts, judgementId: string): Promise<JudgementSummary> {
  await mustHaveEnded(parts, judgementId)
  const summary = await parts.judging.findSummary(judgementId)
  if (summary === null) throw new Problem('not-finished', `The ratings of judgement ${judgementId} were not summed up; POST /v1/judgements/${judgementId}/retry does it.`)
  return summary
}

export async function mustHaveEnded (parts: ReadParts, judgementId: string): Promise<void> {
  await judgementReader(parts).job(judgementId)
  const { state } = await parts.jobs.view(judgementId)
  if (state === 'queued' || state === 'running') {
    throw new Problem('not-finished', `Judgement ${judgementId} is ${state}; GET /v1/judgements/${judgementId}?wait=60 waits for it.`)
  }
}
