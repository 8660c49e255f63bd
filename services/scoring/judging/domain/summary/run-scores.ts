/** What the ratings of one run come to: means with their intervals, by judge and by panel. */
import type { RunJudged } from '../../../../../shared/contracts/judgement-summary.ts'
import type { Score } from '../../../../../shared/contracts/score.ts'
import type { Outcome } from '../../../../../shared/contracts/run.ts'
import { meanScore, type Measure } from '../../../domain/score.ts'
import type { ItemValue } from '../../../domain/metrics/interval-of-mean.ts'
import { normalisations, totalRange } from '../rubric.ts'
import type { JudgementSpec, Unit } from '../spec.ts'
import { overJudges, overRepeats, type JudgedUnit, type Rated } from './judged.ts'

/** Of one judge and one run: how the askings ended. */
export interface Counted { outcomes: Record<Outcome, number>, cutReplies: number }

type Spec = Pick<JudgementSpec, 'rubric' | 'rubricHash' | 'reference' | 'images' | 'repeats' | 'judges'>

export interface RunRated {
  run: JudgementSpec['runs'][number]
  units: readonly JudgedUnit[]
  /** In the order of the judges. */
  counts: readonly Counted[]
}

/** Why a prediction has no rating at all. */
export function whyNotJudged ({ outcomes, lengths }: Unit): string | null {
  const [outcome = 'error'] = outcomes
  if (outcome !== 'answered') return outcome
  return lengths[0] === 0 ? 'no-text' : null
}

export function runScores (spec: Spec, { run, units, counts }: RunRated): Omit<RunJudged, 'corrected'> {
  const notJudged: Record<string, number> = {}
  for (const { unit } of units) {
    const why = whyNotJudged(unit)
    if (why !== null) notJudged[why] = (notJudged[why] ?? 0) + 1
  }
  const judged = units.length - Object.values(notJudged).reduce((sum, count) => sum + count, 0)
  const rowsBy = (read: (unit: JudgedUnit) => Rated | null) =>
    units.map(each => ({ unit: each.unit, rated: read(each) }))
  const panelled = (by: 'mean' | 'median') => scoresOf(spec, `panel ${by} of ${spec.judges.length}`, rowsBy(each => overJudges(each, by)))
  return {
    runId: run.runId,
    model: run.model,
    family: run.family,
    predictions: units.length,
    judged,
    notJudged,
    judges: spec.judges.map(({ name }, judge) => ({
      judge: name,
      ...counts[judge]!,
      scores: scoresOf(spec, name, rowsBy(({ ratings }) => overRepeats(ratings[judge] ?? [])))
    })),
    panel: spec.judges.length < 2 ? null : { mean: panelled('mean'), median: panelled('median') }
  }
}

interface Row { unit: Unit, rated: Rated | null }

function scoresOf (spec: Spec, judge: string, rows: readonly Row[]): Score[] {
  const { rubric: { criteria } } = spec
  const range = totalRange(spec.rubric)
  const rated = rows.filter((row): row is { unit: Unit, rated: Rated } => row.rated !== null)
  const none = 'No rating of this judge may be counted.'
  const measure = (metric: string, limits: { min: number, max: number }): Measure => ({
    metric, signature: signatureOf(spec, judge), range: [limits.min, limits.max]
  })
  const scores = criteria.map((criterion, i) => {
    const values = rated.map(({ unit, rated }) => valueOf(unit, rated.values[i]!))
    return meanScore(measure(criterion.name, criterion), values, none)
  })
  const totals = rated.map(({ unit, rated }) => valueOf(unit, rated.total))
  const total = meanScore(measure('total', range), totals, none)
  scores.push(total, rescaled(total, 'total.minMax', x => normalisations.minMax(x, range)))
  if (normalisations.shareOfMax(range.max, range) !== null) {
    scores.push(rescaled(total, 'total.shareOfMax', x => normalisations.shareOfMax(x, range)!))
  }
  // An answer that could be rated and was not says nothing; a prediction that is none is worth the least.
  const least = rows.filter(({ unit }) => isCountedAsLeast(unit)).map(({ unit }) => valueOf(unit, range.min))
  scores.push(meanScore(measure('total.unansweredAsLeast', range), [...totals, ...least], none))
  if (rated.some(({ unit }) => unit.correct[0] !== null)) {
    const right = rated.filter(({ unit }) => unit.correct[0] === true)
    scores.push(meanScore(measure('total.amongCorrect', range), right.map(({ unit, rated }) => valueOf(unit, rated.total)), 'No rated reply chose right.'))
  }
  return scores
}

/** Another scale, linear and with the same direction: the mean and its interval go along. */
function rescaled (score: Score, metric: string, scale: (x: number) => number): Score {
  const { value, interval } = score
  return {
    ...score,
    metric,
    value: value === null ? null : scale(value),
    interval: interval === null ? null : { ...interval, low: scale(interval.low), high: scale(interval.high) }
  }
}

/**
 * Methodology: unparsable, refused and truncated count against a model; error and skipped say nothing of
 * it.
 */
function isCountedAsLeast (unit: Unit): boolean {
  const why = whyNotJudged(unit)
  return why !== null && why !== 'error' && why !== 'skipped'
}

function valueOf ({ cluster, pairId }: Unit, value: number): ItemValue {
  return { value, cluster, ...pairId !== null && { pairId } }
}

function signatureOf ({ rubric, rubricHash, reference, images, repeats }: Spec, judge: string): string {
  const { min, max } = totalRange(rubric)
  return [`judge:${judge}`, `rubric:${rubric.name}#${rubricHash.slice(0, 8)}`, `total:${min}..${max}`, `reference:${reference}`, `images:${images}`, `repeats:${repeats === 1 ? 'one' : `mean of ${repeats}`}`, 'mean'].join('|')
}
