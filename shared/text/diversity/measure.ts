/** How diverse a set of items of one paper is. */
import type { Measured, Measures } from '../../contracts/diversity.ts'
import { figureTypes } from './figure-type.ts'
import type { Ground } from './ground.ts'
import { difficulties, type Labels } from './labels.ts'
import { questionClasses } from './question-class.ts'
import type { Subject } from './subject.ts'

/** An item speaks of a claim when it holds so much of it. */
export const claimShareMin = 0.5

/**
 * Each in [0, 1], with how many things it is made of.
 *
 * - `sentences`, `sections`, `figures`, `tables`: share of those of the paper that some item quotes, or
 *   is about; n of them
 * - `claims`: share of the abstract's sentences of which one item quotes a part or holds at least half
 *   of the terms by weight (idf over the paper's sentences); n claims
 * - `…Entropy`: Shannon entropy of the classes over pairs and single items, of the greatest that so
 *   many can have: ln min(n, classes); null where that is 0 (Pielou 1966,
 *   doi:10.1016/0022-5193(66)90013-0)
 * - `distinct2`: different pairs of neighbouring words in questions and answers of all (Li et al. 2016,
 *   doi:10.18653/v1/N16-1014); a pair counts once in an item
 * - `meanOverlap`, `nearestOverlap`: self-repetition: mean Jaccard overlap of those word pairs between
 *   two items; mean over items of the highest with any other (as self-BLEU: Zhu et al. 2018,
 *   doi:10.1145/3209978.3210080, with an overlap that is symmetric); low is diverse
 * - `supportRate`: items with evidence of which every check passed; n items
 */
export function measuresOf (subjects: readonly Subject[], ground: Ground): Measures {
  const items = subjects.reduce((sum, { unit }) => sum + unit.length, 0)
  const supported = subjects.reduce((sum, { unit, supported }) => sum + (supported ? unit.length : 0), 0)
  const bigrams = union(subjects, ({ bigrams }) => bigrams).size
  const allBigrams = subjects.reduce((sum, { bigrams }) => sum + bigrams.size, 0)
  const claimed = ground.claims.filter(({ index }) => subjects.some(subject => speaksOf(subject, index)))
  return {
    sentences: share(union(subjects, ({ sentences }) => sentences).size, ground.sentenceCount),
    sections: share(union(subjects, ({ sections }) => sections).size, ground.sections.size),
    figures: share(union(subjects, ({ figures }) => figures).size, ground.figures.size),
    tables: share(union(subjects, ({ tables }) => tables).size, ground.tables.size),
    claims: share(claimed.length, ground.claims.length),
    sectionEntropy: entropyOf(subjects, 'section', ground.sections.size + (ground.claims.length > 0 ? 1 : 0)),
    questionClassEntropy: entropyOf(subjects, 'questionClass', questionClasses.length),
    difficultyEntropy: entropyOf(subjects, 'difficulty', difficulties.length),
    figureTypeEntropy: entropyOf(subjects, 'figureType', figureTypes.length),
    distinct2: share(bigrams, allBigrams),
    ...repetitionOf(subjects),
    supportRate: share(supported, items)
  }
}

export function speaksOf ({ sentences, claims }: Subject, claim: number): boolean {
  return sentences.has(claim) || (claims.get(claim) ?? 0) >= claimShareMin
}

function share (part: number, n: number): Measured {
  return { value: n === 0 ? null : part / n, n }
}

function union<T> (subjects: readonly Subject[], setOf: (subject: Subject) => ReadonlySet<T>): Set<T> {
  const all = new Set<T>()
  for (const subject of subjects) for (const element of setOf(subject)) all.add(element)
  return all
}

function entropyOf (subjects: readonly Subject[], axis: keyof Labels, classes: number): Measured {
  const counts = new Map<string, number>()
  for (const label of labelled(subjects, axis)) counts.set(label, (counts.get(label) ?? 0) + 1)
  const n = [...counts.values()].reduce((sum, count) => sum + count, 0)
  const most = Math.log(Math.min(n, Math.max(classes, counts.size)))
  if (!(most > 0)) return { value: null, n }
  const entropy = -[...counts.values()].reduce((sum, count) => sum + count / n * Math.log(count / n), 0)
  return { value: Math.min(1, Math.max(0, entropy / most)), n }
}

/** Of those that have one; in the order of the subjects. */
export function labelled (subjects: readonly Subject[], axis: keyof Labels): string[] {
  return subjects.flatMap(({ labels: { [axis]: label } }) => label ?? [])
}

/** Jaccard of word pairs, for each two: only those that share any are looked at. */
function repetitionOf (subjects: readonly Subject[]): Record<'meanOverlap' | 'nearestOverlap', Measured> {
  const n = subjects.length
  if (n < 2) return { meanOverlap: { value: null, n }, nearestOverlap: { value: null, n } }
  const earlier = new Map<string, number[]>()
  const nearest = new Float64Array(n)
  let sum = 0
  for (const [i, { bigrams }] of subjects.entries()) {
    const common = new Uint32Array(i)
    for (const bigram of bigrams) {
      const others = earlier.get(bigram) ?? []
      for (const j of others) common[j] = common[j]! + 1
      if (others.length === 0) earlier.set(bigram, others)
      others.push(i)
    }
    for (const [j, count] of common.entries()) {
      if (count === 0) continue
      const overlap = count / (bigrams.size + subjects[j]!.bigrams.size - count)
      sum += overlap
      nearest[i] = Math.max(nearest[i]!, overlap)
      nearest[j] = Math.max(nearest[j]!, overlap)
    }
  }
  return {
    meanOverlap: { value: sum / (n * (n - 1) / 2), n },
    nearestOverlap: { value: nearest.reduce((all, one) => all + one, 0) / n, n }
  }
}
