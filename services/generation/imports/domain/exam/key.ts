/** The key of an exam: "정답 1 ③ 2 ①" as lines, or a table of numbers and answers. */
import type { Document } from '../../../../../shared/contracts/document.ts'
import type { Block } from './blocks.ts'
import { pairsIn } from './key-pairs.ts'

/** Answers by question; two that differ make its answer unclear. */
export type Key = ReadonlyMap<number, readonly string[]>

/** Parsing may have joined it to the word before. */
const head = /[[(【<]?\s*(?:정\s*답(?:\s*표|지)?|답안|(?<=^|\s)(?:Answer\s*key|Answers))\s*[\])】>]?\s*[:：]?(?=\s|\d|$)/giu

/** @returns the blocks that are no key, and the key */
export function keyOf (blocks: readonly Block[], tables: Document['tables']): { body: Block[], key: Key } {
  const key = new Map<number, string[]>()
  const add = (number: number, found: string) => {
    const sure = certain(found.toUpperCase())
    const known = key.get(number) ?? []
    if (!known.includes(sure)) key.set(number, [...known, sure])
  }
  const { body, text } = parted(blocks)
  for (const [number, found] of pairsIn(text.replace(head, ' 정답 ')).pairs) add(number, found)
  for (const { rows = [] } of tables) addTable(rows, add)
  return { body, key }
}

/** The number printed beside an option counts from 1. */
export function certain (answer: string): string {
  return /^\d+$/.test(answer) ? `${answer}번` : answer
}

/** The key begins at the first head behind which there are answers alone; it may stand within a block. */
function parted (blocks: readonly Block[]): { body: Block[], text: string } {
  for (const [at, block] of blocks.entries()) {
    for (const { index } of block.text.matchAll(head)) {
      const text = [block.text.slice(index), ...blocks.slice(at + 1).map(each => each.text)].join('\n')
      if (!isKey(text)) continue
      const before = block.text.slice(0, index).trim()
      return { body: [...blocks.slice(0, at), ...before === '' ? [] : [{ ...block, text: before }]], text }
    }
  }
  return { body: [...blocks], text: '' }
}

/**
 * A word 정답 may stand before the answer of one question; a key has pairs, two or more, and few words. One of
 * which no pairs can be read is numbers all the same, and no text of the last question.
 */
function isKey (text: string): boolean {
  if (/[?？]/.test(text)) return false
  const { pairs, words, numbers } = pairsIn(text.replace(head, ' 정답 '))
  return pairs.length >= 2 ? words <= pairs.length : words === 0 && numbers > 2
}

const isAnswer = /^(?:[①-⑩]|[A-Ja-j]|[1-9])$/u

/** Numbers above answers, or beside them. */
function addTable (rows: readonly string[][], add: (number: number, found: string) => void): void {
  const cells = rows.map(row => row.map(cell => cell.trim()))
  const isNumber = (cell: string | undefined) => cell !== undefined && /^\d{1,3}$/.test(cell)
  const hasHead = cells.slice(0, 2).some(row => row.some(cell => /정\s*답|답안|answer/iu.test(cell))) ||
    cells.some(row => /정\s*답|답안|answer/iu.test(row[0] ?? ''))
  if (!hasHead) return
  for (const [at, row] of cells.entries()) {
    const below = cells[at + 1] ?? []
    const numbers = row.map((cell, column) => ({ cell, column })).filter(({ cell }) => isNumber(cell))
    const goesOn = (i: number) => i === 0 || Number(numbers[i]!.cell) === Number(numbers[i - 1]!.cell) + 1
    const isAcross = numbers.length >= 2 && numbers.every((_, i) => goesOn(i))
    if (isAcross) {
      for (const { cell, column } of numbers) if (isAnswer.test(below[column] ?? '')) add(Number(cell), below[column]!)
    } else {
      for (let column = 0; column + 1 < row.length; column += 2) {
        if (isNumber(row[column]) && isAnswer.test(row[column + 1] ?? '')) add(Number(row[column]), row[column + 1]!)
      }
    }
  }
}
