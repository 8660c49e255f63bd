/** Headings: found, shown or run in, and at which level. */
import type { Document, Section } from '../../../shared/contracts/document.ts'
import type { Truth, TruthHeading } from './corpus.ts'
import type { Counts } from './measures.ts'
import { bare, similarity } from './text.ts'

/** The same letters, or one begins the other (at least 0.6 of its length), or nearly the same. */
export function sameTitle (found: string, wanted: string): boolean {
  const [want, got] = [bare(wanted), bare(found)]
  if (want === got) return true
  const short = Math.min(want.length, got.length)
  const begins = want.startsWith(got) || got.startsWith(want)
  if (begins && short >= 0.6 * Math.max(want.length, got.length)) return true
  return short > 5 && similarity(want, got) >= 0.9
}

/**
 * One to one, by title and page. A heading found counts as found whichever way the document says it
 * is set (displayed or run in): that a section begins there matters, the way it is set does not. One
 * that is not in the truth counts against the way it was found. Where the truth does not say which
 * headings are run in (the publisher's XML alone), only all of them together are counted.
 */
export function scoreHeadings (
  { sections }: Document, { section_headings: wanted }: Truth, misses: string[]
): Pick<Counts, 'displayed' | 'runIn' | 'headings' | 'levels'> {
  if (wanted === undefined) return { displayed: null, runIn: null, headings: null, levels: null }
  const found = sections.filter(({ title }) => title !== '')
  const { matched, extra } = match(found, wanted, misses)
  const form = (runIn: boolean) => {
    const want = wanted.filter(heading => (heading.run_in === true) === runIn)
    const hit = want.filter(heading => matched.has(heading)).length
    return { hit, found: hit + extra.filter(section => section.runIn === runIn).length, of: want.length }
  }
  const leveled = [...matched].filter(([want]) => want.level !== undefined)
  for (const [want, got] of leveled) {
    if (want.level !== got.level) misses.push(`level: ${want.title.slice(0, 60)} is ${want.level}, got ${got.level}`)
  }
  const knowsForm = wanted.length === 0 ||
    wanted.some(({ page, run_in: runIn }) => page !== undefined || runIn !== undefined)
  const leveledRight = leveled.filter(([want, got]) => want.level === got.level).length
  return {
    displayed: knowsForm ? form(false) : null,
    runIn: knowsForm ? form(true) : null,
    headings: { hit: matched.size, found: found.length, of: wanted.length },
    levels: { hit: leveledRight, found: leveled.length, of: leveled.length }
  }
}

function match (found: readonly Section[], wanted: readonly TruthHeading[], misses: string[]) {
  const used = new Set<Section>()
  const matched = new Map<TruthHeading, Section>()
  for (const want of wanted) {
    const section = found.find(section => !used.has(section) && sameTitle(section.title, want.title) &&
      (want.page === undefined || Math.abs(want.page - section.page) <= 1))
    if (section === undefined) {
      misses.push(`heading missed${want.run_in === true ? ' (run-in)' : ''}: ${want.number} ${want.title} p${want.page}`)
      continue
    }
    used.add(section)
    matched.set(want, section)
  }
  const extra = found.filter(section => !used.has(section))
  for (const { title, page, runIn } of extra) misses.push(`heading extra${runIn ? ' (run-in)' : ''}: ${title.slice(0, 70)} p${page}`)
  return { matched, extra }
}
