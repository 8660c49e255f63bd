/** How numbers are written in reports; the JSON has them in full. */
import type { ItemKind } from '../../../../shared/contracts/item.ts'
import type { RunReport } from '../../../../shared/contracts/report.ts'
import type { Score } from '../../../../shared/contracts/score.ts'
import { outcomes, type Outcome } from '../../../../shared/contracts/run.ts'
import { isCounted } from '../scored.ts'

/** The score every table and plot of a kind leads with. */
export function headlineOf (kind: ItemKind): 'accuracy' | 'rougeL.fmeasure' {
  return kind === 'binary' || kind === 'choice' ? 'accuracy' : 'rougeL.fmeasure'
}

const names: Record<string, string> = {
  accuracy: 'Accuracy',
  'accuracy.strict': 'Accuracy, strict',
  'accuracy.strict-minus-lenient': 'Strict − lenient',
  'accuracy.answered': 'Accuracy, answered only',
  'accuracy.lowest': 'Accuracy if errors wrong',
  'accuracy.highest': 'Accuracy if errors right',
  'pairAccuracy.lowest': 'Pair accuracy if errors wrong',
  'pairAccuracy.highest': 'Pair accuracy if errors right',
  'rougeL.fmeasure.lowest': 'ROUGE-L F if errors 0',
  'rougeL.fmeasure.highest': 'ROUGE-L F if errors 1',
  responseRate: 'Response rate',
  formatAdherence: 'Format adherence',
  pairAccuracy: 'Pair accuracy',
  mcc: 'MCC, answered only',
  yesRatio: 'Yes ratio, answered only',
  'rouge1.fmeasure': 'ROUGE-1 F',
  'rouge2.fmeasure': 'ROUGE-2 F',
  'rougeL.fmeasure': 'ROUGE-L F',
  'rouge1.fmeasure.answered': 'ROUGE-1 F, answered only',
  'rouge2.fmeasure.answered': 'ROUGE-2 F, answered only',
  'rougeL.fmeasure.answered': 'ROUGE-L F, answered only',
  'bleu.sentence': 'BLEU, sentence mean',
  'bleu.corpus': 'BLEU, corpus',
  lengthRatio: 'Length ratio, answered only',
  numberRecall: 'Number recall',
  termRecall: 'Term recall'
}

export function metricName (metric: string): string {
  const [, base, end] = /^(.*)\.(floor|ceiling)$/.exec(metric) ?? []
  return names[metric] ?? (base === undefined ? metric : `${metricName(base)}: ${end}`)
}

/** What a reader holds other numbers against; it stands in a table of its own. */
export function isContext (metric: string): boolean {
  return /\.(?:floor|ceiling)$|^(?:number|term)Recall/.test(metric)
}

/** Metrics of everything of a kind, in their order: the main ones, or those of the second table. */
export function metricsOf (runs: readonly RunReport[], kind: ItemKind, context: boolean): string[] {
  return [...new Set(runs.flatMap(({ slices }) => slices
    .filter(slice => slice.dimension === 'all' && slice.kind === kind)
    .flatMap(({ scores }) => scores.map(({ metric }) => metric))))]
    .filter(metric => isContext(metric) === context)
}

/** How many items of a kind count: "40 of 45 counted: 38 answered, 2 refused; left out: 5 error". */
export function countsLine (run: RunReport, kind: ItemKind): string {
  const counts = run.slices.find(slice => slice.dimension === 'all' && slice.kind === kind)?.outcomes
  if (counts === undefined) return 'no items'
  const total = (of: readonly Outcome[]) => of.reduce((sum, outcome) => sum + (counts[outcome] ?? 0), 0)
  const words = (of: readonly Outcome[]) => of.filter(outcome => (counts[outcome] ?? 0) > 0)
    .map(outcome => `${counts[outcome]} ${outcome}`).join(', ')
  const [inside, outside] = [outcomes.filter(isCounted), outcomes.filter(outcome => !isCounted(outcome))]
  return `${total(inside)} of ${total(outcomes)} counted` +
    (total(inside) > 0 ? `: ${words(inside)}` : '') + (total(outside) > 0 ? `; left out: ${words(outside)}` : '')
}

export const kindNames: Record<ItemKind, string> = {
  qa: 'Open questions', vqa: 'Open questions about figures', binary: 'Yes/no questions', choice: 'Multiple-choice questions'
}

const percentages = /^(?:accuracy|responseRate|formatAdherence|pairAccuracy|yesRatio|numberRecall|termRecall)/

/** For example "62.5 %", "0.412", "12.3" (BLEU); an en dash when there is no value. */
export function written (metric: string, value: number | null): string {
  if (value === null) return '–'
  if (percentages.test(metric)) return `${minus(100 * value, 1)} %`
  return metric.startsWith('bleu') ? minus(value, 1) : minus(value, 3)
}

/** The interval without units, for example "[51.0, 73.2]"; empty when there is none. */
export function writtenInterval ({ metric, interval }: Pick<Score, 'metric' | 'interval'>): string {
  if (interval === null) return ''
  const [factor, digits] = percentages.test(metric) ? [100, 1] : metric.startsWith('bleu') ? [1, 1] : [1, 3]
  return `[${minus(factor * interval.low, digits)}, ${minus(factor * interval.high, digits)}]`
}

/** A difference of two values, in the metric's unit: "+3.1 points", "−0.012". */
export function writtenDifference (metric: string, value: number | null): string {
  if (value === null) return '–'
  const text = percentages.test(metric) ? `${minus(100 * value, 1)} points` : minus(value, metric.startsWith('bleu') ? 1 : 3)
  return value > 0 && !/^0[.0]*(?: |$)/.test(text) ? `+${text}` : text
}

/** Fixed digits, a true minus sign, and no "−0.0". */
function minus (value: number, digits: number): string {
  const text = Math.abs(value).toFixed(digits)
  return value < 0 && Number(text) !== 0 ? `−${text}` : text
}

/** The score of everything of a kind, or undefined when the run has no such items. */
export function overall (run: RunReport, kind: ItemKind, metric: string): Score | undefined {
  return run.slices.find(slice => slice.dimension === 'all' && slice.kind === kind)
    ?.scores.find(score => score.metric === metric)
}

/** Kinds that occur, those with an accuracy first. */
export function kindsOf (runs: readonly RunReport[]): ItemKind[] {
  const found = new Set(runs.flatMap(({ slices }) => slices.map(({ kind }) => kind)))
  return (['binary', 'choice', 'qa', 'vqa'] as const).filter(kind => found.has(kind))
}

/** "1 paper", "3 papers". */
export function plural (count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

/**
 * "96", or "96, 8 papers" where the interval rests on fewer units than the value: without them
 * "100 % [63.1, 100.0]" of 96 items looks wrong.
 */
export function writtenN ({ n, interval }: Score): string {
  const [, size, units] = /^(?:Clopper-Pearson|Wilson), n = (\d+) (paper|independent item|cluster)s/.exec(interval?.method ?? '') ?? []
  if (units === undefined || Number(size) === n) return `${n}`
  return `${n}, ${plural(Number(size), units)}`
}

/** "figures withheld" where other runs had them; else empty. */
export function figuresMark (run: RunReport, runs: readonly RunReport[]): string {
  const differ = runs.some(({ condition }) => condition.figures !== run.condition.figures)
  return differ && run.condition.figures === 'withheld' ? 'figures withheld' : ''
}
