/** The key of an exam: "정답 1 ③ 2 ①" as lines, or a table of numbers and answers. */
import type { Document } from '../../../../../shared/contracts/document.ts'
import type { Block } from './blocks.ts'

/** Answers by question; two that differ make its answer unclear. */
export type Key = ReadonlyMap<number, readonly string[]>

const head = /^\s*[[(【<]?\s*(?:정\s*답(?:\s*표|지)?|답안|Answer\s*key|Answers)\s*[\])】>]?\s*[:：]?(?=\s|\d|$)/iu
const answer = '[①-⑩]|[A-Ja-j](?![A-Za-z])|[1-9](?!\\d)'
const pair = new RegExp(`(\\d{1,3})\\s*(?:[.:)번\\-]|문)?\\s*(${answer})`, 'gu')

/** @returns the blocks that are no key, and the key */
export function keyOf (blocks: readonly Block[], tables: Document['tables']): { body: Block[], key: Key } {
  const key = new Map<number, string[]>()
  const add = (number: number, found: string) => {
    const certain = /^\d$/.test(found) ? `${found}번` : found.toUpperCase()
    const known = key.get(number) ?? []
    if (!known.includes(certain)) key.set(number, [...known, certain])
  }
  const at = blocks.findIndex((block, place) => head.test(block.text) && isKey(blocks.slice(place)))
  const body = at < 0 ? [...blocks] : blocks.slice(0, at)
  const text = at < 0 ? '' : blocks.slice(at).map(block => block.text.replace(head, ' ')).join('\n')
  for (const [, number, found] of text.matchAll(pair)) add(Number(number), found!)
  for (const { rows = [] } of tables) addTable(rows, add)
  return { body, key }
}

/** A word 정답 may stand before the answer of one question; a key has pairs, and two or more. */
function isKey (rest: readonly Block[]): boolean {
  const text = rest.map(block => block.text.replace(head, ' ')).join('\n')
  return Array.from(text.matchAll(pair)).length >= 2 && !/[?？]/.test(text)
}

const isAnswer = new RegExp(`^(?:${answer})$`, 'u')

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
