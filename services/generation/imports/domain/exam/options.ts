/** Options in the text of a question. */
import type { Block } from './blocks.ts'

/** How an exam marks its options: ① ②, 1) 2), or A. B. */
export type Style = 'circled' | 'numbers' | 'letters'

const marks: Record<Style, RegExp> = {
  circled: /[①-⑩]/gu,
  numbers: /(?<![\d.])\(?([1-9]|10)\)\s*/gu,
  letters: /(?<![\p{L}\d])\(?([A-J])[.)]\s+/gu
}

export function styleOf (blocks: readonly Block[]): Style {
  const text = blocks.map(each => each.text).join('\n')
  const count = (style: Style) => Array.from(text.matchAll(marks[style])).length
  if (count('circled') >= 2) return 'circled'
  return count('numbers') >= count('letters') ? 'numbers' : 'letters'
}

/** Marks count only in their order: a "③" that stands in a stem is none of an option. */
export function optionsIn (text: string, style: Style): { stem: string, options: string[] } {
  const found: Array<{ from: number, to: number }> = []
  for (const match of text.matchAll(marks[style])) {
    const place = style === 'circled'
      ? '①②③④⑤⑥⑦⑧⑨⑩'.indexOf(match[0])
      : style === 'numbers' ? Number(match[1]) - 1 : match[1]!.charCodeAt(0) - 65
    // The first mark again begins anew: what stood before named options and was none.
    if (place === 0 && found.length < 2) found.length = 0
    if (place === found.length) found.push({ from: match.index, to: match.index + match[0].length })
  }
  if (found.length < 2) return { stem: text.trim(), options: [] }
  const options = found.map(({ to }, at) => text.slice(to, found[at + 1]?.from ?? text.length).replace(/\s+/g, ' ').trim())
  return { stem: text.slice(0, found[0]!.from).trim(), options }
}
