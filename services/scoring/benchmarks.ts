/** Frozen benchmarks as reviewing gives them. They never change, so what was read is kept a while. */
import type { ReviewingClient } from '../../shared/clients/reviewing.ts'
import type { Benchmark, BenchmarkItem } from '../../shared/contracts/benchmark.ts'
import type { Document } from '../../shared/contracts/document.ts'
import { Problem } from '../../shared/errors/problem.ts'
import { imageTypeOf } from '../../shared/images/image-type.ts'
import type { Shrinker } from '../../shared/images/shrinker.ts'
import { recently } from '../../shared/clients/recently.ts'

export interface Frozen {
  benchmark: Benchmark
  /** In the benchmark's order. */
  items: BenchmarkItem[]
  itemById: ReadonlyMap<string, BenchmarkItem>
}

/** More would not fit the memory this service plans with. */
const itemsMax = 50_000
const benchmarksKept = 4
const documentsKept = 16
const figuresKept = 32

export interface Benchmarks {
  /** @throws Problem benchmark-not-found */
  get: (benchmarkId: string) => Promise<Frozen>
  /** The paper an item is from; null for an item of a bank. */
  documentOf: (benchmarkId: string, item: BenchmarkItem) => Promise<Document | null>
  /** Data URL; of a PNG the longest side is at most `sideMax` pixels, other images are as they came. */
  figureUrl: (benchmarkId: string, imageId: string, sideMax: number) => Promise<string>
}

type Reviewing = Pick<ReviewingClient,
  'getBenchmark' | 'listBenchmarkItems' | 'getBenchmarkDocument' | 'getBenchmarkFigure'>

export function benchmarkReader (reviewing: Reviewing, { shrink }: Pick<Shrinker, 'shrink'>): Benchmarks {
  const get = recently(benchmarksKept, async benchmarkId => {
    const benchmark = await reviewing.getBenchmark(benchmarkId)
    const items: BenchmarkItem[] = []
    for (let cursor: string | undefined; ;) {
      const page = await reviewing.listBenchmarkItems(benchmarkId, { limit: 200, cursor })
      items.push(...page.items)
      if (items.length > itemsMax) {
        throw new Problem('not-computable', `A run takes at most ${itemsMax} items; freeze a smaller benchmark.`)
      }
      if (page.nextCursor === null) break
      cursor = page.nextCursor
    }
    return { benchmark, items, itemById: new Map(items.map(item => [item.id, item])) }
  })
  const document = recently(documentsKept, async key => {
    const [benchmarkId = '', documentHash = ''] = key.split('/')
    return await reviewing.getBenchmarkDocument(benchmarkId, documentHash)
  })
  const figure = recently(figuresKept, async key => {
    const [benchmarkId = '', imageId = '', sideMax] = key.split('/')
    const bytes = await shrink(await reviewing.getBenchmarkFigure(benchmarkId, imageId), Number(sideMax))
    const type = imageTypeOf(bytes)
    if (type === undefined) throw new Problem('service-invalid', `Reviewing answered something that is no image for ${imageId} of ${benchmarkId}.`)
    return `data:${type};base64,${bytes.toString('base64')}`
  })
  return {
    get,
    documentOf: async (benchmarkId, { source }) =>
      'documentHash' in source ? await document(`${benchmarkId}/${source.documentHash}`) : null,
    figureUrl: async (benchmarkId, imageId, sideMax) => await figure(`${benchmarkId}/${imageId}/${sideMax}`)
  }
}
