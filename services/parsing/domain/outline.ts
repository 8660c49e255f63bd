/**
 * Headings of one paper taken together: what is a heading for itself may be none in its company.
 * Where sections are numbered, an unnumbered bold line inside them labels a paragraph or a box.
 */
import { groupBy } from './group.ts'
import { formOf, partsOf } from './heading-number.ts'
import type { Heading } from './headings.ts'
import type { Line } from './line.ts'
import { isBackTitle, isKnownTitle, kindOf, plainTitle } from './section-kind.ts'

const statement = /^(?:theorem|lemma|proposition|corollary|definition|remark|proof|claim|assumption|algorithm|conjecture|hypothesis|fact|listing)\b\s*(?:[A-Z]?\d|[.:(]|$)/i

/**
 * @param found headings in reading order, each good enough by itself
 * @param flow  lines of running text in reading order
 */
export function settleOutline (found: readonly Heading[], flow: readonly Line[]): Heading[] {
  const worded = found.filter(heading => hasWords(heading.title) &&
    (heading.number !== '' || !statement.test(heading.title)))
  const counted = dropMiscounted(worded)
  const kept = isNumbered(counted) ? dropLabels(counted, flow) : counted
  return markStacked(kept, flow)
}

/** Formulas are set apart too: "F = a", "Q% Z a C". */
export function hasWords (title: string): boolean {
  const tokens = title.split(/\s+/)
  const words = tokens.filter(token => /\p{L}{3}|[\u3040-\u30FF\u4E00-\u9FFF\uAC00-\uD7AF]/u.test(token)).length
  const single = tokens.filter(token => /^[^\p{L}]*\p{L}?[^\p{L}]*$/u.test(token)).length
  return words > 0 && (single <= 0.5 * tokens.length || tokens.length < 3)
}

/**
 * Figures of one form count up: a "7 Days" in another style than its neighbours between section 2
 * and section 3 is none of them.
 */
function dropMiscounted (found: readonly Heading[]): Heading[] {
  const singles = found.filter(({ number }) => formOf(number) === 'arabic' && partsOf(number) === 1)
  const chain = longestCount(singles)
  const styles = new Set(chain.map(({ style }) => style))
  const inChain = new Set(chain)
  return found.filter(heading => !singles.includes(heading) || inChain.has(heading) ||
    chain.length < 3 || styles.has(heading.style))
}

/** The longest run of headings whose numbers grow by one, a missed one allowed. */
function longestCount (singles: readonly Heading[]): Heading[] {
  const best: Heading[][] = []
  for (const [i, heading] of singles.entries()) {
    const number = Number(heading.number)
    let own: Heading[] = []
    for (let j = 0; j < i; j++) {
      const step = number - Number(singles[j]!.number)
      if ((step === 1 || step === 2) && best[j]!.length > own.length) own = best[j]!
    }
    best.push([...own, heading])
  }
  return best.reduce((longest, own) => own.length > longest.length ? own : longest, [])
}

/** Whether the paper numbers its sections. */
export function isNumbered (headings: readonly Heading[]): boolean {
  const numbers = headings.filter(({ number }) => number !== '').length
  return numbers >= 3 && numbers >= 0.3 * headings.length
}

/** Of the unnumbered lines between numbered headings only named or often repeated kinds stay. */
function dropLabels (headings: readonly Heading[], flow: readonly Line[]): Heading[] {
  const first = headings.findIndex(({ number }) => number !== '')
  const last = headings.findLastIndex(({ number }) => number !== '')
  const inside = headings.filter(({ number }, i) => number === '' && i > first && i < last)
  const kin = groupBy(inside, ({ style }) => style)
  const numbered = new Set(headings.filter(({ number }) => number !== '').map(({ style }) => style))
  return headings.filter((heading, i) => {
    if (heading.number !== '' || i < first || i > last) return true
    if (isBackTitle(heading.title)) return true
    if (isKnownTitle(heading.title) && numbered.has(heading.style)) return true
    const own = kin.get(heading.style)!
    return own.length >= 3 && own.every(({ isolated }) => isolated) &&
      countLeads(flow, heading) < 0.5 * own.length
  })
}

/**
 * Run-in headings that are sections: in a paper with numbers the numbered ones and the statements
 * behind its body; "Funding:" below "Acknowledgements" is part of these.
 */
export function settleRunIns (found: readonly Heading[], displayed: readonly Heading[],
  flow: readonly Line[]): Heading[] {
  const places = new Map(flow.map((line, i) => [line, i]))
  const at = ({ lines }: Heading) => places.get(lines[0]!) ?? -1
  const holder = (heading: Heading) => displayed.findLast(other => at(other) !== -1 && at(other) < at(heading))
  const nested = nestedStyles(found, displayed, holder)
  return found.filter(heading => {
    const title = holder(heading)?.title
    if (title !== undefined && holdsStatements(title) && heading.number === '') return false
    return nested === undefined || heading.number !== '' || nested.has(heading.style) ||
      isBackTitle(heading.title)
  })
}

/**
 * In a paper with numbers the styles of run-in names one level below its deepest numbers: names
 * that stand right below a section, where others have subsections, label paragraphs.
 */
function nestedStyles (found: readonly Heading[], displayed: readonly Heading[],
  holder: (heading: Heading) => Heading | undefined): Set<string> | undefined {
  if (!isNumbered(displayed)) return undefined
  const deepest = Math.max(...displayed.map(({ number }) => partsOf(number)))
  const styles = groupBy(found, ({ style }) => style)
  return new Set([...styles].filter(([, own]) => deepest >= 2 && own.length >= 2 &&
    own.filter(heading => partsOf(holder(heading)?.number ?? '') === deepest).length >= 0.8 * own.length)
    .map(([style]) => style))
}

function holdsStatements (title: string): boolean {
  return kindOf(title) === 'acknowledgements' || /^(?:additional|article|author) information$/.test(plainTitle(title))
}

/** Paragraphs that open in a heading's face and go on in another. */
function countLeads (flow: readonly Line[], { lines }: Heading): number {
  const face = lines[0]!.spans[0]!
  return flow.filter(({ spans }) => spans.length > 1 && spans[0]!.font === face.font &&
    Math.abs(spans[0]!.size - face.size) < 0.4 && spans[0]!.text.length > 3 &&
    spans.at(-1)!.font !== face.font && !lines.some(line => line.spans === spans)).length
}

function markStacked (headings: readonly Heading[], flow: readonly Line[]): Heading[] {
  const ends = new Set(headings.map(({ lines }) => lines.at(-1)!))
  const places = new Map(flow.map((line, i) => [line, i]))
  return headings.map(heading => {
    const above = flow[places.get(heading.lines[0]!)! - 1]
    return { ...heading, stacked: above !== undefined && ends.has(above) }
  })
}
