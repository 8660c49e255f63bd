/**
 * BLEU of sentences and corpora with the numbers of sacreBLEU 2.6.
 *
 * A corpus score is no mean of sentence scores: the counts of all segments are added first
 * (`addBleuCounts`), then scored once (`bleuOf`).
 *
 * @see Papineni et al. 2002, doi:10.3115/1073083.1073135; smoothing: Chen & Cherry 2014,
 *      doi:10.3115/v1/W14-3346
 */
import { bleuTokens, type BleuTokenizer } from './bleu-tokens.ts'
import { countsOf, extendGrams, intern } from './grams.ts'
import { referenceNumber } from './signature.ts'

export const bleuSmoothings = ['exp', 'floor', 'add-k', 'none'] as const
export type BleuSmoothing = (typeof bleuSmoothings)[number]

export interface BleuOptions {
  tokenize?: BleuTokenizer
  smoothMethod?: BleuSmoothing
  /** For floor (default 0.1) and add-k (default 1). */
  smoothValue?: number
  lowercase?: boolean
  /** Average over the orders that exist in the segment only; sacreBLEU's default for sentences. */
  effectiveOrder?: boolean
  /** 1 to 9; default 4. */
  maxNgramOrder?: number
}

export interface BleuPair { prediction: string, references: readonly string[] }

/** What adds up over segments: matched and predicted n-grams by order, lengths in tokens. */
export interface BleuCounts { counts: number[], totals: number[], sysLen: number, refLen: number }

/** `score` and `precisions` are 0 to 100; with add-k, counts and totals include k. */
export interface Bleu extends BleuCounts { score: number, precisions: number[], bp: number }

/** @throws RangeError without a reference */
export function bleuCounts (pair: BleuPair, options: BleuOptions = {}): BleuCounts {
  const { prediction, references } = pair
  if (references.length === 0) throw new RangeError('BLEU needs at least one reference')
  const { tokenize = '13a', lowercase = false, maxNgramOrder = 4 } = options
  const texts = [prediction, ...references].map(text => bleuTokens(text, tokenize, lowercase))
  const tokens = intern(texts)
  const [predicted, ...referred] = texts.map(text => text.length)
  const counts: number[] = []
  const totals: number[] = []
  for (let n = 1, grams = tokens; n <= maxNgramOrder; n++) {
    if (n > 1) grams = extendGrams(grams, tokens, n)
    const [own, ...others] = grams.sequences
    counts.push(clippedMatches(own!, others, grams.size))
    totals.push(own!.length)
  }
  return { counts, totals, sysLen: predicted!, refLen: closestLength(referred, predicted!) }
}

/** An n-gram matches at most as often as in the reference that has it most. */
function clippedMatches (own: Int32Array, others: Int32Array[], size: number): number {
  const left = new Int32Array(size)
  for (const other of others) {
    const counts = countsOf(other, size)
    for (let gram = 0; gram < size; gram++) {
      if (counts[gram]! > left[gram]!) left[gram] = counts[gram]!
    }
  }
  let matches = 0
  for (const gram of own) if (left[gram]!-- > 0) matches++
  return matches
}

/** Ties go to the shorter reference. */
function closestLength (lengths: readonly number[], length: number): number {
  return lengths.reduce((best, next) => {
    const closer = Math.abs(next - length) - Math.abs(best - length)
    return closer < 0 || (closer === 0 && next < best) ? next : best
  })
}

/** @throws RangeError without a segment */
export function addBleuCounts (segments: readonly BleuCounts[]): BleuCounts {
  if (segments.length === 0) throw new RangeError('A corpus needs at least one segment')
  const sum = (pick: (segment: BleuCounts) => number) =>
    segments.reduce((all, one) => all + pick(one), 0)
  const orders = segments[0]!.counts.map((_, order) => order)
  return {
    counts: orders.map(order => sum(segment => segment.counts[order]!)),
    totals: orders.map(order => sum(segment => segment.totals[order]!)),
    sysLen: sum(segment => segment.sysLen),
    refLen: sum(segment => segment.refLen)
  }
}

/** The score of counts; 0 where no n-gram of any order matches. */
export function bleuOf (found: BleuCounts, options: BleuOptions = {}): Bleu {
  const { sysLen, refLen } = found
  const { smoothMethod = 'exp', effectiveOrder = false } = options
  const smoothValue = smoothValueOf(options)
  const counts = [...found.counts]
  const totals = [...found.totals]
  const precisions = counts.map(() => 0)
  const bp = sysLen >= refLen ? 1 : sysLen === 0 ? 0 : Math.exp(1 - refLen / sysLen)
  const empty = { score: 0, precisions, counts, totals, bp, sysLen, refLen }
  if (counts.every(count => count === 0)) return empty
  let orders = counts.length
  let halvings = 1
  for (let n = 0; n < counts.length; n++) {
    if (smoothMethod === 'add-k' && n > 0) {
      counts[n]! += smoothValue
      totals[n]! += smoothValue
    }
    const total = totals[n]!
    if (total === 0) break
    if (effectiveOrder) orders = n + 1
    if (counts[n]! !== 0) precisions[n] = 100 * counts[n]! / total
    else if (smoothMethod === 'exp') precisions[n] = 100 / ((halvings *= 2) * total)
    else if (smoothMethod === 'floor') precisions[n] = 100 * smoothValue / total
  }
  const logs = precisions.slice(0, orders).reduce((sum, precision) => sum + logOf(precision), 0)
  return { ...empty, score: bp * Math.exp(logs / orders) }
}

/** The reference's logarithm of nothing, so large that the score is 0 without a NaN on the way. */
function logOf (precision: number): number {
  return precision === 0 ? -9999999999 : Math.log(precision)
}

function smoothValueOf ({ smoothMethod = 'exp', smoothValue }: BleuOptions): number {
  return smoothValue ?? (smoothMethod === 'floor' ? 0.1 : 1)
}

/**
 * sacreBLEU's signature, so that a reader can reproduce the score with it.
 *
 * @param references  how many each segment has; "var" where they differ
 */
export function bleuSignature (references: readonly number[], options: BleuOptions = {}): string {
  const { tokenize = '13a', smoothMethod = 'exp', lowercase, effectiveOrder } = options
  const valued = smoothMethod === 'floor' || smoothMethod === 'add-k'
  const smooth = smoothMethod + (valued ? `[${smoothValueOf(options).toFixed(2)}]` : '')
  return `nrefs:${referenceNumber(references)}|case:${lowercase ? 'lc' : 'mixed'}|eff:${effectiveOrder ? 'yes' : 'no'}|` +
    `tok:${tokenize}|smooth:${smooth}|version:2.6.0`
}
