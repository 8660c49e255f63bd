/** What one kind of analysis is to the outside: raw tables or runs in, rows and a summary out. */
import { Type, type Static, type TObject, type TProperties, type TSchema } from 'typebox'
import { RunId } from '../../../../shared/contracts/ids.ts'
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
  rows: readonly Scored[]
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
  fromRuns?: (runs: readonly AnalysedRun[], options: Static<TObject<O>>) => Static<T>
  /** Whether the runs must all be of one benchmark. */
  oneBenchmark?: boolean
}

export interface Analysis {
  summary: string
  description: string
  body: TSchema
  takesRuns: boolean
  runsMin: number
  oneBenchmark: boolean
  compute: (body: AnalysisBody, runs: readonly AnalysedRun[] | null) => Found
}

export interface AnalysisBody { runIds?: string[], table?: unknown, [option: string]: unknown }

export const analysedRunsMax = 100

/** Ties a computation to the schema of its body: a table, or run ids, and options. */
export function analysis<T extends TSchema, O extends TProperties> (definition: Definition<T, O>): Analysis {
  const {
    summary, rows, table, options, example, runsMin = 1, compute, fromRuns, oneBenchmark = true
  } = definition
  const runIds = Type.Array(RunId, { minItems: runsMin, maxItems: analysedRunsMax, uniqueItems: true })
  return {
    summary,
    description: `${rows} ${fromRuns === undefined ? 'Takes a table.' : 'Takes a table, or the ids of settled runs.'} Nothing is stored: same input, same bytes.`,
    body: Type.Object({
      ...fromRuns !== undefined && { runIds: Type.Optional(runIds) },
      table: fromRuns === undefined ? table : Type.Optional(table),
      ...options
    }, { additionalProperties: false, examples: [example] }),
    takesRuns: fromRuns !== undefined,
    runsMin,
    oneBenchmark,
    compute ({ runIds: _, table: given, ...rest }, runs) {
      const chosen = rest as Static<TObject<O>>
      return compute(runs === null ? given as Static<T> : fromRuns!(runs, chosen), chosen)
    }
  }
}

/** @throws Problem invalid-request unless the body has either runs or a table */
export function assertOneSource ({ runIds, table }: AnalysisBody): void {
  if ((runIds === undefined) !== (table === undefined)) return
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
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length
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
