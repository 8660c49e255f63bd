/** Finished baselines over the reviewings that a benchmark is made of. */
import type { BenchmarkRequest } from '../../../../shared/contracts/benchmark.ts'
import { Problem } from '../../../../shared/errors/problem.ts'
import type { Cited } from '../domain/card.ts'
import type { BaselineParts } from './parts.ts'

type CiteParts = Pick<BaselineParts, 'baselines' | 'jobs'>
type Asked = Pick<BenchmarkRequest, 'reviewingIds' | 'partialInputBaselineIds' | 'leaveOut'>

/**
 * One for each reviewing at most, in ascending reviewing id: those asked for; otherwise, of those that
 * succeeded, the one of the most families, then of the most models, then with the lowest id.
 *
 * @throws Problem partial-input-baseline-not-found; conflict for one that is over none of the
 *   reviewings, or has not succeeded, or where items are to be left out and no baseline says which
 */
export async function citeBaselines (
  parts: CiteParts, { reviewingIds, partialInputBaselineIds, leaveOut }: Asked
): Promise<Cited[]> {
  for (const id of partialInputBaselineIds ?? []) await mustBeUsable(parts, id, reviewingIds)
  const cited: Cited[] = []
  for (const reviewingId of [...reviewingIds].sort()) {
    const found = await succeededOn(parts, reviewingId)
    const [first, second] = partialInputBaselineIds === undefined
      ? found.slice(0, 1)
      : found.filter(({ id }) => partialInputBaselineIds.includes(id))
    if (second !== undefined) {
      throw new Problem('conflict', `${first!.id} and ${second.id} are both over ${reviewingId}; name one for each reviewing.`)
    }
    if (first !== undefined) cited.push({ ...first, items: await parts.baselines.allItems(first.id) })
    else if (leaveOut !== undefined) {
      throw new Problem('conflict', `No partial-input baseline over ${reviewingId} has succeeded, so nothing says which items to leave out; POST /v1/partial-input-baselines runs one.`)
    }
  }
  return cited
}

/** The fullest first. */
async function succeededOn ({ baselines, jobs }: CiteParts, reviewingId: string): Promise<Array<Omit<Cited, 'items'>>> {
  const found: Array<Omit<Cited, 'items'>> = []
  for (const { _id: id, value: { rows } } of await baselines.reportsOn(reviewingId)) {
    const job = await jobs.find(id)
    if (job === undefined || (await jobs.view(id)).state !== 'succeeded') continue
    found.push({ id, reviewingId, models: job.spec.models, rows })
  }
  const familiesOf = ({ models }: Omit<Cited, 'items'>) => new Set(models.map(({ family }) => family)).size
  return found.sort((a, b) =>
    familiesOf(b) - familiesOf(a) || b.models.length - a.models.length || (a.id < b.id ? -1 : 1))
}

async function mustBeUsable (
  { jobs }: CiteParts, id: string, reviewingIds: readonly string[]
): Promise<void> {
  const job = await jobs.find(id)
  if (job === undefined) {
    throw new Problem('partial-input-baseline-not-found', `There is no partial-input-baseline ${id}; GET /v1/partial-input-baselines lists those there are.`)
  }
  const { source } = job.spec
  if (!('reviewingId' in source) || !reviewingIds.includes(source.reviewingId)) {
    throw new Problem('conflict', `${id} is over none of the reviewings that the benchmark is made of.`)
  }
  const { state } = await jobs.view(id)
  if (state !== 'succeeded') throw new Problem('conflict', `${id} is ${state}; only one that succeeded can be cited. POST …/retry asks again what failed.`)
}
