/** The style most of a paper is set in; every other style is told from it. */
import { widthOf, type Line } from './line.ts'

export interface BodyStyle {
  /** Point size of the running text. */
  size: number
  /** Fonts that carry at least a tenth of the text of that size. */
  fonts: ReadonlySet<number>
  /** Usual distance of baselines, in points. */
  leading: number
  bold: boolean
}

/** @param lines of the whole paper, in any order */
export function findBodyStyle (lines: readonly Line[]): BodyStyle {
  const bySize = new Map<number, number>()
  for (const line of lines) {
    if (widthOf(line.box) < 60) continue
    const size = Math.round(line.size * 5) / 5
    bySize.set(size, (bySize.get(size) ?? 0) + line.glyphs)
  }
  const size = largestKey(bySize) ?? 10
  const byFont = new Map<number, number>()
  let total = 0
  for (const line of lines) {
    if (Math.abs(line.size - size) > 0.3) continue
    byFont.set(line.font, (byFont.get(line.font) ?? 0) + line.glyphs)
    total += line.glyphs
  }
  const fonts = new Set([...byFont].filter(([, count]) => count >= total / 10).map(([font]) => font))
  const bold = lines.find(line => line.font === largestKey(byFont))?.bold ?? false
  return { size, fonts, leading: usualLeading(lines, size), bold }
}

function largestKey (counts: ReadonlyMap<number, number>): number | undefined {
  let best: number | undefined
  for (const [key, count] of counts) {
    if (best === undefined || count > counts.get(best)!) best = key
  }
  return best
}

function usualLeading (lines: readonly Line[], size: number): number {
  const steps = new Map<number, number>()
  for (let i = 1; i < lines.length; i++) {
    const above = lines[i - 1]!
    const line = lines[i]!
    const step = line.baseline - above.baseline
    const near = step > 0.8 * size && step < 2.5 * size && above.page === line.page
    if (!near || Math.abs(line.size - size) > 0.3) continue
    const key = Math.round(step * 5) / 5
    steps.set(key, (steps.get(key) ?? 0) + 1)
  }
  return largestKey(steps) ?? 1.2 * size
}

/** Whether a line is of body size and of one of the body's fonts. */
export function isBody (line: Line, body: BodyStyle): boolean {
  return Math.abs(line.size - body.size) <= 0.35 && body.fonts.has(line.font)
}
