/** Text by code points, as offsets and reference implementations count, where JavaScript has UTF-16 units. */

/** How many begin in `text.slice(from, to)`; a lone surrogate is one. */
export function codePointsIn (text: string, from = 0, to = text.length): number {
  let count = to - from
  for (let at = Math.max(1, from); at < to; at++) if (isSecondHalf(text, at)) count--
  return count
}

function isSecondHalf (text: string, at: number): boolean {
  const unit = text.charCodeAt(at)
  if (unit < 0xdc00 || unit > 0xdfff) return false
  const before = text.charCodeAt(at - 1)
  return before >= 0xd800 && before < 0xdc00
}

/** In the order of code points, as Python has it: UTF-16 units put astral characters before U+E000. */
export function compareCodePoints (x: string, y: string): number {
  const a = [...x]
  const b = [...y]
  for (let i = 0; i < a.length && i < b.length; i++) {
    const difference = a[i]!.codePointAt(0)! - b[i]!.codePointAt(0)!
    if (difference !== 0) return difference
  }
  return a.length - b.length
}
