/** One small paper and items that every check accepts; tests change one thing at a time. */
import { idOf } from '../../../shared/contracts/hash.ts'
import type { Document } from '../../../shared/contracts/document.ts'
import type { Evidence, Item } from '../../../shared/contracts/item.ts'

const box = [0, 0, 100, 100]
export const paperId = idOf('paper', 'one')
export const documentHash = idOf('document', 'one')

export const abstractText = 'Dust settles faster in dry air. We measured 1,200 grains 𝛼 and found a drop of −3.5 % in speed.'
export const paragraphText = 'Grains of type A settled 12 % faster than grains of type B at 20 °C.'
export const captionText = 'Settling speed rises from 3 mm/s to 5 mm/s between 10 °C and 30 °C.'

export const document: Document = {
  paperId,
  documentHash,
  schemaVersion: 1,
  parser: { engine: 'none', version: '0' },
  language: 'en',
  title: 'Dust in dry air',
  authors: [{ name: 'A. Author' }],
  abstract: { text: abstractText, page: 1, box },
  pages: [{ number: 1, width: 600, height: 800 }, { number: 2, width: 600, height: 800 }],
  sections: [{
    id: 's1',
    number: '1',
    title: 'Results',
    level: 1,
    parentId: null,
    kind: 'results',
    runIn: false,
    page: 1,
    box,
    paragraphs: [{ id: 'p1', text: paragraphText, page: 1, box, continues: [{ page: 2, box }] }]
  }],
  figures: [{
    id: 'f1',
    label: 'Figure 7',
    caption: captionText,
    page: 2,
    box,
    captionBox: box,
    imageId: 'a'.repeat(64),
    width: 10,
    height: 10,
    sectionId: 's1',
    placedBy: 'mention',
    mentions: []
  }],
  tables: [{
    id: 't1',
    label: 'Table 1',
    caption: 'Speeds.',
    page: 2,
    box,
    captionBox: box,
    rows: [['type', 'speed'], ['A', '3.10']],
    sectionId: 's1',
    mentions: []
  }],
  equations: [{ id: 'e1', number: '1', page: 1, box, text: 'v = gt' }],
  references: [],
  highlights: { problem: [], solution: [], results: [] },
  footnotes: [],
  warnings: []
}

/** As `document`, with a sentence that another false member than ours would find support in. */
export const humid: Document = {
  ...document,
  sections: document.sections.map(section => ({
    ...section,
    paragraphs: [...section.paragraphs, { id: 'p2', text: 'In humid air, settling speed rises from 3 mm/s to 4 mm/s.', page: 1, box }]
  }))
}

/** Evidence for `quote`, which stands in the text of the target. */
export function quoted (quote: string, target: Evidence['target'], page = 1): Evidence {
  const texts = { abstract: abstractText, paragraph: paragraphText, figure: captionText, table: 'Speeds.', equation: 'v = gt' }
  const text = texts[target.type]
  const charStart = [...text.slice(0, text.indexOf(quote))].length
  return { quote, target, page, charStart, charEnd: charStart + [...quote].length }
}

function itemOf (name: string, own: Partial<Item>): Item {
  return {
    id: idOf('item', name),
    kind: 'qa',
    source: { paperId, documentHash },
    place: 'abstract',
    figureIds: [],
    question: 'What are the main findings and contributions of this paper?',
    evidence: [],
    language: 'en',
    slices: { aspect: 'abstract' },
    checks: [{ name: 'evidence', passed: true, detail: 'It stands there.' }],
    provenance: {
      strategy: 'extractive',
      strategyVersion: '1',
      seed: 1,
      prompt: null,
      promptHash: null,
      model: null,
      upstreamVersion: null,
      sampling: null,
      requestHash: null
    },
    ...own
  }
}

/** A descriptive item about the abstract. */
export function descriptive (own: Partial<Item> = {}, name = 'descriptive'): Item {
  const answer = 'We measured 1,200 grains 𝛼 and found a drop of −3.5 % in speed.'
  return itemOf(name, { answer, evidence: [quoted(answer, { type: 'abstract' })], ...own })
}

/** A minimal pair about the figure: first the true member. */
export function pair (own: [Partial<Item>, Partial<Item>] = [{}, {}], name = 'pair'): [Item, Item] {
  const common: Partial<Item> = {
    kind: 'binary',
    place: 'f1',
    figureIds: ['f1'],
    pairId: name,
    choices: [{ text: 'Yes' }, { text: 'No' }],
    evidence: [quoted('Settling speed rises from 3 mm/s to 5 mm/s', { type: 'figure', id: 'f1' }, 2)],
    slices: { aspect: 'figure' }
  }
  const ask = (verb: string) => `According to Figure 7, is it true that settling speed ${verb} from 3 mm/s to 5 mm/s?`
  return [
    itemOf(`${name} yes`, { ...common, question: ask('rises'), answerIndex: 0, ...own[0] }),
    itemOf(`${name} no`, { ...common, question: ask('falls'), answerIndex: 1, ...own[1] })
  ]
}

/** A multiple-choice item about the section. */
export function choice (own: Partial<Item> = {}): Item {
  return itemOf('choice', {
    kind: 'choice',
    place: 's1',
    question: 'By how much did grains of type A settle faster at 20 °C?',
    choices: [{ text: '8 %' }, { text: '12 %' }, { text: '20 %' }],
    answerIndex: 1,
    evidence: [quoted('settled 12 % faster', { type: 'paragraph', id: 'p1' })],
    slices: { aspect: 'section' },
    ...own
  })
}
