/** Judged runs as the table that accuracy and reasoning are compared in. */
import { isChoice } from '../compare/measured.ts'
import { isCounted } from '../scored.ts'
import { wrong, type AnalysedRun, type RightOf, type Row } from './analysis.ts'

interface JudgedItem { right: boolean, total: number, paper: string, pair?: string }

export interface JudgedModel { model: string, accuracy: RightOf, reasoning: JudgedItem[] }

/** Of one run: the table's row, and n of everything that is in no mean of it. */
export interface JudgedRunRow { model: JudgedModel, leftOut: Row }

/**
 * Over the yes/no and multiple-choice items that were put to the judges: accuracy of those that count, and
 * totals of those that a judge could be asked about and that got a rating.
 */
export function judgedRuns (runs: readonly AnalysedRun[]): JudgedRunRow[] {
  return runs.map(({ name, rows }) => {
    const selected = rows.filter(({ judged }) => judged !== undefined)
    const closed = selected.flatMap(row => isChoice(row) ? [row] : [])
    const counted = closed.filter(({ outcome }) => isCounted(outcome))
    const right = counted.filter(({ correct }) => correct).length
    const reasoning = closed.flatMap(({ judged, correct, cluster, pairId }) =>
      typeof judged?.total === 'number'
        ? [{ right: correct, total: judged.total, paper: cluster, ...pairId !== null && { pair: pairId } }]
        : [])
    const count = (is: (row: typeof closed[number]) => boolean) => closed.filter(is).length
    return {
      model: { model: name, accuracy: { right, n: counted.length }, reasoning },
      leftOut: {
        errors: count(({ outcome }) => outcome === 'error'),
        skipped: count(({ outcome }) => outcome === 'skipped'),
        notAnswered: count(({ outcome }) => isCounted(outcome) && outcome !== 'answered'),
        notJudged: count(({ outcome, judged }) => outcome === 'answered' && judged?.why === 'not-judged'),
        judgeFailed: count(({ judged }) => judged?.why === 'judge-failed'),
        openLeftOut: selected.length - closed.length
      }
    }
  })
}

/** The range of totals by the rubric. @throws Problem invalid-request where the request says another */
export function scaleOfRuns<S extends { lowest: number, highest: number }> (
  runs: readonly AnalysedRun[], given: S | undefined
): { lowest: number, highest: number } {
  const { min: lowest, max: highest } = runs[0]!.judgedBy!.range
  if (given !== undefined && (given.lowest !== lowest || given.highest !== highest)) {
    throw wrong('/scale', `By the rubric of these judgements totals lie from ${lowest} to ${highest}; leave scale out.`)
  }
  return { lowest, highest }
}

export function judgedNotes (runs: readonly AnalysedRun[]): string[] {
  const { rubric, judge } = runs[0]!.judgedBy!
  const ids = [...new Set(runs.map(({ judgedBy }) => judgedBy!.judgementId))]
  return [
    `Totals are by ${judge}, rubric ${rubric}, of judgement${ids.length === 1 ? '' : 's'} ${ids.join(', ')}. Accuracy is over the yes/no and multiple-choice items that were put to the judges, replies read leniently; unparsable, refused and truncated count as wrong.`,
    'In no mean: errors and skipped (of the run), notAnswered (wrong in the accuracy, and without reasoning to judge), notJudged (answered, and nothing of it was put to the judge, or only since), judgeFailed (the judge\'s rating is missing, unparsable, refused, truncated, skipped or in error), openLeftOut (open answers are neither right nor wrong).'
  ]
}
