/**
 * The annotation-artifact test: can the words of a yes/no question alone tell yes from no? A classifier
 * learns from the pairs of some papers and must say, of each pair of another, which member is the true
 * one. With pairs split across folds the figure would mean nothing, so folds never part a paper.
 *
 * @see Gururangan et al. 2018, doi:10.18653/v1/N18-2017; Gardner et al. 2020,
 *      doi:10.18653/v1/2020.findings-emnlp.117
 */
import { inOneGo } from '../text/in-one-go.ts'
import { clusteredMean } from './clustered.ts'
import { tQuantile } from './distributions.ts'
import { clopperPearsonInterval, type Range } from './proportions.ts'

/** One minimal pair: the question that is true, and the one that is false. */
export interface QuestionPair { paper: string, yes: string, no: string }

export interface ArtifactTest {
  pairs: number
  papers: number
  /**
   * Share of pairs whose true member was told, a tie for half; in [0, 1], .5 is chance. Null where it
   * cannot be computed: fewer than two papers.
   */
  accuracy: number | null
  /** Two-sided 95 %, over papers; null where there is none. */
  interval: Range | null
  /** passed: at most .60 in truth; failed: the words tell; undetermined: too few pairs to say either. */
  verdict: 'passed' | 'failed' | 'undetermined'
}

/** Below so many pairs nothing is said; up to about three times as many only a plain cue is. */
export const artifactPairsMin = 100
const upperMax = 0.6
const foldsMax = 10
const pairsAtOnce = 20

/**
 * Within-pair two-alternative forced choice by naive Bayes over n-grams, in up to ten folds of whole
 * papers. Linear in the pairs; the order of pairs and papers changes nothing.
 */
export function artifactTest (pairs: readonly QuestionPair[]): ArtifactTest {
  return inOneGo(artifactTesting(pairs))
}

/** As `artifactTest`; stops every few pairs, so that others may have their turn. */
export function * artifactTesting (pairs: readonly QuestionPair[]): Generator<void, ArtifactTest> {
  const papers = new Set(pairs.map(({ paper }) => paper))
  const counts = { pairs: pairs.length, papers: papers.size }
  if (papers.size < 2) return { ...counts, accuracy: null, interval: null, verdict: 'undetermined' }
  const foldOf = foldsOf(pairs)
  const folds = pairs.map(({ paper }) => foldOf.get(paper)!)
  const idOf = new Map<string, number>()
  const features: Features[] = []
  for (let from = 0; from < pairs.length; from += pairsAtOnce) {
    yield
    features.push(...pairs.slice(from, from + pairsAtOnce).map(pair => featuresOf(pair, idOf)))
  }
  yield
  const balance = balanceOf(features, folds, idOf.size)
  yield
  const observations = pairs.map(({ paper }, i) =>
    ({ value: forced(features[i]!, balance, folds[i]!), cluster: paper }))
  const { mean: accuracy, seCr2 } = clusteredMean(observations)
  const interval = intervalOf(accuracy, seCr2 * sharedTraining(Math.max(...folds) + 1), papers.size)
  return { ...counts, accuracy, interval, verdict: verdictOf(pairs.length, interval) }
}

function verdictOf (pairs: number, { low, high }: Range): ArtifactTest['verdict'] {
  if (pairs < artifactPairsMin) return 'undetermined'
  if (high <= upperMax) return 'passed'
  return low > 0.5 ? 'failed' : 'undetermined'
}

/**
 * What the standard error is to be multiplied by: any two folds learn from mostly the same pairs, so
 * that papers of different folds are told rightly or wrongly together. Without it the interval holds
 * the truth 84 to 88 % of the time and not 95 %.
 *
 * @see Nadeau & Bengio 2003, doi:10.1023/A:1024068626366
 */
function sharedTraining (folds: number): number {
  return Math.sqrt(1 + folds / (folds - 1))
}

/** t over papers; where they all agree that is a point, and the exact interval of so many papers stands. */
function intervalOf (mean: number, se: number, papers: number): Range {
  if (!(se > 0) || mean === 0 || mean === 1) {
    return clopperPearsonInterval({ successes: mean * papers, trials: papers })
  }
  const half = tQuantile(0.975, papers - 1) * se
  return { low: Math.max(0, mean - half), high: Math.min(1, mean + half) }
}

