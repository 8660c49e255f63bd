/** Items as a table of one type a column: the names are those of items.jsonl, absent is null. */
import type { BenchmarkItem } from '../../../../shared/contracts/benchmark.ts'
import { canonicalJson } from '../../../../shared/contracts/hash.ts'
import type { Column, StoredImage } from './table.ts'

export interface ItemRow {
  item: BenchmarkItem
  canary: string
  placeTitle: string | null
  /** Of its figures that have a picture, in the order of `figureIds`; of an item of a bank, its images. */
  images: StoredImage[]
  /** Of its choices that have a picture, in their order. */
  choiceImages: StoredImage[]
}

type Read = (item: BenchmarkItem) => unknown
const text = (name: string, read: Read): Column<ItemRow> => ({ name, type: 'string', of: ({ item }) => read(item) ?? null })
const whole = (name: string, read: Read): Column<ItemRow> => ({ name, type: 'int', of: ({ item }) => read(item) ?? null })
const texts = (name: string, read: Read): Column<ItemRow> => ({ name, type: 'strings', of: ({ item }) => read(item) ?? null })

const evidence = {
  quote: 'string', targetType: 'string', targetId: 'string', sectionId: 'string', page: 'int', charStart: 'int', charEnd: 'int', row: 'int', column: 'int'
} as const

/** What differs from item to item in its members (slices, checks, provenance) is canonical JSON. */
export const itemColumns: ReadonlyArray<Column<ItemRow>> = [
  text('id', item => item.id),
  text('kind', item => item.kind),
  text('question', item => item.question),
  text('answer', item => item.answer),
  texts('choices', item => item.choices?.map(choice => choice.text)),
  whole('answerIndex', item => item.answerIndex),
  { name: 'images', type: 'images', of: row => row.images },
  { name: 'choiceImages', type: 'images', of: row => row.choiceImages },
  texts('imageTimes', ({ images }) => images?.map(({ time = null }) => time)),
  texts('imageCaptions', ({ images }) => images?.map(({ caption = null }) => caption)),
  texts('choiceImageIds', ({ choices }) => choices?.some(({ imageId }) => imageId !== undefined) === true ? choices.map(({ imageId = null }) => imageId) : null),
  text('explicitWording', ({ explicitWording }) => explicitWording === undefined ? null : canonicalJson(explicitWording)),
  texts('figureIds', item => item.figureIds),
  {
    name: 'evidence',
    type: { structs: evidence },
    of: ({ item }) => item.evidence.map(({ target, cell, sectionId = null, ...own }) => {
      const { row = null, column = null } = cell ?? {}
      return { ...own, sectionId, targetType: target.type, targetId: target.id ?? null, row, column }
    })
  },
  text('rationale', item => item.rationale),
  text('longAnswer', item => item.longAnswer),
  text('answerability', item => item.answerability),
  text('language', item => item.language),
  text('place', item => item.place),
  { name: 'placeTitle', type: 'string', of: row => row.placeTitle },
  text('paperId', ({ source }) => 'paperId' in source ? source.paperId : null),
  text('documentHash', ({ source }) => 'documentHash' in source ? source.documentHash : null),
  text('bankId', ({ source }) => 'bankId' in source ? source.bankId : null),
  whole('bankRow', ({ source }) => 'row' in source ? source.row : null),
  text('verdict', item => item.verdict),
  text('generatorFamily', item => item.generatorFamily),
  text('reviewerFamily', item => item.reviewerFamily),
  text('slices', item => canonicalJson(item.slices)),
  text('checks', item => canonicalJson(item.checks)),
  text('provenance', item => canonicalJson(item.provenance)),
  { name: 'canary', type: 'string', of: row => row.canary }
]
