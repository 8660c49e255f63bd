/**
 * Levels of headings. Numbers say their own depth; how forms of numbers nest (I., A., 1) is seen
 * from where they stand. Without numbers, styles are ranked: a style that stands directly below
 * another belongs under it, else size, capitals and weight decide; a heading is one level below the
 * last one of a higher rank.
 */
import { groupBy } from './group.ts'
import type { Heading } from './headings.ts'
import { formOf, partsOf, type NumberForm } from './heading-number.ts'
import { isBackTitle, isTopTitle, kindOf } from './section-kind.ts'

const levelMax = 6

/** @returns a level, from 1, for each heading */
export function headingLevels (headings: readonly Heading[]): number[] {
  const bases = formBases(headings)
  const ranks = styleRanks(headings)
  const rankOf = (heading: Heading) => ranks.get(rankKey(heading))!
  const top = Math.min(...headings.filter(({ runIn }) => !runIn).map(rankOf))
  const lastNumbered = headings.findLastIndex(({ number }) => formOf(number) !== 'none')
  const lastMain = Math.max(lastNumbered, headings.findLastIndex(heading =>
    mainKinds.has(kindOf(heading.title)) && rankOf(heading) === top && !isBackTitle(heading.title)))
  const open: Open[] = []
  return headings.map((heading, i) => {
    const rank = rankOf(heading)
    const above = open.findLast(other => other.rank < rank)
    const numbered = numberLevel(heading, headings, bases)
    const isBack = i > lastMain && (isBackTitle(heading.title) ||
      (lastNumbered !== -1 && !heading.runIn && above?.level === 1))
    const level = Math.min(levelMax, numbered ?? (isBack || above === undefined ? 1 : above.level + 1))
    // A number closes by level, a style also by rank.
    const isOver = (other: Open) => other.level >= level || (numbered === undefined && other.rank >= rank)
    while (open.some(isOver)) open.pop()
    open.push({ rank, level })
    return level
  })
}

interface Open { rank: number, level: number }

const mainKinds = new Set(['introduction', 'methods', 'results', 'discussion', 'conclusion'])

function numberLevel ({ number }: Heading, headings: readonly Heading[],
  bases: ReadonlyMap<NumberForm, number>): number | undefined {
  const form = formIn(number, headings)
  if (form === 'none') return undefined
  return (bases.get(form) ?? 1) + partsOf(number) - 1
}

/** "I", "V" and "C" are letters where letters count the headings: A, B, C. */
function formIn (number: string, headings: readonly Heading[]): NumberForm {
  const form = formOf(number)
  if (form !== 'roman' || !/^[IVX]$/.test(number)) return form
  const numbers = new Set(headings.map(other => other.number))
  return numbers.has('A') && numbers.has('B') && !numbers.has('II') ? 'letter' : form
}

/**
 * Level at which each form begins. A form that comes between two headings of another is nested in
 * it ("A." between "I." and "II."); one that only follows (appendices) is not, unless it is set in
 * another style.
 */
function formBases (headings: readonly Heading[]): Map<NumberForm, number> {
  const places = new Map<NumberForm, { first: number, last: number, style: string }>()
  for (const [i, { number, style }] of headings.entries()) {
    const form = formIn(number, headings)
    // "4.1" without any "4" hangs on no figure of its own form.
    if (form === 'none' || (form === 'arabic' && partsOf(number) > 1)) continue
    const place = places.get(form)
    if (place === undefined) places.set(form, { first: i, last: i, style })
    else place.last = i
  }
  const bases = new Map<NumberForm, number>()
  for (const [form, place] of places) {
    const outer = [...places].filter(([other, { first, last, style }]) => other !== form &&
      first < place.first && (last > place.first || (style !== place.style && form !== 'letter')))
    bases.set(form, 1 + outer.length)
  }
  return bases
}

function rankKey ({ style, runIn }: Heading): string {
  return runIn ? 'run-in' : style
}

/** A rank for each style: how many others stand above it. */
function styleRanks (headings: readonly Heading[]): Map<string, number> {
  const groups = groupBy(headings, rankKey)
  const styles = [...groups].map(([key, own]): Style => ({ key, ...readStyle(own) }))
  const stacked = stackedPairs(headings)
  const beats = (a: Style, b: Style) => compare(a, b, stacked) > 0
  return new Map(styles.map(style => [style.key, styles.filter(other => beats(other, style)).length]))
}

interface Style {
  key: string
  size: number
  caps: boolean
  centred: boolean
  weight: number
  /** Share of titles that papers have at their top level. */
  top: number
  runIn: boolean
}

function readStyle (own: readonly Heading[]): Omit<Style, 'key'> {
  const [, size, face] = own[0]!.style.split('|')
  const bold = face!.includes('b')
  const italic = face!.includes('i')
  const top = own.filter(({ title, number }) => number === '' && isTopTitle(title)).length
  return {
    size: Number(size),
    caps: face!.includes('C'),
    centred: face!.includes('c'),
    weight: (bold ? 2 : 0) - (italic ? 1 : 0),
    top: top >= 2 ? top / own.length : 0,
    runIn: own[0]!.runIn
  }
}

/** How often a heading of one style follows one of another with no text between. */
function stackedPairs (headings: readonly Heading[]): Map<string, number> {
  const pairs = new Map<string, number>()
  for (const [i, heading] of headings.entries()) {
    const above = headings[i - 1]
    if (above === undefined || !heading.stacked) continue
    const key = `${rankKey(above)} > ${rankKey(heading)}`
    pairs.set(key, (pairs.get(key) ?? 0) + 1)
  }
  return pairs
}

/** Positive when `a` ranks above `b`. */
function compare (a: Style, b: Style, stacked: ReadonlyMap<string, number>): number {
  if (a.key === b.key) return 0
  if (a.runIn !== b.runIn) return a.runIn ? -1 : 1
  const seen = (stacked.get(`${a.key} > ${b.key}`) ?? 0) - (stacked.get(`${b.key} > ${a.key}`) ?? 0)
  if (seen !== 0) return seen
  if (a.top > 0.3 && b.top > 0.3) return 0
  if ((a.top > 0.3) !== (b.top > 0.3)) return a.top - b.top
  if (Math.abs(a.size - b.size) > 0.6) return a.size - b.size
  return Number(a.caps) - Number(b.caps) || a.weight - b.weight || Number(a.centred) - Number(b.centred)
}
