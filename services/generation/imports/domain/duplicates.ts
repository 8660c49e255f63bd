/** Rows of one id: the same again is rejected, another under the same id is for a person. */
import type { RowNote } from '../../../../shared/contracts/bank.ts'
import { sha256 } from '../../../../shared/contracts/hash.ts'
import { note } from './bank.ts'
import type { Draft } from './draft.ts'

/** @returns what a row with this id and content gets; rows are told in their order */
export function duplicates (): (row: number, sourceId: string | null, draft: Draft) => RowNote | undefined {
  const byId = new Map<string, { row: number, content: string }>()
  return (row, sourceId, { question, choices, answerIndex, answer }) => {
    if (sourceId === null) return undefined
    const texts = choices.map(({ text }) => text)
    const content = sha256(JSON.stringify([question, texts, answerIndex ?? null, answer ?? null]))
    const first = byId.get(sourceId)
    if (first === undefined) {
      byId.set(sourceId, { row, content })
      return undefined
    }
    return first.content === content
      ? note('duplicate-row', 'id', `Row ${first.row} has the same id and says the same.`)
      : note('duplicate-id', 'id', `Row ${first.row} has the same id and says something else.`)
  }
}
