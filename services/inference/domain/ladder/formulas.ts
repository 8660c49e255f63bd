/**
 * Where the formulas of a text are, by its dollar signs: Pandoc's rule (an opening sign has no blank
 * behind it, a closing one none before it and no digit behind it), and short ones only, for prices have
 * dollar signs too.
 */

const inlineCharsMax = 200
/** An opening sign before a digit is a price unless the formula ends soon. */
const afterDigitCharsMax = 40

export interface Formula { from: number, to: number, display: boolean }

export function formulasIn (text: string): Formula[] {
  const formulas: Formula[] = []
  for (let at = text.indexOf('$'); at >= 0;) {
    const display = text[at + 1] === '$'
    const end = text[at - 1] === '\\' ? -1 : display ? text.indexOf('$$', at + 2) : inlineEnd(text, at)
    if (end < 0) { at = text.indexOf('$', at + (display ? 2 : 1)); continue }
    formulas.push({ from: at, to: end, display })
    at = text.indexOf('$', end + (display ? 2 : 1))
  }
  return formulas
}

function inlineEnd (text: string, from: number): number {
  const first = text[from + 1] ?? ' '
  if (/\s/.test(first)) return -1
  const most = from + (/\d/.test(first) ? afterDigitCharsMax : inlineCharsMax)
  for (let at = text.indexOf('$', from + 1); at >= 0 && at <= most; at = text.indexOf('$', at + 1)) {
    const before = text[at - 1]!
    if (before !== '\\' && !/\s/.test(before) && !/\d/.test(text[at + 1] ?? '')) return at
  }
  return -1
}
