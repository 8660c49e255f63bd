/** The images that go with a question, as its condition has them: its own, another item's, or none. */
import { imageSideMax } from '../../../shared/clients/ask-for-value.ts'
import type { BenchmarkItem } from '../../../shared/contracts/benchmark.ts'
import type { Document } from '../../../shared/contracts/document.ts'
import type { Condition } from '../../../shared/contracts/run.ts'
import { Problem } from '../../../shared/errors/problem.ts'
import type { Benchmarks } from '../benchmarks.ts'
import { figuresOf } from '../domain/messages.ts'
import { pick, type Question } from '../domain/question.ts'
import { imageStateOf, placedImages } from '../domain/shown-images.ts'
import { ownImages } from '../domain/skips.ts'

interface Asked {
  benchmarkId: string
  item: BenchmarkItem
  question: Question
  document: Document | null
  condition: Condition
}

export interface QuestionImages {
  /** With other images where the condition wants those: its prompt and its markers are made of this. */
  question: Question
  /** Data URLs of figures, which go after the text. */
  images: string[]
  /** Data URLs by marker. */
  placed: Map<string, string>
}

/**
 * @returns skipped, where no other item has an image to show instead
 * @throws Problem figure-not-found where one is missing: an item is never asked without it
 */
export async function questionImages (
  benchmarks: Benchmarks, asked: Asked
): Promise<QuestionImages | { skipped: string }> {
  const { benchmarkId, condition, question, document } = asked
  const state = imageStateOf(condition)
  if (state !== 'shown') return { question, images: [], placed: new Map() }
  const own = figuresOf(question, document)
  if (own.length < question.figureIds.length) {
    throw new Problem('figure-not-found', `The document has not all figures that item ${question.itemId} asks about.`)
  }
  let [shown, figureIds] = [question, own.flatMap(({ imageId }) => imageId ?? [])]
  if (condition.images === 'wrong' && ownImages(question) > 0) {
    const others = await othersImages(benchmarks, asked, figureIds)
    if (others === undefined) return { skipped: 'No other item of the benchmark has so many other images to show instead.' }
    shown = { ...question, images: question.images.map((image, at) => ({ ...image, imageId: others[at]! })) }
    figureIds = figureIds.map((_, at) => others[question.images.length + at]!)
  }
  const urlOf = async (imageId: string) => await benchmarks.figureUrl(benchmarkId, imageId, imageSideMax)
  const placed = placedImages(shown, state)
  const urls = await Promise.all(placed.map(async ({ imageId }) => await urlOf(imageId)))
  return {
    question: shown,
    images: await Promise.all(figureIds.map(urlOf)),
    placed: new Map(placed.map(({ marker }, at) => [marker, urls[at]!]))
  }
}

/** Items looked at before it is said that there is no other image. */
const lookedAtMax = 200

/**
 * As many image ids as the question shows, none of them its own: from the item on that the seed names,
 * in the order of the benchmark. Items of banks get images of banks, those of papers figures of papers.
 */
async function othersImages (
  benchmarks: Benchmarks, { benchmarkId, item, question, condition }: Asked, figureIds: readonly string[]
): Promise<string[] | undefined> {
  const { items } = await benchmarks.get(benchmarkId)
  const isOther = (other: BenchmarkItem) => other.id !== item.id && isOfBank(other) === question.ofBank
  const pictured = items.filter(other => isOther(other) && hasImages(other))
  const stem = question.images.map(({ imageId }) => imageId)
  const own = new Set([...stem, ...question.choiceImages, ...figureIds])
  const found = new Set<string>()
  const from = pick(pictured.length, `${condition.seed}/wrong image/${item.id}`)
  for (let step = 0; step < Math.min(pictured.length, lookedAtMax); step++) {
    const other = pictured[(from + step) % pictured.length]!
    for (const id of await imageIdsOf(benchmarks, benchmarkId, other)) if (!own.has(id)) found.add(id)
    if (found.size >= ownImages(question)) return [...found]
  }
  return undefined
}

const isOfBank = ({ source }: BenchmarkItem) => 'bankId' in source
const hasImages = ({ images = [], figureIds }: BenchmarkItem) => images.length + figureIds.length > 0

async function imageIdsOf (
  benchmarks: Benchmarks, benchmarkId: string, item: BenchmarkItem
): Promise<string[]> {
  const { images = [], figureIds } = item
  if (figureIds.length === 0) return images.map(({ imageId }) => imageId)
  const document = await benchmarks.documentOf(benchmarkId, item)
  return document?.figures.flatMap(({ id, imageId }) => figureIds.includes(id) ? imageId ?? [] : []) ?? []
}
