/** Which pictures belong to which question of an exam, by where they stand. */
import type { Document } from '../../../../../shared/contracts/document.ts'
import { cropPictures } from './crop.ts'
import { pictureAreas, type Area } from './picture-areas.ts'
import type { Question } from './questions.ts'

/** What parsing has of an exam besides its text: figures by their id, and images of whole pages. */
export interface ExamImages {
  figures: ReadonlyMap<string, Uint8Array>
  pages: ReadonlyMap<number, Uint8Array>
}

/** Pages that have room for pictures; without their images none is found there. */
export function pagesWithRoom (document: Document): number[] {
  return [...new Set(pictureAreas(document).map(({ page }) => page))]
}

export interface Pictures {
  /** By question: bytes, or the id of a figure whose bytes are not there. */
  shown: ReadonlyMap<number, ReadonlyArray<Uint8Array | string>>
  /** Questions that begin below a picture of the one before, which may be theirs. */
  below: ReadonlySet<number>
}

export function picturesOf (
  document: Document, questions: readonly Question[], { figures, pages }: ExamImages
): Pictures {
  const beneath = new Set<number>()
  const found = new Map<number, Array<Uint8Array | string>>()
  const add = (number: number | undefined, image: Uint8Array | string) => {
    if (number !== undefined) found.set(number, [...found.get(number) ?? [], image])
  }
  for (const { id, page, box, imageId } of document.figures) {
    if (imageId !== null) add(questionAbove(questions, page, box), figures.get(id) ?? id)
  }
  const areas = pictureAreas(document)
  for (const [page, png] of pages) {
    const own = areas.filter(area => area.page === page)
    const { width, height } = document.pages.find(({ number }) => number === page)!
    for (const [at, image] of cropPictures({ png, width, height }, own).entries()) {
      if (image === undefined) continue
      add(questionAt(questions, own[at]!), image)
      const next = beginningAt(questions, own[at]!.below)
      if (next !== undefined) beneath.add(next)
    }
  }
  return { shown: found, below: beneath }
}

function beginningAt (questions: readonly Question[], below: Area['below']): number | undefined {
  if (below === null) return undefined
  return questions.find(({ blocks: [first] }) => first?.places[0]?.box === below.box)?.number
}

/** Of a figure with a caption: in its column the nearest question that begins above it. */
function questionAbove (
  questions: readonly Question[], page: number, box: readonly number[]
): number | undefined {
  const [left = 0, top = 0, right = 0] = box
  const starts = questions.flatMap(({ number, blocks: [first] }) =>
    first === undefined ? [] : [{ number, ...first.places[0]! }])
  const inColumn = starts.filter(start =>
    start.page === page && start.box[0]! < right && start.box[2]! > left && start.box[1]! <= top)
  const nearest = inColumn.toSorted((a, b) => b.box[1]! - a.box[1]!)[0]
  return (nearest ?? starts.findLast(start => start.page < page))?.number
}

/**
 * The question whose text stands above; at the top of a column the one that goes on below, and where a new
 * one begins below, the one before it.
 */
function questionAt (questions: readonly Question[], { above, below }: Area): number | undefined {
  const of = (place: Area['above']) => questions.filter(({ blocks }) =>
    blocks.some(({ places }) => places.some(({ box }) => box === place?.box)))
  const owner = of(above).at(-1)
  if (owner !== undefined) return owner.number
  const next = of(below)[0]
  if (next === undefined) return undefined
  const begins = next.number === beginningAt(questions, below)
  return begins ? questions[questions.indexOf(next) - 1]?.number : next.number
}
