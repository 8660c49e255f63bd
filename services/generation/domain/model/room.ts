/** How much of a paper a prompt can hold, and how large a figure may be beside it. */
import type { Figure } from '../../../../shared/contracts/document.ts'
import { estimateTokens, promptTokensMax, usualBytesPerToken } from '../../../../shared/text/content-budget.ts'
import type { ModelRecipe } from '../recipe.ts'
import type { Room } from './writer.ts'

/** What was written and turned down before, told back: at most this. */
export const earlierTokensMax = 256
/** Short values (language, counts, a question) and the chat template around the prompt. */
const wordingTokens = 160
/** With less the model would write about nothing. */
export const roomTokensMin = 200
/** An image is made smaller rather than the text beside it shorter than this. */
const textTokensWanted = 1200

/** Longest sides that figures are shown with, in pixels. */
const sides = [1536, 1152, 896, 640]
/** A patch of 28 × 28 pixels is one token to the models that cut images so; others take less. */
const patchPixels = 28

/** A prompt that is to have room, and what it is filled by: `usualBytesPerToken` until somebody counts. */
export interface Filling { template: string, bytesPerToken?: number | undefined }

/**
 * Room for text of the paper beside the prompt itself, the reply and the images, in tokens of
 * `usualBytesPerToken`; below `roomTokensMin` there is none. `sideMax`: longest side the images fit with.
 * `countedMax`: tokens of the text before anything is told back, as the model counts them.
 */
export function roomOf (
  { contextTokens, sampling }: ModelRecipe,
  { template, bytesPerToken = usualBytesPerToken }: Filling,
  figures: readonly Figure[]
): Room & { sideMax: number, countedMax: number } {
  const fixed = estimateTokens(template) + wordingTokens + earlierTokensMax
  const all = promptTokensMax(contextTokens, sampling.maxTokens)
  const countedWith = (side: number) =>
    all - figures.reduce((sum, figure) => sum + imageTokens(figure, side), 0)
  const textWith = (side: number) =>
    Math.floor((countedWith(side) - fixed) * bytesPerToken / usualBytesPerToken)
  const sideMax = sides.find(side => textWith(side) >= textTokensWanted) ?? sides.at(-1)!
  return { tokens: textWith(sideMax), sideMax, countedMax: countedWith(sideMax) - earlierTokensMax }
}

/** Of a figure shown with its longest side at most `sideMax`. */
export function imageTokens ({ width, height }: Pick<Figure, 'width' | 'height'>, sideMax: number): number {
  const scale = Math.min(1, sideMax / Math.max(width, height, 1))
  const patches = (pixels: number) => Math.max(1, Math.ceil(pixels * scale / patchPixels))
  return patches(width) * patches(height)
}
