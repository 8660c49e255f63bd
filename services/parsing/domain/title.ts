/** The title: the block in the largest face near the top of a first page that reads like one. */
import { bareText, cleanText, joinLines } from './clean-text.ts'
import { overlapX, widthOf, type Line } from './line.ts'
import { isKnownTitle } from './section-kind.ts'

export interface FoundTitle { text: string, lines: Line[] }

const notTitle = /^(?:research article|original (?:article|paper|research)|review(?: article)?|article|open access|letter|full paper|(?:short )?communication|edge article|brief report|case report|contents lists|journal of|proceedings of|international journal|volume \d|vol\.? \d|issn|doi|https?:|www\.|received|accepted|published|abstract|keywords|arxiv)/i

export interface TitleSetting { metaTitle: string, heights: ReadonlyMap<number, number>, bodySize: number }

/**
 * @param lines of the first page or two, running heads left out
 * @param setting the file's own title, which a block may confirm; page heights; the body's size
 */
export function findTitle (lines: readonly Line[], setting: TitleSetting): FoundTitle {
  let best: { found: FoundTitle, score: number } | undefined
  for (const block of styleBlocks(lines, setting.bodySize)) {
    const found = { text: joinLines(block, new Map()), lines: block }
    const score = scoreTitle(found, setting)
    if (score !== undefined && (best === undefined || score > best.score)) best = { found, score }
  }
  return best?.found ?? { text: cleanText(setting.metaTitle), lines: [] }
}

/** Runs of lines of one size, near each other from the top down. */
function styleBlocks (lines: readonly Line[], bodySize: number): Line[][] {
  const sorted = [...lines].sort((a, b) => a.page - b.page || a.baseline - b.baseline)
  const blocks: Line[][] = []
  const used = new Set<Line>()
  for (const first of sorted) {
    if (used.has(first) || first.glyphs < 2) continue
    const block = [first]
    for (const next of sorted) {
      const last = block.at(-1)!
      if (used.has(next) || next === first || next.page !== first.page) continue
      const step = next.baseline - last.baseline
      if (step <= 0.3 * first.size) continue
      // Manuscripts are set with double spacing, in one face.
      const wide = next.font === first.font && block.length < 6 ? 2.15 : 1.75
      if (step > wide * Math.max(first.size, next.size)) break
      if (Math.abs(next.size - first.size) > 0.06 * first.size) continue
      if (next.bold !== first.bold && next.font !== first.font) continue
      if (next.font !== first.font && !first.bold && first.size < bodySize + 1) break
      if (overlapX(next.box, last.box) < 0.15 * Math.min(widthOf(next.box), widthOf(last.box))) continue
      block.push(next)
    }
    for (const line of block) used.add(line)
    blocks.push(block)
  }
  return blocks
}

function scoreTitle ({ text, lines }: FoundTitle, setting: TitleSetting): number | undefined {
  const { metaTitle, bodySize } = setting
  const first = lines[0]!
  const height = setting.heights.get(first.page) ?? 800
  const bare = bareText(text)
  if (bare.length < 8 || text.length > 400 || notTitle.test(text) || isKnownTitle(text)) return undefined
  if (first.box[1] > 0.6 * height) return undefined
  const words = text.split(' ').length
  const cjk = /[\u2E80-\u9FFF\uAC00-\uD7AF]/.test(text)
  // Journal names may be set huge: beyond a point size says nothing.
  let score = 9 * Math.min(first.size / bodySize, 2.2)
  if (words < 3 && !cjk) score -= 6
  else if (words < 5 && !cjk) score -= 1.5
  if (first.bold) score += 1
  if (first.page > 1) score -= 4
  score -= 4 * first.box[1] / height
  if (/(?:@|https?:|\u00A9|\d{4};\d)/.test(text)) score -= 8
  const meta = bareText(metaTitle)
  if (meta.length > 15 && (meta.includes(bare) || bare.includes(meta)) &&
    bare.length > 0.6 * meta.length) score += 10
  return score
}
