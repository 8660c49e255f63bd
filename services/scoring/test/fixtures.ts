/** A small benchmark of two papers with items of every kind, for tests. */
import type { Benchmark, BenchmarkItem } from '../../../shared/contracts/benchmark.ts'
import type { Document } from '../../../shared/contracts/document.ts'
import { canonicalJson, idOf, sha256 } from '../../../shared/contracts/hash.ts'
import { Condition } from '../../../shared/contracts/run.ts'
import { Value } from 'typebox/value'

export const conditionOf = (given: Partial<Condition> = {}): Condition =>
  Value.Default(Condition, structuredClone(given)) as Condition

const box = [0, 0, 10, 10]

export const paragraphs = {
  p1: 'We heated the alloy to 450 K for two hours. The hardness rose by 12 percent after heating. No crack was seen.',
  p2: 'The furnace held argon at low pressure. Argon keeps oxygen away from the alloy. Each furnace run used one alloy sample.'
}

export function documentOf (name: string): Document {
  const section = (id: string, text: string) => ({
    id: `${id}`,
    number: id,
    title: `Part ${id}`,
    level: 1,
    parentId: null,
    kind: 'other' as const,
    runIn: false,
    page: 1,
    box,
    paragraphs: [{ id: `p${id}`, text, page: 1, box }]
  })
  return {
    paperId: `pap_${sha256(name).slice(0, 32)}`,
    documentHash: `doc_${sha256(name).slice(0, 32)}`,
    schemaVersion: 1,
    parser: { engine: 'test', version: '1' },
    language: 'en',
    title: `On ${name}`,
    authors: [],
    abstract: { text: 'Heated alloys are harder. We show it for one alloy. We explain why. We end here.', page: 1 },
    pages: [{ number: 1, width: 600, height: 800 }],
    sections: [section('1', paragraphs.p1), section('2', paragraphs.p2)],
    figures: [{
      id: 'fig1', label: 'Figure 1', caption: 'Hardness over temperature.', page: 1, box, captionBox: box, imageId: sha256(`${name} image`), width: 10, height: 10, sectionId: '1', placedBy: 'mention', mentions: [{ sectionId: '1', paragraphId: 'p1' }]
    }],
    tables: [],
    equations: [],
    references: [],
    highlights: { problem: [], solution: [], results: [] },
    footnotes: [],
    warnings: []
  }
}

type Own = Partial<BenchmarkItem> & Pick<BenchmarkItem, 'kind' | 'question'>

export function itemOf (document: Document, own: Own): BenchmarkItem {
  const { paperId, documentHash } = document
  return {
    id: idOf('item', { paperId, ...own }),
    source: { paperId, documentHash },
    place: 'abstract',
    figureIds: [],
    evidence: [{ quote: 'SECRET-EVIDENCE', target: { type: 'paragraph', id: 'p1' }, page: 1, charStart: 0, charEnd: 15 }],
    rationale: 'SECRET-RATIONALE',
    language: 'en',
    slices: { aspect: 'abstract' },
    checks: [{ name: 'SECRET-CHECK', passed: true, detail: 'SECRET-DETAIL' }],
    provenance: {
      strategy: 'extractive', strategyVersion: '1', seed: 1, prompt: null, promptHash: null, model: null, upstreamVersion: null, sampling: null, requestHash: null
    },
    verdict: 'unreviewed',
    ...own
  }
}

/** An item of a bank: of no paper. */
export function bankItemOf (row: number, own: Own): BenchmarkItem {
  const { rationale: _, ...item } = itemOf(documentOf('none'), own)
  return { ...item, id: idOf('item', { row, ...own }), source: { bankId: 'bank', row }, evidence: [], ...own }
}

const yesNo = [{ text: 'Yes' }, { text: 'No' }]

/** A minimal pair about the figure: the first is true. */
export function pairOf (document: Document, name = 'pair'): BenchmarkItem[] {
  const common = {
    kind: 'binary' as const, place: 'fig1', figureIds: ['fig1'], choices: yesNo, pairId: `SECRET-PAIR-${name}-${document.paperId}`, slices: { aspect: 'figure' }
  }
  return [
    itemOf(document, { ...common, question: `Is it true that the hardness rose by 12 percent after heating? (${name})`, answerIndex: 0 }),
    itemOf(document, { ...common, question: `Is it true that the hardness rose by 21 percent after heating? (${name})`, answerIndex: 1 })
  ]
}

/** Per paper: one open question on the abstract, one on the figure, a minimal pair, one choice. */
export function itemsOf (document: Document): BenchmarkItem[] {
  return [
    itemOf(document, { kind: 'qa', question: 'What are the main findings?', answer: 'SECRET-ANSWER heated alloys are harder' }),
    itemOf(document, { kind: 'vqa', place: 'fig1', figureIds: ['fig1'], question: 'What does the figure show?', answer: 'SECRET-ANSWER hardness over temperature', slices: { aspect: 'figure' } }),
    ...pairOf(document),
    itemOf(document, { kind: 'choice', place: '2', question: 'Which gas was used?', choices: [{ text: 'argon' }, { text: 'helium' }, { text: 'neon' }], answerIndex: 0, slices: { aspect: 'section' } })
  ]
}

export function benchmarkOf (documents: readonly Document[], items: readonly BenchmarkItem[], name = 'Alloys'): Benchmark {
  const count = (values: readonly string[]) => {
    const counts: Record<string, number> = {}
    for (const value of values) counts[value] = (counts[value] ?? 0) + 1
    return counts
  }
  const version = sha256(canonicalJson({ name, items }))
  return {
    id: `bmk_${version.slice(0, 32)}`,
    version,
    name,
    reviewingIds: [],
    verdicts: ['good', 'unreviewed'],
    kinds: null,
    seed: 1,
    papers: documents.map(({ paperId, documentHash, title }) => ({ paperId, documentHash, title })),
    card: {
      itemCount: items.length,
      pairCount: new Set(items.flatMap(({ pairId }) => pairId ?? [])).size,
      paperCount: documents.length,
      byKind: count(items.map(({ kind }) => kind)),
      byVerdict: count(items.map(({ verdict }) => verdict)),
      bySlice: { aspect: count(items.map(({ slices }) => slices.aspect ?? '')) },
      leftOut: {},
      notes: []
    }
  }
}
