/** What judges gave the runs of a report, as tables. */
import type { CorrectedMean, RunJudged } from '../../../../shared/contracts/judgement-summary.ts'
import type { Report } from '../../../../shared/contracts/report.ts'
import type { ReportJudgement } from '../../../../shared/contracts/report-judgement.ts'
import type { JudgeCriterion } from '../../../../shared/contracts/rubric.ts'
import { outcomes } from '../../../../shared/contracts/run.ts'
import type { Score } from '../../../../shared/contracts/score.ts'
import { fixed, shown, type Cell, type Table } from '../compare/table.ts'
import { plural } from './numbers.ts'
import { runNames } from './run-names.ts'

/** Of 20 runs with 7 judges and their panel; more are cut here and whole in the JSON file. */
const rowsMax = 160

export interface JudgementShown {
  title: string
  /** What was judged, by whom and how, in a sentence each. */
  about: string[]
  tables: Table[]
  notes: readonly string[]
}

export function judgementsShown ({ judgements = [], runs }: Report): JudgementShown[] {
  const inOrder = runNames(runs)
  const names = new Map(runs.map(({ runId }, at) => [runId, inOrder[at]!]))
  const nameOf = (runId: string) => names.get(runId) ?? runId
  return judgements.map(judgement => ({
    title: `Rubric ${judgement.rubric.name}: ${judgement.form === 'scores' ? 'scores' : 'preferences'}`,
    about: aboutOf(judgement),
    tables: tablesOf(judgement, nameOf).filter(({ rows }) => rows.length > 0).map(cut),
    notes: judgement.notes
  }))
}

type NameOf = (runId: string) => string

function aboutOf (judgement: ReportJudgement): string[] {
  const { judgementId, judges, rubricHash, reference, images, repeats, prompts, complete } = judgement
  const named = judges.map(({ name, family }) => `${name} (family ${family})`).join(', ')
  return [
    `${judges.length === 1 ? 'Judge' : `Panel of ${judges.length} judges`}: ${named}.`,
    `Judgement ${judgementId}, rubric sha256 ${rubricHash.slice(0, 12)}, prompt ${prompts.map(({ name }) => name).join(', ')}; the judge knew of the right answer: ${reference}; figures ${images}; each reply judged ${repeats === 1 ? 'once' : `${repeats} times`} by each judge.`,
    ...complete ? [] : ['It is not complete: some askings have no rating or ended in error.']
  ]
}

function tablesOf (judgement: ReportJudgement, nameOf: NameOf): Table[] {
  if (judgement.form === 'preferences') return [preferenceTable(judgement, nameOf), agreementTable(judgement)]
  return [
    scoreTable(judgement, nameOf),
    endTable(judgement, nameOf),
    correctedTable(judgement, nameOf),
    agreementTable(judgement)
  ]
}

function scoreTable ({ rubric: { criteria }, runs, judges }: ReportJudgement, nameOf: NameOf): Table {
  const metrics = [...criteria.map(({ name }) => name), 'total']
  const methods = new Set<string>()
  const row = (run: RunJudged, judge: string, scores: readonly Score[]): Cell[] => {
    const found = metrics.map(metric => scores.find(score => score.metric === metric))
    for (const score of found) if (score?.interval) methods.add(methodOf(score.interval))
    return [nameOf(run.runId), judge, ...found.map(scoreCell)]
  }
  const rows = runs.flatMap(run => [
    ...run.judges.map(({ judge, scores }) => row(run, judge, scores)),
    ...run.panel === null ? [] : [row(run, `panel mean of ${judges.length}`, run.panel.mean)]
  ])
  return {
    title: 'Raw means by criterion',
    notes: [
      'On the scale of each criterion: mean, 95 % interval with papers as clusters, n rated replies. An en dash is "no data", never zero.',
      ...judges.length > 1 ? ['The panel is over replies that every judge has rated.'] : [],
      ...methods.size > 0 ? [`Intervals: ${[...methods].sort().join('; ')}.`] : []
    ],
    columns: [
      { name: 'Run', numeric: false }, { name: 'Judge', numeric: false },
      ...criteria.map(criterion => ({ name: scaleOf(criterion), numeric: true })),
      { name: `total (${totalScale(criteria)})`, numeric: true }
    ],
    rows
  }
}

/** Without its size, which differs from row to row. */
function methodOf ({ method, note }: NonNullable<Score['interval']>): string {
  return `${method.replace(/\d+/, 'k')}${note === '' ? '' : ` (${note})`}`
}

function scaleOf ({ name, min, max, higherIsBetter }: JudgeCriterion): string {
  return `${name} (${min} to ${max}${higherIsBetter ? '' : ', less is better'})`
}

function totalScale (criteria: readonly JudgeCriterion[]): string {
  const sum = (of: 'min' | 'max') => criteria.reduce((all, criterion) => all + criterion[of], 0)
  return `${sum('min')} to ${sum('max')}`
}

