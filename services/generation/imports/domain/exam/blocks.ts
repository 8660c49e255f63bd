/** The text of a document in its order; a question may have been taken for a heading. */
import type { Document } from '../../../../../shared/contracts/document.ts'

export interface Block { text: string, page: number, box: number[] }

export function blocksOf ({ abstract, sections }: Document): Block[] {
  const first = abstract === null
    ? []
    : [{ text: abstract.text, page: abstract.page, box: abstract.box ?? [0, 0, 0, 0] }]
  return [...first, ...sections.flatMap(({ number, title, page, box, paragraphs }) => {
    const numbered = number === '' ? title : `${number}${/[.)]$/.test(number) ? '' : '.'} ${title}`
    const heading = title === '' ? [] : [{ text: numbered, page, box }]
    return [...heading, ...paragraphs.map(({ text, page, box }) => ({ text, page, box }))]
  })]
}
