/** References and numbered equations. */
import type { Document } from '../../../shared/contracts/document.ts'
import type { Truth } from './corpus.ts'
import type { PageLine } from './floats.ts'
import type { XmlTruth } from './jats.ts'
import { yes, type Count, type Counts } from './measures.ts'
import { bare } from './text.ts'

interface Known { truth: Truth, xml: XmlTruth | null, lines: readonly PageLine[] }

/**
 * Their number within 5 % (10 % where the truth is an estimate, one in any case); of those that the
 * XML names, the year and the DOI that our entry has. A DOI counts only if it is printed in the paper.
 */
export function scoreReferences (
  { references }: Document, { truth, xml, lines }: Known, misses: string[]
): Pick<Counts, 'references' | 'years' | 'dois'> {
  const printed = bare(lines.map(({ text }) => text).join(''))
  const texts = references.map(({ text }) => bare(text))
  const dated = { hit: 0, found: 0, of: 0 }
  const dois = { hit: 0, found: 0, of: 0 }
  for (const [i, { title, years, doi }] of (xml?.references ?? []).entries()) {
    const key = bare(title).slice(0, 40)
    const at = key === '' ? -1 : texts.findIndex(text => text.includes(key))
    // Titles are often not printed; then a list of the right length is read in order.
    const own = references[at !== -1 ? at : references.length === xml?.references.length ? i : -1]
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
