/** Levels of headings: by the depth of their numbers, else by the rank of their style. */
import type { Heading } from './headings.ts'
import { kindOf } from './section-kind.ts'

const levelMax = 6
/** However small they are set. */
const backMatter = new Set(['references', 'acknowledgements'])

/** @returns a level, from 1, for each heading */
export function headingLevels (headings: readonly Heading[]): number[] {
  const byStyle = styleLevels(headings)
  return headings.map(heading => {
    const depth = numberDepth(heading.number, headings)
    if (depth !== undefined) return Math.min(depth, levelMax)
    if (!heading.runIn && backMatter.has(kindOf(heading.title))) return 1
    const deepest = Math.max(1, ...byStyle.values())
    const level = byStyle.get(heading.style) ?? (heading.runIn ? deepest + 1 : 1)
    return Math.min(level, levelMax)
  })
}

function numberDepth (number: string, headings: readonly Heading[]): number | undefined {
  if (number === '') return undefined
  if (/^\d/.test(number)) {
    const depth = number.split(/[.-]/).filter(part => part !== '').length
    const romanAbove = headings.some(other => /^(?:[IVX]{1,5}|[\u2160-\u216B])$/.test(other.number))
    return romanAbove && depth === 1 ? 2 : depth
  }
  if (/^[IVX]+(?:\.[IVX]+)+$/.test(number)) return number.split('.').length
  if (/^[IVX]+$/.test(number) && !(number.length === 1 && lettered(headings))) return 1
  if (/^[A-H](?:\.|$)/.test(number)) {
    const roman = headings.some(other => /^[IVX]{2,5}$/.test(other.number))
    return roman && !number.includes('.') ? 2 : number.split('.').length
  }
  return number.split('.').length
}

/** Whether letters number the headings (A, B, C), so that "C" and "I" are letters too. */
function lettered (headings: readonly Heading[]): boolean {
  const numbers = new Set(headings.map(({ number }) => number))
  return numbers.has('A') && numbers.has('B') && !numbers.has('II')
}

/** Styles in the order of their first use below a top heading, bigger ones first. */
function styleLevels (headings: readonly Heading[]): Map<string, number> {
  const levels = new Map<string, number>()
  for (const heading of headings) {
    const depth = numberDepth(heading.number, headings)
    if (depth !== undefined && !levels.has(heading.style)) levels.set(heading.style, depth)
  }
  const top = headings.filter(({ number, title, runIn }) =>
    number === '' && !runIn && kindOf(title) !== 'other').map(({ style }) => style)
  const rest = [...new Set(headings.filter(({ runIn }) => !runIn).map(({ style }) => style))]
    .filter(style => !levels.has(style))
  const sizes = rest.map(style => Number(style.split('|')[1]))
  const ranked = rest.map((style, i) => ({ style, size: sizes[i]!, caps: style.endsWith('C'), top: top.filter(own => own === style).length }))
    .sort((a, b) => Number(b.top >= 2) - Number(a.top >= 2) || b.size - a.size ||
      Number(b.caps) - Number(a.caps) || b.top - a.top)
  let level = 0
  for (const [i, { style }] of ranked.entries()) {
    if (i === 0 || !sameRank(ranked[i - 1]!, ranked[i]!)) level++
    levels.set(style, levels.size > 0 && i === 0 ? 1 : level)
  }
  return levels
}

interface Rank { size: number, top: number, caps: boolean }

function sameRank (a: Rank, b: Rank): boolean {
  return a.caps === b.caps && a.top > 0 && b.top > 0 && Math.abs(a.size - b.size) < 0.6
}
