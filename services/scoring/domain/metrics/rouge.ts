/**
 * ROUGE-N, ROUGE-L and ROUGE-Lsum with the numbers of google-research's rouge_score.
 *
 * @see Lin 2004, https://aclanthology.org/W04-1013
 */
import { commonOf, countsOf, extendGrams, intern, type Interned } from './grams.ts'
import { lcsLength, lcsPattern, markLcs, markShortLcs, roomFor, shortMax } from './lcs.ts'
import { rougeTokenizer, type RougeTokenizer } from './rouge-tokens.ts'

export const rougeTypes = [
  'rouge1', 'rouge2', 'rouge3', 'rouge4', 'rouge5', 'rouge6', 'rouge7', 'rouge8', 'rouge9',
  'rougeL', 'rougeLsum'
] as const
export type RougeType = (typeof rougeTypes)[number]

export interface RougeOptions {
  types: readonly RougeType[]
  stemmer?: boolean
  tokenizer?: RougeTokenizer
}

/** Fractions, 0 to 1. */
export interface Rouge { precision: number, recall: number, fmeasure: number }
export type RougeScores = Partial<Record<RougeType, Rouge>>
export type ScoreRouge = (prediction: string, references: readonly string[]) => RougeScores

/**
 * A scorer for one choice of options; it remembers stems, so one scorer should see all pairs.
 *
 * The scorer takes a prediction and at least one reference; with several, each type reports the
 * first reference that has the highest F. No common token, or no token at all, is a score of 0.
 *
 * @throws RangeError without a reference
 */
export function rougeScorer (options: RougeOptions): ScoreRouge {
  const { types, stemmer = false, tokenizer = 'default' } = options
  const tokenize = rougeTokenizer(tokenizer, stemmer)
  // No token goes beyond its line, so that the lines' tokens are also the text's.
  const linesOf = types.includes('rougeLsum')
    ? (text: string) => text.split('\n').filter(line => line !== '').map(tokenize)
    : (text: string) => [tokenize(text)]
  return (prediction, references) => {
    if (references.length === 0) throw new RangeError('ROUGE needs at least one reference')
    const best: RougeScores = {}
    const predicted = linesOf(prediction)
    for (const reference of references) {
      const scores = scorePair(predicted, linesOf(reference), types)
      for (const type of types) {
        const before = best[type]?.fmeasure ?? -1
        if (scores[type]!.fmeasure > before) best[type] = scores[type]!
      }
    }
    return best
  }
}

/** Every choice behind a ROUGE score, in one line. */
export function rougeSignature ({ stemmer = false, tokenizer = 'default' }: RougeOptions): string {
  const stem = stemmer && tokenizer === 'default' ? 'porter-nltk' : 'no'
  return `rouge|multi:max-f|stem:${stem}|tok:${tokenizer}|lsum:newline|version:rouge_score-0.1.2`
}

/** Of a text: each line's tokens where lines count, else all as one. */
type Lines = readonly (readonly string[])[]

function scorePair (prediction: Lines, reference: Lines, types: readonly RougeType[]): RougeScores {
  const scores: RougeScores = {}
  const { sequences, size } = intern([...prediction, ...reference])
  const predicted = sequences.slice(0, prediction.length)
  const referred = sequences.slice(prediction.length)
  const tokens = { sequences: [joined(predicted), joined(referred)], size }
  const orders = types.map(gramOrder)
  let grams = tokens
  for (let n = 1; n <= Math.max(0, ...orders); n++) {
    if (n > 1) grams = extendGrams(grams, tokens, n)
    const at = orders.indexOf(n)
    if (at >= 0) scores[types[at]!] = rougeN(grams)
  }
  if (types.includes('rougeL')) scores.rougeL = rougeL(tokens)
  if (types.includes('rougeLsum')) scores.rougeLsum = rougeLsum(predicted, referred, tokens)
  return scores
}

function joined (lines: readonly Int32Array[]): Int32Array {
  if (lines.length === 1) return lines[0]!
  const all = new Int32Array(lines.reduce((sum, line) => sum + line.length, 0))
  let at = 0
  for (const line of lines) {
    all.set(line, at)
    at += line.length
  }
  return all
}

/** The n of rougeN; 0 for the types that count subsequences. */
function gramOrder (type: RougeType): number {
  const order = Number(type.slice(5))
  return Number.isInteger(order) ? order : 0
}

function rouge (hits: number, predicted: number, referred: number): Rouge {
  const precision = hits / Math.max(predicted, 1)
  const recall = hits / Math.max(referred, 1)
  const sum = precision + recall
  return { precision, recall, fmeasure: sum > 0 ? 2 * precision * recall / sum : 0 }
}

function rougeN ({ sequences: [predicted, referred], size }: Interned): Rouge {
  return rouge(commonOf(predicted!, referred!, size), predicted!.length, referred!.length)
}

function rougeL ({ sequences: [predicted, referred], size }: Interned): Rouge {
  const hits = lcsLength(lcsPattern(referred!, new Int32Array(size)), predicted!)
  return rouge(hits, predicted!.length, referred!.length)
}

/**
 * Summary level: for every line of the reference the union of its subsequences with all lines of
 * the prediction; a token is a hit while both sides still have it.
 */
function rougeLsum (predicted: Int32Array[], referred: Int32Array[], { sequences, size }: Interned): Rouge {
  const [allPredicted, allReferred] = sequences
  const leftPredicted = countsOf(allPredicted!, size)
  const leftReferred = countsOf(allReferred!, size)
  const unionWith = unionOfLcs(predicted, size)
  let hits = 0
  for (const line of referred) {
    const marks = unionWith(line)
    for (let i = 0; i < line.length; i++) {
      const token = line[i]!
      if (marks[i] !== 1 || leftPredicted[token]! <= 0 || leftReferred[token]! <= 0) continue
      leftPredicted[token]!--
      leftReferred[token]!--
      hits++
    }
  }
  return rouge(hits, allPredicted!.length, allReferred!.length)
}

/** Which tokens of a line are on a subsequence with any of the texts: 1 for each that is. */
function unionOfLcs (texts: readonly Int32Array[], size: number): (line: Int32Array) => Uint8Array {
  const slots = new Int32Array(size)
  const room = roomFor(texts.reduce((longest, { length }) => Math.max(longest, length), 0))
  return line => {
    const marks = new Uint8Array(line.length)
    if (line.length <= shortMax) {
      for (let i = 0; i < line.length; i++) slots[line[i]!]! |= 1 << i
      let bits = 0
      for (const text of texts) bits |= markShortLcs(slots, line.length, { text, room })
      for (let i = 0; i < line.length; i++) marks[i] = (bits >>> i) & 1
    } else {
      const pattern = lcsPattern(line, slots)
      for (const text of texts) markLcs(pattern, text, { marks })
    }
    for (const token of line) slots[token] = 0
    return marks
  }
}
