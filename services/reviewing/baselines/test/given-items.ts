/** A paper of many small facts, and items about them: each fact tells one item. */
import { idOf } from '../../../../shared/contracts/hash.ts'
import type { Document } from '../../../../shared/contracts/document.ts'
import type { Item } from '../../../../shared/contracts/item.ts'
import type { Known } from '../../../../shared/testing/fake-solver.ts'
import { choice, document as plain, pair } from '../../test/fixtures.ts'

export interface GivenItems { document: Document, items: Item[], known: Known[] }

const settled = (i: number) => `Grain number ${i} of the series settled at ${100 + 7 * i} mm/s in the tube.`

/**
 * @param count  choice items, of which the first `leaky` can be told from question and choices
 * @param pairs  minimal pairs about figures, told by the image alone
 */
export function givenItems ({ count, leaky, pairs = 0 }: { count: number, leaky: number, pairs?: number }): GivenItems {
  const paragraphs = Array.from({ length: count }, (_, i) => (
    { id: `p${i + 1}`, text: settled(i), page: 1, box: [0, 0, 1, 1] }))
  const figures = Array.from({ length: pairs }, (_, i) => (
    { ...plain.figures[0]!, id: `f${i + 1}`, label: `Figure ${i + 1}`, caption: `Run ${i + 1}.`, imageId: String(i % 10).repeat(64) }))
  const document: Document = { ...plain, sections: [{ ...plain.sections[0]!, paragraphs }], figures, tables: [] }
  const choices = Array.from({ length: count }, (_, i): [Item, Known] => {
    const options = [0, 1, 2, 3].map(step => ({ text: `${100 + 7 * i + 3 * step} mm/s, run ${i}` }))
    const answerIndex = i % 4
    const [right] = options.splice(0, 1)
    options.splice(answerIndex, 0, right!)
    const quote = settled(i)
    const item = choice({
      id: idOf('item', `choice ${i}`),
      question: `At which speed did grain number ${i} settle?`,
      choices: options,
      answerIndex,
      evidence: [{ quote, target: { type: 'paragraph', id: `p${i + 1}` }, page: 1, charStart: 0, charEnd: quote.length }]
    })
    return [item, { question: item.question, choices: options.map(({ text }) => text), right: right!.text, tells: [quote], leaky: i < leaky }]
  })
  const members = figures.flatMap(({ id }, i) => pair([{}, {}], `pair ${i}`).map((member, no): [Item, Known] => {
    const item = { ...member, place: id, figureIds: [id], question: `According to Figure ${i + 1}, does run ${i + 1} ${no === 0 ? 'rise' : 'fall'}?`, evidence: [] }
    return [item, { question: item.question, choices: ['Yes', 'No'], right: no === 0 ? 'Yes' : 'No', tells: [`picture of ${id}`] }]
  }))
  const all = [...choices, ...members]
  return { document, items: all.map(([item]) => item), known: all.map(([, known]) => known) }
}
