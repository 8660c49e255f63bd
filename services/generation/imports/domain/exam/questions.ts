/** The numbered questions of an exam, the subjects they are of, and the passages that several share. */
import type { Block } from './blocks.ts'
import { optionsIn, type Style } from './options.ts'

export interface Question {
  number: number
  subject: string | undefined
  blocks: Block[]
  /** Stands before the question and belongs to it. */
  passage?: string
}

interface Passage { to: number, blocks: Block[] }

/** Numbers that may be missing between two questions; a larger step is a number of something else. */
const gapMax = 3

/** "[3-4] 다음 글을 읽고", "※ 다음을 보고 답하시오. (3~4)", or a question's number. */
const starts = /(?:[[(【<〔]\s*|※[^①-⑳※]{0,80}?(?<!\d))(\d{1,3})\s*번?\s*[-~∼～–]\s*(\d{1,3})(?!\d)|(?<![\d.,])(?:문제?\s*|Q(?:uestion)?\s*)?(\d{1,3})\s*[.．)](?!\d)\s*(?=\S)/gu

/** A block may hold several questions, or half of one. */
export function questionsIn (body: readonly Block[], style: Style): Question[] {
  const questions: Question[] = []
  let subject: string | undefined
  let passage: Passage | undefined
  let isPassage = false
  for (const whole of body) {
    const { block, next } = withoutSubject(whole)
    let from = 0
    const keep = (to?: number) => {
      const sink = isPassage ? passage : questions.at(-1)
      sink?.blocks.push({ ...block, text: block.text.slice(from, to) })
    }
    for (const { index, 0: found, 1: first, 2: last, 3: digits } of block.text.matchAll(starts)) {
      const current = questions.at(-1)
      const step = Number(first ?? digits) - (current?.number ?? 0)
      if (first !== undefined) {
        if (step < 1 || step > gapMax || Number(last) < Number(first)) continue
        keep(index)
        from = index
        passage = { to: Number(last), blocks: [] }
        isPassage = true
        continue
      }
      const isOption = style === 'numbers' && found.includes(')')
      const isWhole = isPassage || (current !== undefined &&
        optionsIn(textOf(current.blocks, block, index), style).options.length >= 2)
      const stepMax = current === undefined ? 1 : gapMax
      const begins = index === 0 ? step >= 1 && step <= stepMax : step === 1 && isWhole
      if (isOption || !begins) continue
      keep(index)
      from = index + found.length
      isPassage = false
      const number = Number(digits)
      if (passage !== undefined && number > passage.to) passage = undefined
      const shared = passage?.blocks.map(({ text }) => text.trim()).join('\n')
      questions.push({ number, subject, blocks: [], ...shared !== undefined && { passage: shared } })
    }
    keep()
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
