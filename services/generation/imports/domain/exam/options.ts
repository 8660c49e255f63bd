/** Options in the text of a question. */
import { note } from '../bank.ts'
import type { RowNote } from '../../../../../shared/contracts/bank.ts'
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

interface Mark { place: number, from: number, to: number }

/** `doubts`: what keeps a reader of the text from being sure where options begin and end. */
export interface Found { stem: string, options: string[], doubts: RowNote[] }

/**
 * Marks count only in their order, and of several beginnings the one with most options, the last of equals:
 * what stands before it is the stem's ("①과 ②에 알맞은 것은?").
 */
export function optionsIn (text: string, style: Style): Found {
  const all = marksIn(text, style)
  const chains = all.filter(({ place }) => place === 0).map(first => chainFrom(all, first))
  const most = Math.max(0, ...chains.map(({ length }) => length))
  const found = chains.findLast(({ length }) => length === most) ?? []
  if (found.length < 2) return { stem: text.trim(), options: [], doubts: [] }
  const options = found.map(({ to }, at) => text.slice(to, found[at + 1]?.from ?? text.length).trim())
  return {
    stem: text.slice(0, found[0]!.from).trim(),
    options: options.map(option => option.replace(/\s+/g, ' ')),
    doubts: [...markDoubts({ all, chains, found, last: options.at(-1)! }), ...runOn(options)]
  }
}

function marksIn (text: string, style: Style): Mark[] {
  return Array.from(text.matchAll(marks[style]), ({ 0: whole, 1: label, index }) => {
    const place = style === 'circled'
      ? '①②③④⑤⑥⑦⑧⑨⑩'.indexOf(whole)
      : style === 'numbers' ? Number(label) - 1 : label!.charCodeAt(0) - 65
    return { place, from: index, to: index + whole.length }
  })
}

function chainFrom (all: readonly Mark[], first: Mark): Mark[] {
  const chain = [first]
  for (const mark of all) if (mark.from > first.from && mark.place === chain.length) chain.push(mark)
  return chain
}

interface Read { all: readonly Mark[], chains: readonly Mark[][], found: readonly Mark[], last: string }

function markDoubts ({ all, chains, found, last }: Read): RowNote[] {
  const first = found[0]!
  const isTwice = chains.some(chain => chain.length === found.length && chain.at(-1)!.from < first.from)
  const others = all.filter(mark => mark.from > first.from && !found.includes(mark))
  if (isTwice || others.some(({ place }) => place >= found.length)) {
    return [note('options-unclear', 'choices', 'The marks of the options stand twice, or one of them is missing: two questions may have been read as one. Look at the page.')]
  }
  return others.length === 0 && !/정\s*답|\bAnswer/u.test(last) ? [] : [note('options-uncertain', 'choices', 'An option names the mark of another, or an answer, or more than the option was read; check where each ends.')]
}

/**
 * What goes on in another block, and a last option far longer than the others, may be a passage, a heading or
 * a footer.
 */
function runOn (options: readonly string[]): RowNote[] {
  const longest = Math.max(...options.slice(0, -1).map(({ length }) => length))
  if (!options.some(option => option.includes('\n')) && options.at(-1)!.length <= 2 * longest + 10) return []
  return [note('option-runs-on', 'choices', 'An option goes on in another paragraph of the page, or the last is far longer than the others; check that all of it is the option.')]
}
