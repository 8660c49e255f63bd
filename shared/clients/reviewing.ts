/** What others ask of reviewing. Every function throws the Problem that reviewing answered. */
import type { Benchmark, BenchmarkItem, BenchmarkRequest } from '../contracts/benchmark.ts'
import type { Document } from '../contracts/document.ts'
import type { ReviewRecipe } from '../contracts/generation.ts'
import type { Page } from '../contracts/page.ts'
import type { ReviewedItem, Reviewing } from '../contracts/review.ts'
import type { Call } from './call.ts'

interface PageAsked { cursor?: string | undefined, limit?: number }
interface ReviewedItemsAsked extends PageAsked {
  reviewingId?: string, verdict?: string, kind?: string, eligible?: 'true' | 'false'
}

export function reviewingClient (call: Call) {
  const get = <T>(path: string, query: Record<string, string | number | undefined> = {}) =>
    call.json<T>('reviewing', `/v1${path}`, { query })
  const post = <T>(path: string, body?: unknown) =>
    call.json<T>('reviewing', `/v1${path}`, { method: 'POST', ...body !== undefined && { body } })

  return {
    openReviewing: (generationId: string, recipe: ReviewRecipe) =>
      post<Reviewing>('/reviewings', { source: { generationId }, recipe }),
    /** @param waitSeconds  how long the answer may wait for the reviewing to end, 0 to 60 */
    getReviewing: (reviewingId: string, waitSeconds = 0) =>
      call.json<Reviewing>('reviewing', `/v1/reviewings/${reviewingId}`, {
        query: { wait: waitSeconds }, timeoutMs: waitSeconds * 1000 + 30_000
      }),
    listReviewedItems: (asked: ReviewedItemsAsked) =>
      get<Page<ReviewedItem>>('/reviewed-items', { ...asked }),
    /** Copies documents and figures of all its papers before it answers. */
    freezeBenchmark: (request: Partial<BenchmarkRequest>) =>
      call.json<Benchmark>('reviewing', '/v1/benchmarks', {
        method: 'POST', body: request, timeoutMs: 300_000
      }),
    getBenchmark: (benchmarkId: string) => get<Benchmark>(`/benchmarks/${benchmarkId}`),
    /** In the benchmark's own order. */
    listBenchmarkItems: (benchmarkId: string, asked: PageAsked = {}) =>
      get<Page<BenchmarkItem>>(`/benchmarks/${benchmarkId}/items`, { ...asked }),
    getBenchmarkDocument: (benchmarkId: string, documentHash: string) =>
      get<Document>(`/benchmarks/${benchmarkId}/documents/${documentHash}`),
    /** PNG. @param imageId  `Figure.imageId` of a figure that an item names */
    getBenchmarkFigure: (benchmarkId: string, imageId: string) =>
      call.bytes('reviewing', `/v1/benchmarks/${benchmarkId}/figures/${imageId}`),
    /** Canonical JSON, one item a line: the bytes the benchmark's version rests on. */
    getBenchmarkItemsFile: (benchmarkId: string) =>
      call.bytes('reviewing', `/v1/benchmarks/${benchmarkId}/items.jsonl`)
  }
}

export type ReviewingClient = ReturnType<typeof reviewingClient>
