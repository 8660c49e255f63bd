/** What K-MetBench's files say of an item beside its text. */
import type { BenchmarkItem } from '../../../../shared/contracts/benchmark.ts'

export interface ItemMarks { part: number | null, multimodal: boolean, korean: boolean, reasoning: boolean }

/** Dimensions that are read where nothing else is named. */
export const usualDimensions = { part: 'part', korean: 'korean' }

/** Whether it is about a figure, has images of its own, or choices that are images. */
export function hasImages (
  { figureIds, images = [], choices = [] }: Pick<BenchmarkItem, 'figureIds' | 'images' | 'choices'>
): boolean {
  return figureIds.length > 0 || images.length > 0 || choices.some(({ imageId }) => imageId !== undefined)
}

/** `part` is null unless the item has one from 1 to 5. */
export function marksOfItem (item: BenchmarkItem): ItemMarks {
  const { slices, rationale = '' } = item
  const part = /^[1-5]$/.test(slices[usualDimensions.part] ?? '') ? Number(slices[usualDimensions.part]) : null
  return {
    part, multimodal: hasImages(item), korean: slices[usualDimensions.korean] === 'true', reasoning: rationale !== ''
  }
}
