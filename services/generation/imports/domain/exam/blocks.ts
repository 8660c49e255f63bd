/** The text of a document in its order; a question may have been taken for a heading. */
import type { Document } from '../../../../../shared/contracts/document.ts'

export interface Place { page: number, box: number[] }

/** `places`: one, or more where it goes on after a column or a picture. */
export interface Block { text: string, places: readonly Place[] }

export function blocksOf ({ abstract, sections }: Document): Block[] {
  const first = abstract === null
    ? []
    : [{ text: abstract.text, places: [{ page: abstract.page, box: abstract.box ?? [0, 0, 0, 0] }] }]
  return [...first, ...sections.flatMap(({ number, title, page, box, paragraphs }) => {
    const numbered = number === '' ? title : `${number}${/[.)]$/.test(number) ? '' : '.'} ${title}`
    const heading = title === '' ? [] : [{ text: numbered, places: [{ page, box }] }]
    return [...heading, ...paragraphs.map(({ text, page, box, continues = [] }) =>
      ({ text, places: [{ page, box }, ...continues] }))]
  })]
}
