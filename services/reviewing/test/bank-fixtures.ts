/** A small item bank with images: a choice of images, a sequence, an open question, one plain item. */
import { encode } from 'fast-png'
import type { BankImport } from '../../../shared/contracts/bank.ts'
import type { Curation } from '../../../shared/contracts/curation.ts'
import { idOf, sha256 } from '../../../shared/contracts/hash.ts'
import type { Item } from '../../../shared/contracts/item.ts'
import type { World } from './house.ts'

export const importId = idOf('bankImport', 'one')
export const curationId = idOf('curation', 'one')

/** A picture of one colour, so that each shade is another image. */
export function shade (shade: number): Buffer {
  const data = Uint8Array.from({ length: 24 * 16 * 3 }, (_, i) => i % 3 === 0 ? shade : 40 + i % 160)
  return Buffer.from(encode({ width: 24, height: 16, data, channels: 3 }))
}

/** Four by three pixels, grey. */
export const jpeg = Buffer.from('/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAP//////////////////////////////////////////////////////////////////////////////////////wAALCAADAAQBAREA/8QAFAABAAAAAAAAAAAAAAAAAAAAAP/EABQQAQAAAAAAAAAAAAAAAAAAAAD/2gAIAQEAAD8AP//Z', 'base64')

const pictures = [shade(10), shade(80), shade(150), shade(220), jpeg]
export const images = new Map(pictures.map(bytes => [sha256(bytes), bytes]))
const ids = pictures.map(sha256) as [string, string, string, string, string]
export const [first, second, third, fourth, photo] = ids

/** Values with what a store refuses in a key, and what a page takes for markup. */
export const hostileValue = '1.2 $part <b>'

export function bankItem (name: string, row: number, own: Partial<Item> = {}): Item {
  return {
    id: idOf('item', `bank ${name}`),
    kind: 'choice',
    source: { bankId: importId, row },
    place: '',
    figureIds: [],
    question: `우리나라 여름철에 부는 계절풍의 주된 방향은? (${name})`,
    choices: [{ text: '북서' }, { text: '남동' }, { text: '북동' }, { text: '남서' }],
    answerIndex: 1,
    evidence: [],
    language: 'ko',
    slices: { part: hostileValue, modality: 'text' },
    checks: [],
    provenance: {
      strategy: 'import', strategyVersion: '1', seed: 0, prompt: null, promptHash: null, model: null, upstreamVersion: null, sampling: null, requestHash: null
    },
    ...own
  }
}

export const plainItem = bankItem('plain', 1, {
  explicitWording: { question: '대한민국의 여름철에 부는 계절풍의 주된 방향은?' }, rationale: '여름에는 해양에서 대륙으로 분다.'
})
const multimodal = { slices: { part: 'two', modality: 'image' } }
export const pictured = bankItem('pictured', 2, { ...multimodal, images: [{ imageId: first, caption: 'A chart of the surface.' }] })
export const choiceOfImages = bankItem('choices', 3, {
  ...multimodal, choices: [{ text: '', imageId: first }, { text: '', imageId: second }, { text: 'neither' }], answerIndex: 0
})
export const sequence = bankItem('sequence', 4, {
  ...multimodal, images: [{ imageId: second, time: '09:00' }, { imageId: third, time: '10:00' }, { imageId: fourth, time: '11:00' }]
})
export const open = bankItem('open', 5, { ...multimodal, kind: 'vqa', choices: undefined as never, answerIndex: undefined as never, answer: 'A cold front.', images: [{ imageId: photo }], language: 'en', question: 'What does the photograph show?' })

export const bankItems: Item[] = [plainItem, pictured, choiceOfImages, sequence, withoutUndefined(open)]

function withoutUndefined (item: Item): Item {
  return JSON.parse(JSON.stringify(item)) as Item
}

const done = { state: 'succeeded' as const, progress: { done: 1, total: 1, failed: 0 }, problems: [] }

export function importOf (own: Partial<BankImport> = {}): BankImport {
  return {
    id: importId,
    name: 'Weather exam',
    fileName: 'weather.json',
    contentHash: sha256('weather'),
    container: 'json',
    format: 'kmetbench',
    options: { licence: 'CC-BY-NC-SA-4.0', release: 'restricted' },
    answerBase: 0,
    answerBaseBy: 'declared',
    rowCount: 6,
    itemCount: bankItems.length,
    rowCounts: { accepted: 3, repaired: 1, flagged: 1, rejected: 1 },
    noteCounts: [{ code: 'html-removed', rows: 1 }],
    imageCount: 5,
    imageDefectCount: 0,
    paperId: null,
    sliceCounts: [],
    ...done,
    ...own
  }
}

export function curationOf (own: Partial<Curation> = {}): Curation {
  return {
    id: curationId,
    source: { importId },
    steps: [{ step: 'shuffle-choices' }],
    except: [],
    seed: 1,
    sourceCount: bankItems.length,
    itemCount: bankItems.length,
    stepCounts: [{ changed: 0, dropped: 0, flagged: 0 }],
    findings: [],
    ...done,
    ...own
  }
}

/** Fills the bank of a world. */
export function withBank (world: World, items: Item[] = bankItems): World {
  world.items.push(...items)
  world.bank = {
    imports: [importOf({ itemCount: items.length })],
    curations: [curationOf({ itemCount: items.length })],
    images: new Map(images)
  }
  return world
}
