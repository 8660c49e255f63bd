/** The noise and mutation suites: is what the paper says found, and nothing else? */
import { evidenceSourceOf, locateQuote, type EvidenceSource } from '../../../shared/text/evidence.ts'
import { normalised } from '../../../shared/text/normalise.ts'
import { passagesOf } from '../../../shared/text/passages.ts'
import { splitSentences } from '../../../shared/text/sentences.ts'
import { chanceOf } from './chance.ts'
import { claimMutations } from './claim-mutants.ts'
import { mutations, stockOf, type Stock } from './mutants.ts'
import { noises } from './noise.ts'
import type { Paper } from './papers.ts'

export interface Subject {
  slug: string
  source: EvidenceSource
  sentences: string[]
  stock: Stock
  all: string
}

interface Attempt {
  kind: string
  quote: string
  sentence: string
}

export interface Tried extends Attempt {
  slug: string
  accepted: boolean
  reason: string
}

/** Sentences a model would quote. */
const lengths = { min: 40, max: 500 }

export function subjectOf ({ slug, document }: Paper): Subject {
  const passages = passagesOf(document)
  const sentences = passages.flatMap(({ text }) => splitSentences(text).map(({ text }) => text))
    .filter(({ length }) => length >= lengths.min && length <= lengths.max)
  return {
    slug,
    source: evidenceSourceOf(document),
    sentences,
    stock: stockOf(sentences),
    all: normalised(passages.map(({ text }) => text).join(' ')).toLowerCase()
  }
}

/** Whether they are one paper in two layouts: more than a tenth of 30 sentences is in both. */
export function sharesSentences (one: Subject, other: Subject): boolean {
  const some = other.sentences.slice(0, 30)
  return some.filter(text => one.all.includes(normalised(text).toLowerCase())).length > some.length / 10
}

export function tryNoises (subject: Subject, perKind: number): Tried[] {
  const chance = chanceOf(subject.all.length)
  return Object.entries(noises).flatMap(([kind, change]) =>
    chance.some(subject.sentences, perKind).flatMap(sentence => {
      const quote = change(sentence, chance)
      return quote === null ? [] : [tried(subject, { kind, quote, sentence })]
    }))
}

/** @param other  a paper whose sentences are not this paper's */
export function tryMutations (subject: Subject, other: Subject, perKind: number): Tried[] {
  const chance = chanceOf(subject.all.length + 1)
  const pools = { chance, own: subject.stock, otherPaper: other.sentences }
  return Object.entries({ ...mutations, ...claimMutations }).flatMap(([kind, mutate]) => {
    const made: Tried[] = []
    for (const sentence of chance.some(subject.sentences, subject.sentences.length)) {
      if (made.length >= perKind) break
      const quote = mutate(sentence, pools)
      // By chance the change may give what the paper also says; cut and short ones always do.
      const says = (quote: string) =>
        !/^cut|words?$|^case/u.test(kind) && subject.all.includes(normalised(quote).toLowerCase())
      if (quote === null || quote === sentence || says(quote)) continue
      made.push(tried(subject, { kind, quote, sentence }))
    }
    return made
  })
}

function tried ({ source, slug }: Subject, { kind, quote, sentence }: Attempt): Tried {
  const found = locateQuote(source, quote)
  const reason = 'place' in found ? '' : `${found.reason}: ${found.detail}`
  return { kind, slug, quote, sentence, accepted: 'place' in found, reason }
}
