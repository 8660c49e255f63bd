/**
 * chrF and chrF++ of sentences and corpora with the numbers of sacreBLEU 2.6: F of character n-grams,
 * and with a word order above 0 of word n-grams too, averaged over orders before the F is taken.
 *
 * A corpus score is no mean of sentence scores: the counts of all segments are added first
 * (`addChrfCounts`), then scored once (`chrfOf`).
 *
 * @see Popović 2015, doi:10.18653/v1/W15-3049; chrF++: Popović 2017, doi:10.18653/v1/W17-4770
 */
import { splitOnBlanks } from '../../../../shared/text/python-text.ts'
import { commonOf, extendGrams, intern } from './grams.ts'
import { referenceNumber } from './signature.ts'

export interface ChrfOptions {
  /** Longest character n-gram, at least 1; default 6. */
  charOrder?: number
  /** Longest word n-gram; 0 (the default) is chrF, 2 is chrF++. */
  wordOrder?: number
  /** How much more recall weighs than precision, above 0; default 2. */
  beta?: number
  lowercase?: boolean
  /** Blanks are characters too. */
  whitespace?: boolean
  /** A mean of each order's F, as chrF++.py has it, instead of the orders that exist. */
  epsSmoothing?: boolean
}

export interface ChrfPair { prediction: string, references: readonly string[] }

/** n-grams of the prediction, of the reference and of both, by order: characters, then words. */
export interface ChrfCounts { predicted: number[], referred: number[], matched: number[] }

/**
 * Counts against the reference with the highest chrF, the first of several.
 *
 * @throws RangeError without a reference
 */
export function chrfCounts ({ prediction, references }: ChrfPair, options: ChrfOptions = {}): ChrfCounts {
  if (references.length === 0) throw new RangeError('chrF needs at least one reference')
  const { charOrder = 6, wordOrder = 0, lowercase = false, whitespace = false } = options
  const texts = [prediction, ...references].map(text => lowercase ? text.toLowerCase() : text)
  const all: ChrfCounts[] = references.map(() => ({ predicted: [], referred: [], matched: [] }))
  addOrders(all, texts.map(text => characters(text, whitespace)), charOrder)
  if (wordOrder > 0) addOrders(all, texts.map(words), wordOrder)
  let best = all[0]!
  let bestScore = chrfOf(best, options)
  for (const counts of all.slice(1)) {
    const score = chrfOf(counts, options)
    if (score > bestScore) [best, bestScore] = [counts, score]
  }
  return best
}

/** Code points, for n-grams of UTF-16 units would halve an emoji. */
function characters (text: string, whitespace: boolean): string[] {
  return [...whitespace ? text : splitOnBlanks(text).join('')]
}

const punctuation = new Set('!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~')

/** Words with one ASCII punctuation mark taken off: the last character, or else the first. */
function words (text: string): string[] {
  return splitOnBlanks(text).flatMap(word => {
    if (word.length === 1) return word
    if (punctuation.has(word.at(-1)!)) return [word.slice(0, -1), word.at(-1)!]
    return punctuation.has(word[0]!) ? [word[0]!, word.slice(1)] : word
  })
}

/** Where a reference has no n-gram of an order, those of the prediction do not count either. */
function addOrders (all: ChrfCounts[], texts: string[][], orders: number): void {
  const tokens = intern(texts)
  for (let n = 1, grams = tokens; n <= orders; n++) {
    if (n > 1) grams = extendGrams(grams, tokens, n)
    const [own, ...others] = grams.sequences
    for (const [which, { predicted, referred, matched }] of all.entries()) {
      const other = others[which]!
      predicted.push(other.length === 0 ? 0 : own!.length)
      referred.push(other.length)
      matched.push(commonOf(own!, other, grams.size))
    }
  }
}

/** @throws RangeError without a segment */
export function addChrfCounts (segments: readonly ChrfCounts[]): ChrfCounts {
  if (segments.length === 0) throw new RangeError('A corpus needs at least one segment')
  const sums = (pick: (counts: ChrfCounts) => number[]) => pick(segments[0]!)
    .map((_, order) => segments.reduce((sum, counts) => sum + pick(counts)[order]!, 0))
  return {
    predicted: sums(({ predicted }) => predicted),
    referred: sums(({ referred }) => referred),
    matched: sums(({ matched }) => matched)
  }
}

const epsilon = 1e-16

/** The score of counts, 0 to 100; 0 where no order has n-grams on both sides. */
export function chrfOf ({ predicted, referred, matched }: ChrfCounts, options: ChrfOptions = {}): number {
  const factor = (options.beta ?? 2) ** 2
  let [precisions, recalls, scores, orders] = [0, 0, 0, 0]
  for (const [order, matches] of matched.entries()) {
    const precision = predicted[order]! > 0 ? matches / predicted[order]! : epsilon
    const recall = referred[order]! > 0 ? matches / referred[order]! : epsilon
    const weighted = factor * precision + recall
    scores += weighted > 0 ? (1 + factor) * precision * recall / weighted : epsilon
    if (predicted[order] === 0 || referred[order] === 0) continue
    precisions += precision
    recalls += recall
    orders++
  }
  if (options.epsSmoothing) return 100 * scores / matched.length
  if (precisions + recalls === 0) return 0
  const precision = precisions / orders
  const recall = recalls / orders
  return 100 * ((1 + factor) * precision * recall / (factor * precision + recall))
}

/** sacreBLEU's name of the metric, beta included: chrF2, chrF2++. */
export function chrfName ({ beta = 2, wordOrder = 0 }: ChrfOptions = {}): string {
  return `chrF${beta}${'+'.repeat(wordOrder)}`
}

/**
 * sacreBLEU's signature; it does not say beta, which is in the name.
 *
 * @param references  how many each segment has; "var" where they differ
 */
export function chrfSignature (references: readonly number[], options: ChrfOptions = {}): string {
  const { charOrder = 6, wordOrder = 0, lowercase, whitespace, epsSmoothing } = options
  return `nrefs:${referenceNumber(references)}|case:${lowercase ? 'lc' : 'mixed'}|eff:${epsSmoothing ? 'no' : 'yes'}|` +
    `nc:${charOrder}|nw:${wordOrder}|space:${whitespace ? 'yes' : 'no'}|version:2.6.0`
}
