/** What one kind of analysis is to the outside: raw tables or runs in, rows and a summary out. */
import { Type, type Static, type TObject, type TProperties, type TSchema } from 'typebox'
import { JudgementId, RunId } from '../../../../shared/contracts/ids.ts'
import type { Condition, RunSitting } from '../../../../shared/contracts/run.ts'
import { Problem } from '../../../../shared/errors/problem.ts'
import type { Table } from '../compare/table.ts'
import { fixed } from '../compare/table.ts'
import type { Scored } from '../scored.ts'

const Primitive = Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()])
export type Value = Static<typeof Primitive>
export type Row = Record<string, Value>

export const AnalysisAnswer = Type.Object({
  kind: Type.String(),
  rows: Type.Array(Type.Record(Type.String(), Primitive), { description: 'Null is "no data", never zero.' }),
  summary: Type.Record(Type.String(), Primitive),
  notes: Type.Array(Type.String(), { description: 'What a reader must know before citing a number.' })
}, { $id: 'AnalysisAnswer', additionalProperties: false })
export type AnalysisAnswer = Static<typeof AnalysisAnswer>

export type Found = Omit<AnalysisAnswer, 'kind'>

/** What judges gave a reply; `why` there is no total: nobody was asked, or what came back does not count. */
export interface ReplyJudged { total: number | null, why: 'not-judged' | 'judge-failed' | null }

/** By what the replies of a run were judged. */
export interface JudgedBy {
  judgementId: string
  rubric: string
  /** Its name, or "the panel mean of 3 judges". */
  judge: string
  /** Of totals. */
  range: { min: number, max: number }
}

/** A row without `judged` was not selected for judging. */
export type AnalysedRow = Scored & { judged?: ReplyJudged }

/** A scored run as analyses read it. */
export interface AnalysedRun {
  runId: string
  name: string
  model: string
  condition: Condition
  benchmarkId: string
  /** By what part of the papers its items were made; null where the benchmark does not say, or of several. */
  generationMode: string | null
  /** Where it is a person's. */
  sitting?: RunSitting
  rows: readonly AnalysedRow[]
  /** Where the kind asks for judgements. */
  judgedBy?: JudgedBy
}

export interface Definition<T extends TSchema, O extends TProperties> {
  summary: string
  /** What the rows are, in a sentence. */
  rows: string
  /** What is sent instead of runs. */
  table: T
  options: O
  example: object
  runsMin?: number
  compute: (table: Static<T>, options: Static<TObject<O>>) => Found
  /** The table that these runs come to; kinds without it take tables alone. */
  /** What is said of the runs beside what their table gives. */
  notesOfRuns?: (runs: readonly AnalysedRun[], options: Static<TObject<O>>) => string[]
  fromRuns?: (runs: readonly AnalysedRun[], options: Static<TObject<O>>) => Static<T>
  /** In place of both, where runs come to more than a table does. */
  ofRuns?: (runs: readonly AnalysedRun[], options: Static<TObject<O>>) => Found
  /** Whether the runs must all be of one benchmark. */
  oneBenchmark?: boolean
  /** The option that says what runs are held against, where a table would have both. */
  besideRuns?: string
  /** Whether runs come with judgements of them. */
  judged?: boolean
}

export interface Analysis {
  summary: string
  description: string
  body: TSchema
  takesRuns: boolean
  runsMin: number
  oneBenchmark: boolean
  judged: boolean
  besideRuns?: string
  compute: (body: AnalysisBody, runs: readonly AnalysedRun[] | null) => Found
}

export interface AnalysisBody {
  runIds?: string[]
  judgementIds?: string[]
  judge?: string
  table?: unknown
  [option: string]: unknown
}

export const analysedRunsMax = 100

const judgedFields = {
  judgementIds: Type.Optional(Type.Array(JudgementId, { minItems: 1, maxItems: 20, uniqueItems: true, description: 'With runIds: ended judgements of the form scores, all by one rubric, the same judges and the same reference; each run is in one of them.' })),
  judge: Type.Optional(Type.String({ minLength: 1, maxLength: 300, description: 'Of several judges, the one whose totals are taken; else the mean of all, over replies that all of them rated.' }))
}

/** Ties a computation to the schema of its body: a table, or run ids, and options. */
export function analysis<T extends TSchema, O extends TProperties> (definition: Definition<T, O>): Analysis {
  const {
    summary, rows, table, options, example, compute, fromRuns, ofRuns, notesOfRuns, ...rest
  } = definition
  const { runsMin = 1, oneBenchmark = true, judged = false, besideRuns } = rest
  const takesRuns = fromRuns !== undefined || ofRuns !== undefined
  const runIds = Type.Array(RunId, { minItems: runsMin, maxItems: analysedRunsMax, uniqueItems: true })
  return {
    summary,
    description: `${rows} ${!takesRuns ? 'Takes a table.' : judged ? 'Takes a table, or the ids of settled runs and of ended judgements of them.' : 'Takes a table, or the ids of settled runs.'} Nothing is stored: same input, same bytes.`,
    body: Type.Object({
      ...takesRuns && { runIds: Type.Optional(runIds) },
      ...judged && judgedFields,
      table: takesRuns ? Type.Optional(table) : table,
      ...options
    }, { additionalProperties: false, examples: [example] }),
    takesRuns,
    runsMin,
    oneBenchmark,
    judged,
    ...besideRuns !== undefined && { besideRuns },
    compute ({ runIds: _, judgementIds: __, judge: ___, table: sent, ...given }, runs) {
      const chosen = given as Static<TObject<O>>
      if (runs !== null && ofRuns !== undefined) return speakable(ofRuns(runs, chosen))
      if (runs === null) return speakable(compute(sent as Static<T>, chosen))
      const found = compute(fromRuns!(runs, chosen), chosen)
      return speakable({ ...found, notes: [...found.notes, ...notesOfRuns?.(runs, chosen) ?? []] })
    }
  }
}