/** Each paper to the fold with the fewest pairs so far, the largest paper first. */
function foldsOf (pairs: readonly QuestionPair[]): Map<string, number> {
  const sizes = new Map<string, number>()
  for (const { paper } of pairs) sizes.set(paper, (sizes.get(paper) ?? 0) + 1)
  const papers = [...sizes].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
  const folds = new Array<number>(Math.min(foldsMax, papers.length)).fill(0)
  return new Map(papers.map(([paper, size]) => {
    const fold = folds.indexOf(Math.min(...folds))
    folds[fold]! += size
    return [paper, fold]
  }))
}

/** Ids of n-grams: of those that the true question has more often, and the false one. */
interface Features { yes: readonly number[], no: readonly number[] }

/** What both have counts for neither, so only where they differ is looked at. */
function featuresOf ({ yes, no }: QuestionPair, idOf: Map<string, number>): Features {
  const [a, b] = differing(wordsOf(yes), wordsOf(no))
  const sums = new Map<string, number>()
  for (const gram of gramsOf(a)) sums.set(gram, (sums.get(gram) ?? 0) + 1)
  for (const gram of gramsOf(b)) sums.set(gram, (sums.get(gram) ?? 0) - 1)
  const features: { yes: number[], no: number[] } = { yes: [], no: [] }
  for (const [gram, sum] of sums) {
    if (sum === 0) continue
    let id = idOf.get(gram)
    if (id === undefined) idOf.set(gram, id = idOf.size)
    features[sum > 0 ? 'yes' : 'no'].push(id)
  }
  return features
}

/** Both without their common beginning and end, but for one word on either side. */
function differing (a: readonly string[], b: readonly string[]): [readonly string[], readonly string[]] {
  const shorter = Math.min(a.length, b.length)
  let [from, end] = [0, 0]
  while (from < shorter && a[from] === b[from]) from++
  while (end < shorter - from && a[a.length - 1 - end] === b[b.length - 1 - end]) end++
  const rest = (words: readonly string[]) =>
    words.slice(Math.max(0, from - 1), words.length - Math.max(0, end - 1))
  return [rest(a), rest(b)]
}

const token = /\p{L}[\p{L}\p{M}]*|\p{N}+(?:[.,]\p{N}+)*|[^\s\p{L}\p{N}]/gu

function wordsOf (text: string): string[] {
  return text.toLowerCase().match(token) ?? []
}

/** Words and marks, pairs of neighbours, letter triples of words (endings, particles), shapes of numbers. */
function gramsOf (words: readonly string[]): string[] {
  return words.flatMap((word, i) => {
    const grams = [word]
    if (i > 0) grams.push(`${words[i - 1]} ${word}`)
    if (/^\p{N}/u.test(word)) grams.push(word.replaceAll(/\p{N}/gu, '#'))
    const framed = `^${word}$`
    for (let at = 0; word.length > 3 && at + 3 <= framed.length; at++) grams.push(`~${framed.slice(at, at + 3)}`)
    return grams
  })
}

/** Pairs whose true, and whose false, question has a feature: in all, by fold (feature × folds + fold). */
interface Sides { yes: Int32Array, no: Int32Array }
interface Balance { folds: number, all: Sides, own: Sides }

function balanceOf (features: readonly Features[], foldOf: readonly number[], size: number): Balance {
  const folds = Math.max(...foldOf) + 1
  const countsOf = (length: number) => ({ yes: new Int32Array(length), no: new Int32Array(length) })
  const [all, own] = [countsOf(size), countsOf(size * folds)]
  for (const [i, { yes, no }] of features.entries()) {
    for (const [side, ids] of [['yes', yes], ['no', no]] as const) {
      for (const id of ids) {
        all[side][id]!++
        own[side][id * folds + foldOf[i]!]!++
      }
    }
  }
  return { folds, all, own }
}

/** 1 where the other folds tell the true member of the pair, 0 where they tell the false one, ½ between. */
function forced ({ yes, no }: Features, { folds, all, own }: Balance, fold: number): number {
  const weight = (id: number) => {
    const at = id * folds + fold
    return Math.log((all.yes[id]! - own.yes[at]! + 1) / (all.no[id]! - own.no[at]! + 1))
  }
  const score = yes.reduce((sum, id) => sum + weight(id), 0) - no.reduce((sum, id) => sum + weight(id), 0)
  // Sums of logarithms that cancel leave a last digit.
  return Math.abs(score) < 1e-9 ? 0.5 : score > 0 ? 1 : 0
}
