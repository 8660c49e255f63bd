/** What a benchmark's card says of the items that are of item banks. */
import type { Bank, BenchmarkItem } from '../../../../shared/contracts/benchmark.ts'
import { isSequence, type Item } from '../../../../shared/contracts/item.ts'
import { clusterDimension, clusterOf } from '../../../../shared/stats/item-cluster.ts'

/** Of the question, then of the choices, as often as they are shown. */
export function imageIdsOf ({ images = [], choices = [] }: Pick<Item, 'images' | 'choices'>): string[] {
  return [...images.map(({ imageId }) => imageId), ...choices.flatMap(({ imageId }) => imageId ?? [])]
}

export const isOfBank = ({ source }: Pick<BenchmarkItem, 'source'>): boolean => 'bankId' in source

/** Each with whether it holds. */
export function bankNotes (items: readonly BenchmarkItem[]): Array<[holds: boolean, note: string]> {
  const own = items.filter(isOfBank)
  const of = `${own.length} of the ${items.length} items`
  const pictured = own.filter(item => imageIdsOf(item).length > 0)
  const sequences = own.filter(isSequence)
  return [
    [own.length > 0, `${of} are of item banks and not of papers: evidence, content modes, diversity, the floor by another section and the review by six criteria do not apply to them.`],
    [pictured.length > 0, `${pictured.length} items of banks have images, ${sequences.length} of them a sequence in time; a model that takes no images skips them.`]
  ]
}

/** The item banks behind a benchmark, and how many of their rows were to be looked at by a person. */
export interface Banks { banks: readonly Bank[], flagged: number }

/** Likewise. */
export function bankLimits (
  items: readonly BenchmarkItem[], { banks, flagged }: Banks
): Array<[holds: boolean, limit: string]> {
  const own = items.filter(isOfBank)
  const grouped = own.filter(({ slices }) => Object.hasOwn(slices, clusterDimension)).length
  const clusters = new Set(own.map(clusterOf)).size
  const unlicensed = banks.filter(({ licence }) => licence === 'unknown').length
  const closed = banks.filter(({ release }) => release !== 'public').length
  const shared = sharedImages(own)
  return [
    [own.length > 0, `The ${own.length} items of banks are ${clusters} clusters: ${grouped === 0 ? 'each item, or pair, is taken as independent of the others' : `those with one value of the slice ${clusterDimension} are one, each other item is its own`}.`],
    [shared > 0, `${shared} items of banks share an image with another and are taken as independent all the same; an import with a slice named ${clusterDimension} counts those of one image as one.`],
    [own.length > 0, 'Items of banks may have stood in what a model was trained on; that they are new to it, nothing here shows.'],
    [flagged > 0, `${flagged} rows of the item banks were flagged when they were imported, for a person to look at (GET /v1/imports/{importId}/rows?state=flagged); nothing here shows that one did.`],
    [unlicensed > 0, `The terms of ${unlicensed} of the ${banks.length} item banks are unknown: whoever publishes their items must find them out first.`],
    [closed > 0, `${closed} of the ${banks.length} item banks were not declared public: their items may not be passed on without leave.`]
  ]
}

/** Items that no slice holds together although they show the same image. */
function sharedImages (own: readonly BenchmarkItem[]): number {
  const clustersOf = new Map<string, Set<string>>()
  const idsOf = ({ images = [] }: BenchmarkItem) => images.map(({ imageId }) => imageId)
  for (const item of own) {
    for (const id of idsOf(item)) clustersOf.set(id, (clustersOf.get(id) ?? new Set()).add(clusterOf(item)))
  }
  return own.filter(item => idsOf(item).some(id => clustersOf.get(id)!.size > 1)).length
}