/** Numbers that JSON cannot carry leave as null, and it is said. */
function speakable (found: Found): Found {
  const isSayable = (value: Value) => typeof value !== 'number' || Number.isFinite(value)
  if ([...found.rows, found.summary].every(row => Object.values(row).every(isSayable))) return found
  const said = (row: Row): Row => {
    const entries = Object.entries(row)
    if (entries.every(([, value]) => isSayable(value))) return row
    const rest = Object.fromEntries(entries.map(([key, value]) => [key, isSayable(value) ? value : null]))
    return { ...rest, reason: [rest['reason'], 'a number is too large to be told'].filter(Boolean).join('; ') }
  }
  return {
    rows: found.rows.map(said),
    summary: said(found.summary),
    notes: [...found.notes, 'Some numbers are too large for a double, or come of numbers that are, and are null: send them in a larger unit.']
  }
}

/** What a body names; of a table nothing. */
export interface Named { runIds: string[] | null, judgementIds: string[], judge: string | null }

/** @throws Problem invalid-request unless it has either a table, or runs and what the kind asks of them */
export function namedBy (body: AnalysisBody, { judged, besideRuns }: Pick<Analysis, 'judged' | 'besideRuns'>): Named {
  assertOneSource(body, besideRuns)
  const { runIds = null, judgementIds = [], judge = null } = body
  const ofJudges = judgementIds.length > 0 || judge !== null
  if (runIds === null && ofJudges) throw wrong('/judgementIds', 'Judgements are of runs; a table has its totals itself.')
  if (runIds !== null && judged && judgementIds.length === 0) throw wrong('/judgementIds', 'Name the judgements of these runs: runs have no reasoning score of their own.')
  return { runIds, judgementIds, judge }
}

function assertOneSource ({ runIds, table }: AnalysisBody, besideRuns: string | undefined): void {
  if ((runIds === undefined) !== (table === undefined)) return
  if (runIds !== undefined && besideRuns !== undefined) throw wrong('/table', `Send either runIds or a table, not both. What the runs are held against goes into "${besideRuns}" in place of the table.`)
  throw wrong('', `Send ${runIds === undefined ? 'a table, or runIds where the kind takes them' : 'either runIds or a table, not both'}.`)
}

/** A body that fits its schema and still contradicts itself. */
export function wrong (pointer: string, detail: string): Problem {
  return new Problem('invalid-request', detail, { errors: [{ pointer: `/body${pointer}`, detail }] })
}

/** @throws Problem where a name stands twice: which of the two is meant? */
export function assertDistinct (names: readonly string[], pointer: string): void {
  const seen = new Set<string>()
  const at = names.findIndex(name => seen.size === seen.add(name).size)
  if (at >= 0) throw wrong(`${pointer}/${at}`, `"${names[at]!}" stands twice; give each one row.`)
}

export const Name = Type.String({ minLength: 1, maxLength: 300 })
export const Count = Type.Integer({ minimum: 0, maximum: 1_000_000 })
export const RightOf = Type.Object({ right: Count, n: Count }, { additionalProperties: false })
export type RightOf = Static<typeof RightOf>

export function assertPossible ({ right, n }: RightOf, pointer: string): void {
  if (right > n) throw wrong(pointer, `${right} right of ${n} items is not possible.`)
}

export function meanOf (values: readonly number[]): number | null {
  if (values.length === 0) return null
  const sum = values.reduce((all, value) => all + value, 0)
  // A sum may be too large where the mean is not.
  if (Number.isFinite(sum)) return sum / values.length
  return values.reduce((all, value) => all + value / values.length, 0)
}

/** The rows as a table for files; numbers to four digits where they are no counts. */
export function analysisTable ({ kind, rows, notes }: AnalysisAnswer): Table {
  const names = [...new Set(rows.flatMap(row => Object.keys(row)))]
  const cell = (value: Value | undefined) => typeof value === 'number'
    ? Number.isInteger(value) ? value : fixed(value, 4)
    : typeof value === 'boolean' ? (value ? 'yes' : 'no') : value ?? null
  return {
    title: `Analysis: ${kind}`,
    notes,
    columns: names.map(name => ({ name, numeric: rows.some(row => typeof row[name] === 'number') })),
    rows: rows.map(row => names.map(name => cell(row[name])))
  }
}
