/**
 * What is measured of a parsed paper. Every measure is counted alike, so that papers add up: `hit`
 * of what was `found` is right, `of` is what there was to find. A paper whose truth does not say
 * has null: it is left out of the total and never counted as 0.
 */
export interface Count { hit: number, found: number, of: number }

/** How counts become a figure; tau is Kendall's, from pairs in the right order of all pairs. */
export type Reading = 'recall' | 'precision' | 'f1' | 'tau'

export const measures = [
  'whole', 'title', 'abstract', 'first', 'pictured', 'abstractTokens', 'authors',
  'displayed', 'runIn', 'headings', 'levels', 'probes', 'order', 'located', 'body', 'bodyFound',
  'figures', 'tables', 'cropHalf', 'crop', 'cropContains', 'cropClean', 'homes', 'equations',
  'references', 'years', 'dois',
  'abstractHighlights', 'abstractKeywords', 'sectionHighlights', 'sectionKeywords',
  'sentenceHighlights', 'sentenceKeywords'
] as const
export type Measure = typeof measures[number]
export type Counts = Record<Measure, Count | null>

export interface Column { name: string, measure: Measure, reading: Reading }

const column = (name: string, measure: Measure, reading: Reading = 'recall'): Column => ({ name, measure, reading })

/** The tables printed, by theme. */
export const tables: Record<string, readonly Column[]> = {
  'front and back matter': [
    column('all4', 'whole'), column('title', 'title'), column('abstr', 'abstract'),
    column('absF1', 'abstractTokens', 'f1'), column('first', 'first'), column('figs', 'pictured'),
    column('authF1', 'authors', 'f1'), column('refs5%', 'references'), column('year', 'years'),
    column('doi', 'dois')
  ],
  'headings, text and order': [
    column('headF1', 'displayed', 'f1'), column('P', 'displayed', 'precision'), column('R', 'displayed'),
    column('runF1', 'runIn', 'f1'), column('allF1', 'headings', 'f1'), column('level', 'levels'),
    column('probes', 'probes'), column('tau', 'order', 'tau'), column('placed', 'located'),
    column('bodyR', 'body'), column('bodyP', 'bodyFound')
  ],
  'figures, tables and equations': [
    column('figR', 'figures'), column('figP', 'figures', 'precision'), column('tabR', 'tables'),
    column('tabP', 'tables', 'precision'), column('IoU>=.5', 'cropHalf'), column('IoU>=.8', 'crop'),
    column('has95%', 'cropContains'), column('clean', 'cropClean'), column('home', 'homes'),
    column('eqR', 'equations'), column('eqP', 'equations', 'precision')
  ],
  'highlights, each beside plain keywords': [
    column('abstrF1', 'abstractHighlights', 'f1'), column('plain', 'abstractKeywords', 'f1'),
    column('sectF1', 'sectionHighlights', 'f1'), column('plain', 'sectionKeywords', 'f1'),
    column('sentP', 'sentenceHighlights'), column('plain', 'sentenceKeywords')
  ]
}

/** Null where nothing was to be found, or nothing was found that could be right. */
export function read (count: Count | null, reading: Reading): number | null {
  if (count === null) return null
  const { hit, found, of } = count
  if (reading === 'recall') return of === 0 ? null : hit / of
  if (reading === 'precision') return found === 0 ? null : hit / found
  if (reading === 'f1') return found + of === 0 ? null : 2 * hit / (found + of)
  return of === 0 ? null : 2 * hit / of - 1
}

export function yes (right: boolean): Count {
  return { hit: Number(right), found: 1, of: 1 }
}

/** Sum over the papers whose truth says; null when none does. */
export function sumOf (counts: ReadonlyArray<Count | null>): Count | null {
  const known = counts.filter(count => count !== null)
  if (known.length === 0) return null
  return known.reduce((a, b) => ({ hit: a.hit + b.hit, found: a.found + b.found, of: a.of + b.of }))
}

/** Mean of the papers' own figures: every paper weighs the same, however long. */
export function macroOf (counts: ReadonlyArray<Count | null>, reading: Reading): number | null {
  const values = counts.map(count => read(count, reading)).filter(value => value !== null)
  return values.length === 0 ? null : values.reduce((a, b) => a + b, 0) / values.length
}
