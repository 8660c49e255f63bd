/** References and numbered equations. */
import type { Document } from '../../../shared/contracts/document.ts'
import type { Truth } from './corpus.ts'
import type { PageLine } from './floats.ts'
import type { XmlTruth } from './jats.ts'
import { yes, type Count, type Counts } from './measures.ts'
import { bare, tokensOf } from './text.ts'

interface Known { truth: Truth, xml: XmlTruth | null, lines: readonly PageLine[] }

/**
 * Their number within 5 % (10 % where the truth is an estimate, one in any case); of those that the
 * XML names, the year and the DOI that our entry has. A DOI counts only if it is printed in the paper.
 */
export function scoreReferences (
  { references }: Document, { truth, xml, lines }: Known, misses: string[]
): Pick<Counts, 'references' | 'years' | 'dois'> {
  const printed = bare(lines.map(({ text }) => text).join(''))
  const texts = references.map(({ text }) => new Set(tokensOf(text)))
  const dated = { hit: 0, found: 0, of: 0 }
  const dois = { hit: 0, found: 0, of: 0 }
  for (const [i, { words, years, doi }] of (xml?.references ?? []).entries()) {
    const own = references[mostAlike(texts, words)]
    if (years.length > 0 && !add(dated, years.includes(own?.year ?? 0))) {
      misses.push(`year of reference ${i + 1}: ${years.join(', ')}, got ${own?.year}`)
    }
    if (doi === undefined || !printed.includes(bare(doi))) continue
    if (!add(dois, own?.doi?.toLowerCase() === doi)) {
      misses.push(`DOI of reference ${i + 1}: ${doi}, got ${own?.doi}`)
    }
  }
  return {
    references: countWithin(references.length, truth, misses),
    years: dated.of === 0 ? null : dated,
    dois: dois.of === 0 ? null : dois
  }
}

/** Which of the texts has most of the words, if it has half of them; -1 if none has. */
function mostAlike (texts: ReadonlyArray<ReadonlySet<string>>, words: readonly string[]): number {
  const shared = texts.map(text => words.filter(word => text.has(word)).length)
  const most = Math.max(0, ...shared)
  return most > 0 && most >= 0.5 * words.length ? shared.indexOf(most) : -1
}

function add (count: Count, right: boolean): boolean {
  count.of++
  count.found++
  if (right) count.hit++
  return right
}

function countWithin (found: number, truth: Truth, misses: string[]): Count | null {
  if (truth.n_references === undefined) return null
  const room = Math.max(1, truth.n_references * (truth.n_references_approx === true ? 0.1 : 0.05))
  const right = Math.abs(found - truth.n_references) <= room
  if (!right) misses.push(`references: ${found} of ${truth.n_references}`)
  return yes(right)
}

/** By printed number, each once. */
export function scoreEquations ({ equations }: Document, truth: Truth, misses: string[]): Count | null {
  if (truth.equations === undefined) return null
  const want = new Set(truth.equations.map(equation => bare(typeof equation === 'string' ? equation : equation.number)))
  const got = new Set(equations.map(({ number }) => bare(number)).filter(number => number !== ''))
  const missed = [...want].filter(number => !got.has(number))
  const extra = [...got].filter(number => !want.has(number))
  if (missed.length > 0) misses.push(`equations missed: ${missed.join(', ')}`)
  if (extra.length > 0) misses.push(`equations extra: ${extra.join(', ')}`)
  return { hit: want.size - missed.length, found: got.size, of: want.size }
}
