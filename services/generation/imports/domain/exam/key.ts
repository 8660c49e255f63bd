/** The key of an exam: "정답 1 ③ 2 ①" as lines, or a table of numbers and answers. */
import type { Document } from '../../../../../shared/contracts/document.ts'
import type { Block } from './blocks.ts'

/** Answers by question; two that differ make its answer unclear. */
export type Key = ReadonlyMap<number, readonly string[]>

const head = /(?<=^|\s)[[(【<]?\s*(?:정\s*답(?:\s*표|지)?|답안|Answer\s*key|Answers)\s*[\])】>]?\s*[:：]?(?=\s|\d|$)/giu
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
  const { body, text } = parted(blocks)
  const { pairs, rest } = gridPairs(text.replace(head, ' 정답 '))
  for (const [number, found] of pairs) add(number, found)
  for (const [, number, found] of rest.matchAll(pair)) add(Number(number), found!)
  for (const { rows = [] } of tables) addTable(rows, add)
  return { body, key }
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

/** A word 정답 may stand before the answer of one question; a key has pairs, and two or more. */
function isKey (text: string): boolean {
  if (/[?？]/.test(text)) return false
  const { pairs, rest } = gridPairs(text.replace(head, ' 정답 '))
  return pairs.length + Array.from(rest.matchAll(pair)).length >= 2
}

const isAnswer = new RegExp(`^(?:${answer})$`, 'u')
const labels = /^(?:정답|답|번호|문항|문제|문번|No\.?)$/iu

/**
 * A table as a line of text: "번호 1 2 3 정답 ② ④ ③" is a row of numbers and one of as many answers. Bare
 * digits are answers only behind a word that says so.
 */
function gridPairs (text: string): { pairs: Array<[number, string]>, rest: string } {
  const tokens = text.split(/[\s|]+/u).filter(token => token !== '')
  const pairs: Array<[number, string]> = []
  const rest: string[] = []
  for (let at = 0; at < tokens.length;) {
    let end = at
    while (/^\d{1,3}$/.test(tokens[end] ?? '') && (end === at || Number(tokens[end]) === Number(tokens[end - 1]) + 1)) end++
    const count = end - at
    let from = end
    while (labels.test(tokens[from] ?? '')) from++
    const answers = tokens.slice(from, from + count)
    const areAnswers = count > 0 && answers.length === count && answers.every(each => isAnswer.test(each))
    const areTold = from > end || (count > 1 && answers.every(each => !/^\d$/.test(each)))
    if (!areAnswers || !areTold) {
      rest.push(tokens[at++]!)
      continue
    }
    pairs.push(...answers.map((found, i): [number, string] => [Number(tokens[at + i]), found]))
    at = from + count
  }
  return { pairs, rest: rest.join(' ') }
}

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
