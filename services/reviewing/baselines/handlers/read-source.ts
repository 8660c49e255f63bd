/** The items that are asked about: of a finished reviewing, or of a benchmark. */
import type { BenchmarkItem } from '../../../../shared/contracts/benchmark.ts'
import type { Item } from '../../../../shared/contracts/item.ts'
import type { PartialInputRequest } from '../../../../shared/contracts/partial-input.ts'
import { Problem } from '../../../../shared/errors/problem.ts'
import { reviewingReader } from '../../handlers/get-reviewing.ts'
import type { BaselineParts } from './parts.ts'

/** All verdicts rest on all items together: they are in memory at the end. */
export const itemsMax = 5_000

type Asked = Pick<PartialInputRequest, 'source' | 'kinds' | 'verdicts'>
type SourceParts = Pick<BaselineParts, 'store' | 'reviewings'>

/**
 * In ascending id.
 *
 * @throws Problem not-finished; not-computable where there is none, or beyond 5,000
 */
export async function readSource (parts: SourceParts, { source, kinds, verdicts }: Asked): Promise<Item[]> {
  const all = 'reviewingId' in source
    ? await ofReviewing(parts, source.reviewingId)
    : await ofBenchmark(parts, source.benchmarkId)
  const items = all.filter(({ item, verdict }) => kinds.includes(item.kind) && verdicts.includes(verdict))
    .map(({ item }) => item).sort((a, b) => a.id < b.id ? -1 : 1)
  if (items.length === 0) {
    throw new Problem('not-computable', `None of the ${all.length} items has a kind of ${kinds.join(', ')} and a verdict of ${verdicts.join(', ')}; ask for others.`)
  }
  if (items.length > itemsMax) {
    throw new Problem('not-computable', `A partial-input baseline takes at most ${itemsMax} items, and these are ${items.length}; ask for fewer kinds or verdicts.`)
  }
  return items
}

type Judged = Pick<BenchmarkItem, 'verdict'> & { item: Item }

/** What a benchmark may take: no check failed, and nobody has rejected it. */
async function ofReviewing ({ store, reviewings }: SourceParts, reviewingId: string): Promise<Judged[]> {
  await reviewingReader({ jobs: reviewings, store }).job(reviewingId)
  const { state } = await reviewings.view(reviewingId)
  if (state === 'queued' || state === 'running') {
    throw new Problem('not-finished', `Reviewing ${reviewingId} is ${state}; GET /v1/reviewings/${reviewingId}?wait=60 waits for it.`)
  }
  return (await store.allReviewedItems(reviewingId)).filter(({ eligible, decision }) => eligible && decision !== 'rejected')
}

async function ofBenchmark ({ store }: SourceParts, benchmarkId: string): Promise<Judged[]> {
  const all: Judged[] = []
  for (let cursor: string | undefined; ;) {
    const from = cursor === undefined ? {} : { cursor }
    const page = await store.listBenchmarkItems(benchmarkId, { limit: 200, ...from })
    for (const { verdict, generatorFamily, reviewerFamily, ...item } of page.items) {
      all.push({ verdict, item })
    }
    if (page.nextCursor === null) return all
    cursor = page.nextCursor
  }
}
