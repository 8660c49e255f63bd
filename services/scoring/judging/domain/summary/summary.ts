/**
 * All that the ratings of a judgement come to, in steps: other work of this process has its turn in
 * between.
 */
import type { Agreement, JudgementSummary, RunJudged } from '../../../../../shared/contracts/judgement-summary.ts'
import { totalRange } from '../rubric.ts'
import type { JudgementSpec } from '../spec.ts'
import { nominalAgreement, scaleAgreement, type Given } from './agreement.ts'
import { correctedMean, type Labelled } from './corrected.ts'
import { meanOf, overJudges, overRepeats, type JudgedUnit, type Rated } from './judged.ts'
import { lengthBiasOf } from './length-bias.ts'
import { notesOf } from './notes.ts'
import { decided, panelSides, preferencesOf, type PreferredUnit } from './preferences.ts'
import { repeatsOf } from './repeats.ts'
import { runScores, type Counted } from './run-scores.ts'
import { selfPreferenceOf } from './self-preference.ts'
import { meanScore } from '../../../domain/score.ts'
import { groupedBy } from './numbers.ts'

/** What people gave one prediction: the mean of their totals, and how it was drawn. */
export interface PeopleSay { total: number, probability: number | null }

export interface ToSummarise {
  judgementId: string
  spec: JudgementSpec
  /** By run (of preferences one row) and judge. */
  counts: ReadonlyArray<readonly Counted[]>
  /** By prediction. */
  people: ReadonlyMap<string, PeopleSay>
  complete: boolean
}

type Steps<T> = Generator<void, T>

const nothing = {
  runs: [], preferences: [], agreement: [], repeats: [], lengthBias: [], selfPreference: null
}

export function * summaryOfScores (
  units: readonly JudgedUnit[], given: ToSummarise
): Steps<JudgementSummary> {
  const { judgementId, spec, counts, complete } = given
  const { judges } = spec
  const runs: RunJudged[] = []
  for (const [place, run] of spec.runs.entries()) {
    const own = units.filter(({ unit }) => unit.runs[0] === place)
    yield
    const scores = runScores(spec, { run, units: own, counts: counts[place]! })
    yield
    const isLabelled = own.some(({ unit }) => given.people.has(unit.predictionIds[0]!))
    const corrected = isLabelled ? correctedOf(own, given) : []
    runs.push({ ...scores, corrected })
    yield
  }
  const agreement = judges.length > 1 ? yield * agreementIn(units, spec) : []
  const lengthBias = []
  const repeats = []
  for (const [judge, { name }] of judges.entries()) {
    lengthBias.push(lengthBiasOf(units, { judge, name, runCount: spec.runs.length }))
    yield
    if (spec.repeats > 1) repeats.push(repeatsOf(units, { judge, name }))
    yield
  }
  const selfPreference = judges.length > 1 && spec.runs.length > 1 ? selfPreferenceIn(units, spec) : null
  const found = { runs, agreement, repeats, lengthBias, selfPreference }
  const notes = notesOf(spec, { complete, runs, labelled: given.people.size > 0 })
  return { ...nothing, judgementId, complete, ...found, notes }
}

/** Of each criterion and of the total, over the first repeat: scores as given, and not means of them. */
function * agreementIn (units: readonly JudgedUnit[], { rubric }: JudgementSpec): Steps<Agreement[]> {
  const scales = [
    ...rubric.criteria.map(({ name, ...range }, i) => (
      { of: name, ...range, read: (rated: Rated) => rated.values[i]! })),
    { of: 'total', ...totalRange(rubric), read: (rated: Rated) => rated.total }
  ]
  const agreement: Agreement[] = []
  for (const { of, min, max, read } of scales) {
    const rows = units.map(({ unit, ratings }): Given => ({
      cluster: unit.cluster, ratings: ratings.map(([first = null]) => first === null ? null : read(first))
    }))
    agreement.push(scaleAgreement(of, rows, Array.from({ length: max - min + 1 }, (_, i) => min + i)))
    yield
  }
  return agreement
}

function correctedOf (units: readonly JudgedUnit[], { spec, people }: ToSummarise): RunJudged['corrected'] {
  const labelledBy = (read: (unit: JudgedUnit) => number | undefined): Labelled[] => units.flatMap(each => {
    const judge = read(each)
    const said = people.get(each.unit.predictionIds[0]!)
    if (judge === undefined) return []
    const { total: human = null, probability = null } = said ?? {}
    return [{ judge, human, probability, cluster: each.unit.cluster }]
  })
  const range = totalRange(spec.rubric)
  const corrected = (judge: string, read: (unit: JudgedUnit) => number | undefined) =>
    ({ judge, ...correctedMean(labelledBy(read), range) })
  const rows = spec.judges.map(({ name }, judge) =>
    corrected(name, ({ ratings }) => overRepeats(ratings[judge] ?? [])?.total))
  if (spec.judges.length < 2) return rows
  return [...rows, corrected('panel mean', each => overJudges(each, 'mean')?.total)]
}

/** Over items that every model answered and every judge rated, lest they differ in difficulty. */
function selfPreferenceIn (units: readonly JudgedUnit[], { judges, runs }: JudgementSpec) {
  const complete = [...groupedBy(units, ({ unit }) => unit.itemId).values()].map(group => {
    const byRun = runs.map((_, run) => group.find(({ unit }) => unit.runs[0] === run))
    return judges.map((_, judge) => byRun.map(each => overRepeats(each?.ratings[judge] ?? [])?.total))
  }).filter((table): table is number[][] => table.flat().every(total => total !== undefined))
  const meanAt = (j: number, m: number) =>
    complete.length === 0 ? 0 : meanOf(complete.map(table => table[j]![m]!))
  return selfPreferenceOf({
    cells: judges.map((_, j) => runs.map((_, m) => meanAt(j, m))),
    judgeFamilies: judges.map(({ family }) => family),
    modelFamilies: runs.map(({ family }) => family),
    n: complete.length
  })
}

export function * summaryOfPreferences (
  units: readonly PreferredUnit[], given: ToSummarise
): Steps<JudgementSummary> {
  const { judgementId, spec, counts, complete } = given
  const { judges, runIds } = spec
  const orders = spec.positionSwap ? 2 : 1
  const preferences = []
  for (const [place, { name }] of judges.entries()) {
    const counted = counts[0]![place]!
    preferences.push(preferencesOf(units, { runIds, judge: { name, place }, counted, orders }))
    yield
  }
  const notes = notesOf(spec, { complete, runs: [], labelled: false })
  const agreement = []
  if (judges.length > 1) {
    const rows = units.map(({ unit, ratings }): Given => ({
      cluster: unit.cluster, ratings: ratings.map(([first = []]) => decided(first)?.side ?? null)
    }))
    agreement.push(nominalAgreement('preference', rows, [-1, 0, 1]))
    yield
    const panel = meanScore({ metric: 'preference', signature: `panel mean of ${judges.length}|orders:${orders}`, range: [-1, 1] }, panelSides(units), 'No pair was decided by all judges.')
    const { value, n, interval } = panel
    notes.push(`The panel, over ${n} pairs that all judges decided: ${value === null ? 'nothing' : value.toFixed(3)}${interval === null ? '' : ` (${interval.low.toFixed(3)} to ${interval.high.toFixed(3)}, ${interval.method})`} for the first run.`)
  }
  return { ...nothing, judgementId, complete, preferences, agreement, notes }
}