function scoreCell (score: Score | undefined): Cell {
  if (score === undefined) return null
  const { value, n, clusters, interval } = score
  if (value === null) return `– (n = ${n})`
  return `${number(value)}${interval === null ? ' (no interval)' : ` ${range(interval)}`} (n = ${n}, ${plural(clusters, 'paper')})`
}

const number = (value: number | null): string => shown(fixed(value, 2))

function range ({ low, high }: { low: number | null, high: number | null }): string {
  return low === null || high === null ? '' : `[${number(low)}, ${number(high)}]`
}

/** How every asking ended: what is in no mean is counted here. */
function endTable ({ runs }: ReportJudgement, nameOf: NameOf): Table {
  return {
    title: 'How the askings ended',
    notes: ['Only answered askings are in a mean; all others are counted here and are in none. Predictions without an answer were not put to a judge.'],
    columns: [
      { name: 'Run', numeric: false }, { name: 'Judge', numeric: false }, { name: 'predictions', numeric: true },
      { name: 'not judged', numeric: false },
      ...outcomes.map(name => ({ name, numeric: true })), { name: 'replies cut', numeric: true }
    ],
    rows: runs.flatMap(({ runId, predictions, notJudged, judges }) => {
      const why = Object.entries(notJudged).map(([reason, count]) => `${count} ${reason}`).join(', ')
      return judges.map(({ judge, outcomes: counts, cutReplies }) => [
        nameOf(runId), judge, predictions, why || '0', ...outcomes.map(outcome => counts[outcome] ?? 0), cutReplies
      ])
    })
  }
}

function correctedTable ({ runs }: ReportJudgement, nameOf: NameOf): Table {
  return {
    title: 'Mean totals corrected by people\'s labels',
    notes: ['What people would have given on average, estimated from the judge\'s totals of all replies and its errors on those that people labelled. judge bias: judge minus people, where both rated.'],
    columns: ['Run', 'Judge', 'Method', 'corrected mean', 'judge bias', 'people alone', 'labelled', 'unlabelled', 'Why not'].map((name, at) => (
      { name, numeric: at > 2 && at < 8 })),
    rows: runs.flatMap(({ runId, corrected }) =>
      corrected.map(row => [nameOf(runId), ...correctedCells(row)]))
  }
}

function correctedCells (row: CorrectedMean): Cell[] {
  const { judge, method, judgeBias, humanOnly, labelled, unlabelled, reason = '', ...mean } = row
  const valued = (of: { value: number | null, low: number | null, high: number | null } | null): Cell =>
    of === null || of.value === null ? null : `${number(of.value)} ${range(of)}`.trimEnd()
  return [judge, method, valued(mean), fixed(judgeBias, 2), valued(humanOnly), labelled, unlabelled, reason]
}

function agreementTable ({ agreement }: ReportJudgement): Table {
  const cell = ({ value, low, high }: ReportJudgement['agreement'][number]['alpha']): Cell =>
    value === null ? null : `${number(value)} ${range({ low, high })}`.trimEnd()
  return {
    title: 'Agreement among the judges',
    notes: ['Krippendorff\'s alpha, ICC(A,1) and Gwet\'s AC with 95 % intervals; n replies that two or more judges rated.'],
    columns: ['Of', 'judges', 'n', 'alpha', 'ICC(A,1)', 'Gwet'].map((name, at) => ({ name, numeric: at > 0 })),
    rows: agreement.map(({ of, raters, n, alpha, iccA1, gwet }) =>
      [of, raters, n, cell(alpha), cell(iccA1), cell(gwet)])
  }
}

function preferenceTable ({ preferences }: ReportJudgement, nameOf: NameOf): Table {
  const [first, second] = (preferences[0]?.wins ?? []).map(({ runId }) => nameOf(runId))
  return {
    title: 'Which of the two replies is better',
    notes: [`preference is 1 where ${first} wins, -1 where ${second} does and 0 for a tie: mean, 95 % interval, n pairs.`],
    columns: [
      'Judge', 'preference', `wins of ${first}`, `wins of ${second}`, 'ties', 'of them flipped', 'incomplete', 'askings without a preference'
    ].map((name, at) => ({ name, numeric: at > 0 })),
    rows: preferences.map(({ judge, score, wins, ties, flips, incomplete, outcomes: counts }) => [
      judge, scoreCell(score), ...wins.map(({ count }) => count), ties, flips, incomplete,
      outcomes.map(outcome => outcome === 'answered' ? 0 : counts[outcome] ?? 0).reduce((sum, count) => sum + count, 0)
    ])
  }
}

function cut (table: Table): Table {
  if (table.rows.length <= rowsMax) return table
  return { ...table, rows: table.rows.slice(0, rowsMax), notes: [...table.notes, `The first ${rowsMax} of ${table.rows.length} rows; the JSON file has all.`] }
}
