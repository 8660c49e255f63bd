/** Text painted twice on one spot: a second setting that readers do not see. */
import type { BodyStyle } from './body-style.ts'
import { bareText } from './clean-text.ts'
import { overlapX, overlapY, widthOf, type Line } from './line.ts'

const sample = 24

/**
 * @param lines of one page
 * @returns     lines that lie across others and repeat words of the page, the body's style apart
 */
export function findCoveredText (lines: readonly Line[], body: BodyStyle): Set<Line> {
  const covered = new Set<Line>()
  const long = lines.filter(line => line.glyphs > sample)
  const text = bareText(long.filter(line => isMain(line, body)).map(line => line.text).join(''))
  for (const line of long) {
    if (isMain(line, body)) continue
    const crossed = long.some(other => other !== line && isMain(other, body) &&
      overlapY(other.box, line.box) > 0.2 * (line.box[3] - line.box[1]) &&
      overlapX(other.box, line.box) > 0.5 * widthOf(line.box))
    if (crossed && text.includes(bareText(line.text).slice(0, sample))) covered.add(line)
  }
  const sizes = new Set([...covered].map(line => `${line.font}|${line.size.toFixed(1)}`))
  if (covered.size < 2) return new Set()
  return new Set(lines.filter(line => covered.has(line) || (sizes.has(`${line.font}|${line.size.toFixed(1)}`) &&
    text.includes(bareText(line.text)))))
}

function isMain (line: Line, body: BodyStyle): boolean {
  return Math.abs(line.size - body.size) < 0.2 && body.fonts.has(line.font)
}
