/** The walk of the API documents' own examples over the sample paper: what Swagger UI sends unedited. */
import type { Benchmark } from '../shared/contracts/benchmark.ts'
import type { Document } from '../shared/contracts/document.ts'
import type { IdKind } from '../shared/contracts/hash.ts'
import type { Generation } from '../shared/contracts/generation.ts'
import type { Item } from '../shared/contracts/item.ts'
import type { Page } from '../shared/contracts/page.ts'
import type { Paper } from '../shared/contracts/paper.ts'
import type { Report } from '../shared/contracts/report.ts'
import type { Review, Reviewing } from '../shared/contracts/review.ts'
import type { Prediction, Run } from '../shared/contracts/run.ts'
import type { Api } from './exam/api.ts'

type Met = Partial<Record<IdKind | 'image', string>>

/** Answers the ids met on the way; `bodyOf` gives the body of a POST, by its path and what is known. */
export async function sampleWalk (
  api: Api, file: string, bodyOf: (path: string, ids: Met) => unknown
): Promise<Required<Met>> {
  const ids: Met = {}
  const post = async <T>(path: string) => await api.post<T>(path, bodyOf(path, ids))
  const quiet = () => {}

  ids.paper = (await api.upload<Paper>(file)).id
  ids.document = (await api.follow<Paper>(`/v1/papers/${ids.paper}`, quiet)).documentHash ?? ''
  ids.generation = (await post<Generation>('/v1/generations')).id
  await api.follow<Generation>(`/v1/generations/${ids.generation}`, quiet)
  ids.reviewing = (await post<Reviewing>('/v1/reviewings')).id
  await api.follow<Reviewing>(`/v1/reviewings/${ids.reviewing}`, quiet)
  const benchmark = await post<Benchmark>('/v1/benchmarks')
  ids.benchmark = benchmark.id
  ids.run = (await post<Run>('/v1/runs')).id
  await api.follow<Run>(`/v1/runs/${ids.run}`, quiet)
  const [prediction] = (await api.get<Page<Prediction>>(`/v1/runs/${ids.run}/predictions?limit=1`)).items
  ids.prediction = prediction?.id ?? ''
  ids.item = prediction?.itemId ?? ''
  ids.review = (await api.get<Page<Review>>(`/v1/items/${ids.item}/reviews`)).items[0]?.id ?? ''
  ids.report = (await post<Report>('/v1/reports')).id
  ids.image = await imageOf(api, ids)
  return ids as Required<Met>
}

/** The first image that an item of the benchmark asks about. */
async function imageOf (api: Api, { benchmark, paper }: Met): Promise<string> {
  const { items } = await api.get<Page<Item>>(`/v1/benchmarks/${benchmark}/items?limit=200`)
  const [figureId] = items.flatMap(({ figureIds }) => figureIds)
  const { figures } = await api.get<Document>(`/v1/papers/${paper}/document`)
  return figures.find(({ id }) => id === figureId)?.imageId ?? ''
}

/** The bodies of the examples, with ids as they come. */
export function exampleBody (path: string, ids: Met): unknown {
  const bodies: Record<string, unknown> = {
    '/v1/generations': { paperIds: [ids.paper] },
    '/v1/reviewings': { source: { generationId: ids.generation } },
    '/v1/benchmarks': { name: 'my benchmark', reviewingIds: [ids.reviewing], verdicts: ['good', 'unreviewed'] },
    '/v1/runs': { benchmarkId: ids.benchmark, model: 'baseline/extractive' },
    '/v1/reports': { runIds: [ids.run] }
  }
  return bodies[path]
}
