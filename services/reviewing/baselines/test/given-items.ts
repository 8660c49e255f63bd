/** A paper of many small facts, and items about them: each fact tells one item. */
import { idOf } from '../../../../shared/contracts/hash.ts'
import type { Document } from '../../../../shared/contracts/document.ts'
import type { Item } from '../../../../shared/contracts/item.ts'
import type { Known } from '../../../../shared/testing/fake-solver.ts'
import { choice, document as plain, pair } from '../../test/fixtures.ts'

export interface GivenItems { document: Document, items: Item[], known: Known[] }

const settled = (i: number) => `Grain number ${i} of the series settled at ${100 + 7 * i} mm/s in the tube.`
const captionOf = (i: number) => `Run ${i + 1}. Settling speed rises in run ${i + 1} from 3 mm/s to 5 mm/s.`

/**
 * @param count  choice items, of which the first `leaky` can be told from question and choices
 * @param pairs  minimal pairs about figures, told by the caption
 */
export function givenItems (
  { count, leaky, pairs = 0 }: { count: number, leaky: number, pairs?: number }
): GivenItems {
  const paragraphs = Array.from({ length: count }, (_, i) => (
    { id: `p${i + 1}`, text: settled(i), page: 1, box: [0, 0, 1, 1] }))
  const figures = Array.from({ length: pairs }, (_, i): Document['figures'][number] => ({
    ...plain.figures[0]!, id: `f${i + 1}`, label: `Figure ${i + 1}`, caption: captionOf(i), imageId: String(i % 10).repeat(64)
  }))
  const sections = [{ ...plain.sections[0]!, paragraphs }]
  const document: Document = { ...plain, sections, figures, tables: [] }
  const all = [
    ...Array.from({ length: count }, (_, i) => choiceOf(i, i < leaky)),
    ...figures.flatMap(({ id }, i) => membersOf(id, i))
  ]
  return { document, items: all.map(([item]) => item), known: all.map(([, known]) => known) }
}

function evidenceOf (quote: string, target: { type: 'paragraph' | 'figure', id: string }) {
  return [{ quote, target, page: target.type === 'figure' ? 2 : 1, charStart: 0, charEnd: quote.length }]
}

/** The right choice stands at each position in turn. */
function choiceOf (i: number, leaky: boolean): [Item, Known] {
  const [right, ...wrong] = [0, 1, 2, 3].map(step => ({ text: `${100 + 7 * i + 3 * step} mm/s, run ${i}` }))
  const answerIndex = i % 4
  const choices = wrong.toSpliced(answerIndex, 0, right!)
  const quote = settled(i)
  const item = choice({
    id: idOf('item', `choice ${i}`),
    question: `At which speed did grain number ${i} settle?`,
    choices,
    answerIndex,
    evidence: evidenceOf(quote, { type: 'paragraph', id: `p${i + 1}` })
  })
  const texts = choices.map(({ text }) => text)
  return [item, { question: item.question, choices: texts, right: right!.text, tells: [quote], leaky }]
}

function membersOf (figureId: string, i: number): Array<[Item, Known]> {
  return pair([{}, {}], `pair ${i}`).map((member, no) => {
    const item: Item = {
      ...member,
      place: figureId,
      figureIds: [figureId],
      question: `According to Figure ${i + 1}, is it true that settling speed ${no === 0 ? 'rises' : 'falls'} in run ${i + 1} from 3 mm/s to 5 mm/s?`,
      evidence: evidenceOf(captionOf(i), { type: 'figure', id: figureId })
    }
    return [item, { question: item.question, choices: ['Yes', 'No'], right: no === 0 ? 'Yes' : 'No', tells: [captionOf(i)] }]
  })
}
