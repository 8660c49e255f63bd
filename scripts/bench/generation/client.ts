/** What these benches ask of a suite, as a user would: papers in, generation, reviewing, benchmark out. */
import { setTimeout as pause } from 'node:timers/promises'
import { FormData } from 'undici'
import { sha256 } from '../../../shared/contracts/hash.ts'
import type { Benchmark } from '../../../shared/contracts/benchmark.ts'
import type { Generation } from '../../../shared/contracts/generation.ts'
import type { Item, Rejection } from '../../../shared/contracts/item.ts'
import type { JobView } from '../../../shared/contracts/job.ts'
import type { Page } from '../../../shared/contracts/page.ts'
import type { Paper } from '../../../shared/contracts/paper.ts'
import type { ReviewedItem, Reviewing } from '../../../shared/contracts/review.ts'
import { api, type Api } from '../../exam/api.ts'
import { madePaper, type Size } from './made-paper.ts'

const uploadsAtOnce = 8
/** Rather than a long poll, which hardly any life of a killed process would answer. */
const pollMs = 100

export interface PapersAsked extends Size { count: number }

/** Uploads papers as Markdown. @returns their ids, once all are parsed */
export async function parsedPapers (url: string, { count, ...size }: PapersAsked): Promise<string[]> {
  const ids: string[] = new Array<string>(count)
  let next = 0
  async function upload (): Promise<void> {
    for (let at = next++; at < count; at = next++) {
      const form = new FormData()
      form.append('file', new Blob([madePaper(at, size)], { type: 'text/markdown' }), `paper-${at}.md`)
      const answer = await fetch(`${url}/v1/papers`, { method: 'POST', body: form as unknown as globalThis.FormData })
      if (!answer.ok) throw new Error(`Paper ${at} was not taken: ${await answer.text()}`)
      const { id } = await answer.json() as Paper
      const { state, problems } = await followed<Paper>(api(url), `/v1/papers/${id}`)
      if (state !== 'succeeded') throw new Error(`Paper ${at} is ${state}: ${JSON.stringify(problems)}`)
      ids[at] = id
    }
  }
  await Promise.all(Array.from({ length: uploadsAtOnce }, upload))
  return ids
}

/** Until it has ended; what failed is done again, as its user would, so many times. */
export async function followed<T extends JobView> (
  http: Api, path: string, onRetry?: () => void
): Promise<T> {
  for (;;) {
    const job = await http.get<T>(path)
    if (job.state === 'failed' && onRetry !== undefined) {
      onRetry()
      await http.post(`${path}/retry`, {})
    } else if (['succeeded', 'failed', 'cancelled'].includes(job.state)) return job
    await pause(pollMs)
  }
}

export const recipe = {
  strategy: 'model',
  model: 'writer',
  kinds: ['qa', 'vqa', 'binary', 'choice'],
  counts: { vqaPerFigure: 2, pairsPerFigure: 1, choicesPerPlace: 1 },
  seed: 1
}
export const reviewRecipe = { strategy: 'model', model: 'reviewer' }

/** All pages of a list. */
export async function listed<T> (http: Api, path: string): Promise<T[]> {
  const all: T[] = []
  for (let cursor: string | null = ''; cursor !== null;) {
    const page: Page<T> = await http.get(`${path}&limit=200${cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`}`)
    all.push(...page.items)
    cursor = page.nextCursor
  }
  return all
}

/** What a walk ends with: hashes of bytes and lists, and the ids that must be there once. */
export interface Walked {
  hashes: Record<'items' | 'rejections' | 'outcome' | 'reviewed' | 'benchmark', string>
  itemIds: string[]
  reviewedIds: string[]
  /** What differs is looked for in here: rejections and the outcome, a line each. */
  told: string[]
}

/** From papers to a frozen benchmark. */
export async function walk (
  http: Api, asked: { paperIds: readonly string[], seed: number }, onRetry: () => void
): Promise<Walked> {
  const { paperIds, seed } = asked
  const { id } = await http.post<Generation>('/v1/generations', { paperIds, recipe: { ...recipe, seed, review: reviewRecipe } })
  const { outcome } = await followed<Generation>(http, `/v1/generations/${id}`, onRetry)
  const bytes = await http.download(`/v1/generations/${id}/items.jsonl`)
  const rejections = await listed<Rejection>(http, `/v1/generations/${id}/rejections?`)
  const { id: reviewing } = await http.post<Reviewing>('/v1/reviewings', { source: { generationId: id }, recipe: reviewRecipe })
  await followed<Reviewing>(http, `/v1/reviewings/${reviewing}`, onRetry)
  const reviewed = await listed<ReviewedItem>(http, `/v1/reviewed-items?reviewingId=${reviewing}`)
  const benchmark = await http.post<Benchmark>('/v1/benchmarks', { name: 'bench', reviewingIds: [reviewing], verdicts: ['good', 'fair'] })
  const frozen = await http.download(`/v1/benchmarks/${benchmark.id}/items.jsonl`)
  return {
    hashes: {
      items: sha256(bytes),
      rejections: sha256(JSON.stringify(rejections)),
      outcome: sha256(JSON.stringify(outcome)),
      reviewed: sha256(JSON.stringify(reviewed)),
      benchmark: sha256(Buffer.concat([Buffer.from(benchmark.id), frozen]))
    },
    itemIds: idsOf(bytes),
    told: [...rejections, outcome].map(each => JSON.stringify(each)),
    reviewedIds: reviewed.map(({ item }) => item.id)
  }
}

export function idsOf (itemsJsonl: Buffer): string[] {
  return itemsJsonl.toString('utf8').split('\n').filter(Boolean).map(line => (JSON.parse(line) as Item).id)
}
