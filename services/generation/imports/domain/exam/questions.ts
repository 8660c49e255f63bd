/** The numbered questions of an exam, and the subjects they are of. */
import type { Block } from './blocks.ts'
import { optionsIn, type Style } from './options.ts'

export interface Question { number: number, subject: string | undefined, blocks: Block[] }

/** Numbers that may be missing between two questions; a larger step is a number of something else. */
const gapMax = 3

/** A block may hold several questions, or half of one. */
export function questionsIn (body: readonly Block[], style: Style): Question[] {
  const questions: Question[] = []
  let subject: string | undefined
  for (const whole of body) {
    const { block, next } = withoutSubject(whole)
    let from = 0
    for (const { index, 0: found, 1: digits } of block.text.matchAll(/(?<![\d.,])(?:문제?\s*|Q(?:uestion)?\s*)?(\d{1,3})\s*[.．)](?!\d)\s*(?=\S)/gu)) {
      const current = questions.at(-1)
      const number = Number(digits)
      const step = number - (current?.number ?? 0)
      const isOption = style === 'numbers' && found.includes(')')
      const isWhole = current !== undefined &&
        optionsIn(textOf(current.blocks, block, index), style).options.length >= 2
      const stepMax = current === undefined ? 1 : gapMax
      const begins = index === 0 ? step >= 1 && step <= stepMax : step === 1 && isWhole
      if (isOption || !begins) continue
      current?.blocks.push({ ...block, text: block.text.slice(from, index) })
      from = index + found.length
      questions.push({ number, subject, blocks: [] })
    }
    questions.at(-1)?.blocks.push({ ...block, text: block.text.slice(from) })
    subject = next ?? subject
  }
  return questions
}

function textOf (blocks: readonly Block[], block: Block, end: number): string {
  return [...blocks.map(({ text }) => text), block.text.slice(0, end)].join('\n')
}

/** "제2과목: 관측" heads the questions below it, and may have been joined to the last option above. */
function withoutSubject (block: Block): { block: Block, next?: string } {
  const found = /(?:^|\s)[[(【<]?\s*(?:제\s?)?\d{1,2}\s?과목\s*[\])】>]?\s*[:：.]?\s*([^\d\s①-⑩?？][^\d①-⑩?？]{0,40})?$/u.exec(block.text)
  if (found === null) return { block }
  const next = found[1]?.trim()
  return { block: { ...block, text: block.text.slice(0, found.index) }, ...next !== undefined && { next } }
}
