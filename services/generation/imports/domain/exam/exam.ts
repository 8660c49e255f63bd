/**
 * An exam that parsing read as a document: numbered questions, options under ①, 1), or A., a key at the end
 * or an answer after each question. A number is a question's only where it goes on from the one before.
 */
import type { Document } from '../../../../../shared/contracts/document.ts'
import { note, type Bank, type RawRow } from '../bank.ts'
import { blocksOf, type Block } from './blocks.ts'
import { keyOf, type Key } from './key.ts'
import { optionsIn, styleOf, type Style } from './options.ts'

export type FigureImages = ReadonlyMap<string, Uint8Array>

interface Question { number: number, blocks: Block[] }

/** Numbers that may be missing between two questions; a larger step is a number of something else. */
const gapMax = 3

export function examBank (document: Document, images: FigureImages): Bank {
  const { body, key } = keyOf(blocksOf(document), document.tables)
  const style = styleOf(body)
  const questions = questionsIn(body, style)
  const figures = placed(document, questions)
  const rows: RawRow[] = []
  let last = 0
  for (const question of questions) {
    for (let missing = last + 1; missing < question.number; missing++) {
      rows.push({ row: rows.length + 1, value: undefined, notes: [], key: String(missing), fault: note('question-not-found', null, `Between questions ${last} and ${question.number} no question ${missing} was found; look at the page.`) })
    }
    last = question.number
    const shown = (figures.get(question.number) ?? []).map(id => images.get(id) ?? id)
    rows.push(rowOf(question, { row: rows.length + 1, style, key, shown }))
  }
  return { container: 'pdf', flat: false, rows: () => rows }
}

/** A block may hold several questions, or half of one. */
function questionsIn (body: readonly Block[], style: Style): Question[] {
  const questions: Question[] = []
  for (const block of body) {
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
      questions.push({ number, blocks: [] })
    }
    questions.at(-1)?.blocks.push({ ...block, text: block.text.slice(from) })
  }
  return questions
}

function textOf (blocks: readonly Block[], block: Block, end: number): string {
  return [...blocks.map(({ text }) => text), block.text.slice(0, end)].join('\n')
}

interface Making { row: number, style: Style, key: Key, shown: Array<Uint8Array | string> }

function rowOf ({ number, blocks }: Question, { row, style, key, shown }: Making): RawRow {
  const whole = blocks.map(({ text }) => text.trim()).filter(text => text !== '').join('\n')
  const { text, answer, rationale } = withoutAnswer(whole)
  const { stem, options } = optionsIn(text, style)
  const answers = [...new Set([...key.get(number) ?? [], ...answer === undefined ? [] : [answer]])]
  const areImages = options.length >= 2 && options.every(each => each === '') && shown.length === options.length
  const value = {
    id: number,
    question: stem,
    images: areImages ? [] : shown,
    choices: options.map((each, at) => areImages ? { text: '', image: shown[at] } : { text: each }),
    answer: answers.length > 1 ? answers : answers[0],
    rationale
  }
  const notes = shown.length === 0 ? [] : [note('image-placed', 'question', 'A figure was given to this question by where it stands on the page; check that it is its own.')]
  const lost = options.length < 2 ? { fault: note('options-not-found', 'choices', 'No two options were found under the question; look at the page.') } : {}
  return { row, value, notes, ...lost }
}

/** "정답: ③ 해설: …" after the options of a question. */
function withoutAnswer (text: string): { text: string, answer?: string, rationale?: string } {
  const found = /(?:^|\s)[[(【]?(?:정답|Answer)[\])】]?\s*[:：]?\s*([①-⑳]|[A-J](?![A-Za-z])|\d{1,2}(?:번)?)\s*(?:$|(?=\n|\s*[[(【]?(?:해설|풀이|Explanation)))/u.exec(text)
  if (found === null) return { text }
  const after = text.slice(found.index + found[0].length).replace(/^\s*[[(【]?(?:해설|풀이|Explanation)[\])】]?\s*[:：]?\s*/u, '').trim()
  return { text: text.slice(0, found.index), answer: certain(found[1]!), ...after !== '' && { rationale: after } }
}

/** The number printed beside an option counts from 1. */
export function certain (answer: string): string {
  return /^\d+$/.test(answer) ? `${answer}번` : answer
}

/** Figures by the question under which they stand: in its column, below its first line, above the next. */
function placed (document: Document, questions: readonly Question[]): Map<number, string[]> {
  const found = new Map<number, string[]>()
  const starts = questions.flatMap(({ number, blocks: [first] }) =>
    first === undefined ? [] : [{ number, ...first }])
  for (const { id, page, box, imageId } of document.figures) {
    if (imageId === null) continue
    const [left = 0, top = 0, right = 0] = box
    const inColumn = starts.filter(start =>
      start.page === page && start.box[0]! < right && start.box[2]! > left && start.box[1]! <= top)
    const nearest = inColumn.toSorted((a, b) => b.box[1]! - a.box[1]!)[0]
    const above = nearest ?? starts.findLast(start => start.page < page)
    if (above !== undefined) found.set(above.number, [...found.get(above.number) ?? [], id])
  }
  return found
}
