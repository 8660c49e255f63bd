/** Diversity: how much of a paper its items ask about, how evenly, and how little they repeat each other. */
import { Type, type Static } from 'typebox'
import { GenerationId, PaperId } from './ids.ts'

const closed = { additionalProperties: false }
const whole = Type.Integer({ minimum: 0 })
const nullable = (description?: string) => Type.Union(
  [Type.Number(), Type.Null()], description === undefined ? {} : { description })

/** All in [0, 1]; what each is: shared/text/diversity/measure.ts. */
export const measures = [
  'sentences', 'sections', 'figures', 'tables', 'claims', 'sectionEntropy', 'questionClassEntropy',
  'difficultyEntropy', 'figureTypeEntropy', 'distinct2', 'meanOverlap', 'nearestOverlap', 'supportRate'
] as const
export type Measure = typeof measures[number]

const ofMeasures = <T extends ReturnType<typeof Type.Object>>(schema: T, description: string) => Type.Object(
  Object.fromEntries(measures.map(measure => [measure, schema])) as Record<Measure, T>,
  { ...closed, description })

/** Of one paper. */
export const Measured = Type.Object({
  value: nullable(), n: Type.Integer({ minimum: 0, description: 'What it is made of: sentences, claims, items.' })
}, closed)
export type Measured = Static<typeof Measured>
export type Measures = Record<Measure, Measured>

/** Over papers. */
export const DiversityEstimate = Type.Object({
  value: nullable('Mean over the papers that have one; null where none has.'),
  low: nullable('Two-sided 95 %: t over papers; exact (Clopper-Pearson, papers as trials) where nothing varies. Below five papers for these papers only. Null for one paper, and for a difference that does not vary.'),
  high: nullable(),
  papers: whole,
  n: whole
}, { $id: 'DiversityEstimate', ...closed })
export type DiversityEstimate = Static<typeof DiversityEstimate>

const meanings = 'sentences, sections, figures, tables: share of those of the paper that an item quotes or is about; claims: of the sentences of the abstract that an item quotes or holds half of. …Entropy: of classes, as a share of the most that so many items can have. distinct2: different word pairs among all; meanOverlap, nearestOverlap: of word pairs of two items, on average and of each with the most alike (low is diverse). supportRate: items with evidence of which every check passed. Pairs count once.'

const Rival = ofMeasures(Type.Object({
  value: nullable('Of the other selection: mean over the papers in which both have one.'), difference: DiversityEstimate
}, { ...closed, description: 'difference: ours less the other, paper by paper.' }), 'Of equal count, kinds and support rate in each paper.')
export type Rival = Static<typeof Rival>

/** What a choice among drafts was worth. */
export const SelectionDiversity = Type.Object({
  papers: Type.Integer({ minimum: 1, description: 'In which something was left out.' }),
  chosen: whole,
  of: Type.Integer({ description: 'Items to choose from, repeats left out.' }),
  draws: Type.Integer({ description: 'Random selections for each paper, at least; their mean is compared with.' }),
  random: Rival,
  kCentre: Rival
}, { $id: 'SelectionDiversity', ...closed })
export type SelectionDiversity = Static<typeof SelectionDiversity>

const Counts = Type.Record(Type.String(), whole)
export const ClassCounts = Type.Object({
  questionClass: Counts, difficulty: Counts, figureType: Counts
}, { ...closed, description: 'Told by rules from question, evidence and caption. Pairs count once.' })
export type ClassCounts = Static<typeof ClassCounts>

const figures = {
  papers: Type.Integer({ minimum: 0, description: 'With an item.' }),
  items: whole,
  measures: ofMeasures(DiversityEstimate, meanings),
  classes: ClassCounts
}

export const Diversity = Type.Object(figures, { $id: 'Diversity', ...closed })
export type Diversity = Static<typeof Diversity>

export const GenerationDiversity = Type.Object({
  generationId: GenerationId,
  ...figures,
  selection: Type.Union([SelectionDiversity, Type.Null()], { description: 'Null where nothing was left out: without recipe.counts.itemsPerPaper, or with fewer drafts.' }),
  byPaper: Type.Array(Type.Object({
    paperId: PaperId,
    items: whole,
    of: Type.Integer({ minimum: 0, description: 'Items to choose from, repeats left out.' }),
    measures: ofMeasures(Measured, 'As above.')
  }, closed))
}, { $id: 'GenerationDiversity', ...closed })
export type GenerationDiversity = Static<typeof GenerationDiversity>
