/**
 * Formulas set apart from the text: a line with a relation sign and hardly a word, indented or
 * centred, with the limits, fractions and the number that stand around it.
 */
import { groupBy } from './group.ts'
import { overlapX, unionOf, widthOf, type Line } from './line.ts'
import type { Box } from './page-glyphs.ts'
import { readLabel } from './captions.ts'

const relation = /[=\u2248\u2264\u2265\u221D\u2192\u21CC\u2261\u2208\u223C<>]|\u2194/
/** Addresses have the signs of formulas. */
const address = /https?:|www\.|\bdoi\b|\b10\.\d{4,9}\//i
const operator = /[+\u2212\u00B1\u00D7\u00B7\u2211\u220F\u222B\u2202\u2207\u221A/()[\]{}|]|\d/
/** Words that formulas have. */
const inFormulas = /^(?:log|exp|sin|cos|tan|tanh|max|min|argmax|argmin|where|with|and|for|otherwise|mod|det|var|cov|diag|rank|lim|sup|inf|subject|such|that)$/i
/** A word of running text that may stand in a formula as a name. */
const wordsMax = 3

interface Page { lines: readonly Line[], prose: ReadonlySet<Line>, bodySize: number }

/**
 * @param page lines outside floats and notes
 * @returns    groups of lines, one a formula, from the top of each column
 */
export function findDisplayMath ({ lines, prose, bodySize }: Page): Line[][] {
  const lefts = leftEdges(lines, prose)
  const loose = lines.filter(line => !prose.has(line))
  const cores = loose.filter(line => isCore(line, lefts.get(line.column) ?? line.box[0], bodySize))
  const groups: Line[][] = []
  const taken = new Set<Line>()
  for (const core of cores.sort((a, b) => a.column - b.column || a.baseline - b.baseline)) {
    if (taken.has(core)) continue
    const own = around(core, loose.filter(line => !taken.has(line)), bodySize)
    for (const line of own) taken.add(line)
    groups.push(own)
  }
  return groups
}

/** Where the running text of each column begins. */
function leftEdges (lines: readonly Line[], prose: ReadonlySet<Line>): Map<number, number> {
  const byColumn = groupBy(lines.filter(line => prose.has(line)), ({ column }) => column)
  return new Map([...byColumn].map(([column, own]) => {
    const lefts = own.map(({ box }) => box[0]).sort((a, b) => a - b)
    return [column, lefts[Math.floor(lefts.length / 4)]!]
  }))
}

function isCore (line: Line, left: number, bodySize: number): boolean {
  const { text } = line
  if (address.test(text)) return false
  if (!relation.test(text) || !operator.test(text.replace(relation, '')) || readLabel(text) !== undefined) return false
  if (line.size < bodySize - 2.5 || line.size > bodySize + 1.5) return false
  const numbered = /\s\(\d{1,3}(?:\.\d{1,3})?[a-z]?\)\s*$/.test(text)
  const set = line.box[0] > left + 0.8 * bodySize
  if (!set && !(numbered && line.gaps > 0)) return false
  return isFormula(text)
}

/** Hardly a word, and more signs and single letters than words. */
function isFormula (text: string): boolean {
  const words = (text.match(/\p{L}{3,}/gu) ?? []).filter(word => !inFormulas.test(word))
  const letters = words.reduce((sum, word) => sum + word.length, 0)
  return words.length <= wordsMax && letters <= 0.45 * text.replace(/\s/g, '').length && !/[.?!]\s+\p{Lu}\p{Ll}/u.test(text)
}

/** A formula with the pieces that stand in its band: they are short, and no words. */
function around (core: Line, loose: readonly Line[], bodySize: number): Line[] {
  const own = [core]
  let box: Box = core.box
  for (let grown = true; grown;) {
    grown = false
    for (const line of loose) {
      if (own.includes(line) || line.page !== core.page || !isPiece(line)) continue
      const middle = (line.box[1] + line.box[3]) / 2
      const near = middle > box[1] - 0.9 * bodySize && middle < box[3] + 0.9 * bodySize
      const beside = overlapX(line.box, box) > -4 * bodySize || isNumber(line.text)
      if (!near || !beside || (line.column !== core.column && overlapX(line.box, box) <= 0)) continue
      own.push(line)
      if (box[3] - box[1] < 8 * bodySize) box = unionOf([box, line.box])
      grown = true
    }
  }
  return own.sort((a, b) => a.order - b.order)
}

function isPiece (line: Line): boolean {
  const bare = line.text.trim()
  if (isNumber(bare)) return true
  return widthOf(line.box) > 0 && !/\p{L}{4,}/u.test(bare.replace(/\b(?:where|otherwise)\b/g, '')) && isFormula(bare) &&
    (line.glyphs <= 6 || relation.test(bare) || operator.test(bare))
}

function isNumber (text: string): boolean {
  return /^\(\d{1,3}(?:\.\d{1,3})?[a-z]?\)$/.test(text.trim())
}
