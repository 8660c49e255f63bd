/**
 * Numbers of lines, which manuscripts have in their margins: integers under each other at one x
 * that count on down the page. A table or a reference list may count too, but not on most pages.
 */
import { groupBy } from './group.ts'
import { charFlags, type PageGlyphs } from './page-glyphs.ts'

interface Token { from: number, to: number, value: number, x0: number, x1: number, y: number }

/** Numbers of one page under each other; fewer may be anything. */
const numbersMin = 5
/** Share of the pages that must have some. */
const pagesShare = 0.5
/** Em between a number and its line. */
const gapMin = 0.5

/** @returns for each page the indexes of the glyphs of line numbers */
export function findLineNumbers (pages: readonly PageGlyphs[]): ReadonlySet<number>[] {
  const columns = pages.map(page => countingColumns(numberTokens(page)))
  const numbered = columns.filter(tokens => tokens.length > 0).length
  const written = pages.filter(({ chars }) => chars.count > 200).length
  const isManuscript = numbered > 0 && numbered >= pagesShare * written &&
    columns.flat().length >= 2 * numbersMin
  return columns.map(tokens => {
    const glyphs = new Set<number>()
    if (isManuscript) for (const { from, to } of tokens) for (let i = from; i < to; i++) glyphs.add(i)
    return glyphs
  })
}

/** Integers that stand apart from what is before and behind them on their baseline. */
function numberTokens ({ chars }: PageGlyphs): Token[] {
  const { count, code, origin, box, size, flags } = chars
  const tokens: Token[] = []
  let last = -1
  for (let i = 0; i < count; i++) {
    if (code[i]! <= 32 || (flags[i]! & charFlags.generated) !== 0) continue
    const opens = isDigit(code[i]!) && (last === -1 || isApart(chars, last, i))
    last = i
    if (!opens) continue
    let to = i + 1
    while (to < count && to - i < 5 && isDigit(code[to]!) && origin[to * 2 + 1] === origin[i * 2 + 1] &&
      origin[to * 2]! > origin[to * 2 - 2]!) to++
    let next = to
    while (next < count && code[next]! <= 32) next++
    last = to - 1
    const goesOn = next < count && !isApart(chars, to - 1, next)
    if (goesOn && origin[next * 2 + 1]! - origin[i * 2 + 1]! < size[i]!) continue
    let value = 0
    for (let at = i; at < to; at++) value = value * 10 + code[at]! - 48
    tokens.push({ from: i, to, value, x0: box[i * 4]!, x1: box[to * 4 - 2]!, y: origin[i * 2 + 1]! })
  }
  return tokens
}

function isDigit (code: number): boolean {
  return code >= 48 && code <= 57
}

function isApart ({ origin, box, size }: PageGlyphs['chars'], a: number, b: number): boolean {
  const em = Math.max(size[a]!, size[b]!)
  if (Math.abs(origin[a * 2 + 1]! - origin[b * 2 + 1]!) > 0.3 * em) return true
  const gap = box[b * 4]! - box[a * 4 + 2]!
  return gap > gapMin * em || gap < -2 * em
}

function countingColumns (tokens: readonly Token[]): Token[] {
  if (tokens.length < numbersMin) return []
  const byRight = groupBy(tokens, ({ x1 }) => Math.round(x1 / 2))
  const byLeft = groupBy(tokens, ({ x0 }) => Math.round(x0 / 2))
  const found = new Set<Token>()
  for (const group of [...byRight.values(), ...byLeft.values()]) {
    for (const token of counting(group)) found.add(token)
  }
  return [...found]
}

/** Those whose number fits the one above or below. */
function counting (group: readonly Token[]): Token[] {
  if (group.length < numbersMin) return []
  const sorted = [...group].sort((a, b) => a.y - b.y)
  const fits = (a: Token | undefined, b: Token | undefined) => a !== undefined && b !== undefined &&
    (b.value - a.value === 1 || b.value - a.value === 5) && b.y - a.y > 2
  const kept = sorted.filter((token, i) => fits(sorted[i - 1], token) || fits(token, sorted[i + 1]))
  return kept.length >= numbersMin && kept.length >= 0.8 * group.length ? kept : []
}
