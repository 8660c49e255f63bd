/**
 * Figures drawn for the test, whose captions tell nothing: a fault in what is said of them is seen in
 * the image or not at all.
 */
import { encode } from 'fast-png'
import type { Document } from '../../../shared/contracts/document.ts'
import { idOf, sha256 } from '../../../shared/contracts/hash.ts'
import type { Item } from '../../../shared/contracts/item.ts'
import { seededRandom } from '../../../shared/testing/random.ts'

const colours: ReadonlyArray<readonly [string, readonly [number, number, number]]> = [
  ['red', [200, 30, 30]], ['green', [30, 150, 60]], ['blue', [40, 70, 200]], ['black', [20, 20, 20]]
]
const width = 320
const height = 240

export interface Drawn { document: Document, item: Item, faulty: Item, png: Buffer }

/**
 * A bar for each colour, of plainly different heights; the item says which is the highest, the faulty
 * one names another.
 */
export function drawnItem (number: number, seed: number): Drawn {
  const random = seededRandom(seed * 1000 + number)
  const heights = [60, 100, 150, 210].map(each => ({ each, rank: random.next() }))
    .sort((a, b) => a.rank - b.rank).map(({ each }) => each)
  const highest = heights.indexOf(Math.max(...heights))
  const other = (highest + random.whole(1, colours.length - 1)) % colours.length
  const png = Buffer.from(encode({ width, height, channels: 3, depth: 8, data: pixelsOf(heights) }))
  const document = documentOf(number, sha256(png))
  const item = itemOf(document, colours[highest]![0])
  return { document, item, faulty: itemOf(document, colours[other]![0]), png }
}

function pixelsOf (heights: readonly number[]): Uint8Array {
  const pixels = new Uint8Array(width * height * 3).fill(255)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = Math.floor(x / 80)
      const inBar = x % 80 >= 20 && x % 80 < 60 && height - y <= heights[at]!
      if (inBar) pixels.set(colours[at]![1], (y * width + x) * 3)
    }
  }
  return pixels
}

const caption = 'Yield of four treatments, one bar each, drawn in red, green, blue and black.'

function documentOf (number: number, imageId: string): Document {
  const box = [0, 0, 1, 1]
  const paperId = idOf('paper', ['drawn', number, imageId])
  const text = 'Four treatments were compared. Figure 1 gives their yields. The differences are discussed below.'
  return {
    paperId,
    documentHash: idOf('document', ['drawn', number, imageId]),
    schemaVersion: 1,
    parser: { engine: 'drawn', version: '1' },
    language: 'en',
    title: 'Yields of four treatments',
    authors: [],
    abstract: { text: 'We compare the yields of four treatments.', page: 1 },
    pages: [{ number: 1, width: 600, height: 800 }],
    sections: [{
      id: 's1', number: '1', title: 'Results', level: 1, parentId: null, kind: 'results', runIn: false, page: 1, box, paragraphs: [{ id: 'p1', text, page: 1, box }]
    }],
    figures: [{
      id: 'f1', label: 'Figure 1', caption, page: 1, box, captionBox: box, imageId, width, height, sectionId: 's1', placedBy: 'mention', mentions: [{ sectionId: 's1', paragraphId: 'p1' }]
    }],
    tables: [],
    equations: [],
    references: [],
    highlights: { problem: [], solution: [], results: [] },
    footnotes: [],
    warnings: []
  }
}

function itemOf ({ paperId, documentHash }: Document, colour: string): Item {
  return {
    id: idOf('item', [documentHash, 'highest']),
    kind: 'vqa',
    source: { paperId, documentHash },
    place: 'f1',
    figureIds: ['f1'],
    question: 'Which treatment in Figure 1 has the highest yield?',
    answer: `The treatment that is drawn in ${colour} has the highest yield of the four.`,
    evidence: [{ quote: caption, target: { type: 'figure', id: 'f1' }, sectionId: 's1', page: 1, charStart: 0, charEnd: [...caption].length }],
    language: 'en',
    slices: { aspect: 'figure' },
    checks: [],
    provenance: {
      strategy: 'drawn', strategyVersion: '1', seed: 1, prompt: null, promptHash: null, model: null, upstreamVersion: null, sampling: null, requestHash: null
    }
  }
}
