/** What one kind of statistic is to the outside: a body, an answer, and the way between. */
import { Type, type Static, type TObject, type TProperties, type TSchema } from 'typebox'
import { Problem } from '../../../../shared/errors/problem.ts'
import { computedNearOne, type Sized } from './sized.ts'

export interface Statistic {
  summary: string
  body: TSchema
  answer: TSchema
  compute: (body: unknown) => object
  /** Whether a short body still means more than a few milliseconds of work. */
  isHeavy?: (body: unknown) => boolean
  sized?: Sized
}

/** Items in one list of a body; a body is at most 32 MiB besides. */
export const valuesMax = 100_000

/** A number, or null where it is not defined: then `reason` says why. */
export const Defined = Type.Union([Type.Number(), Type.Null()])
export const DefinedList = Type.Array(Defined)
/** Low and high end. */
export const Ends = Type.Array(Defined, { minItems: 2, maxItems: 2 })
export const TestResult = Type.Object({ statistic: Defined, pvalue: Defined })

export const Numbers = Type.Array(Type.Number(), { minItems: 1, maxItems: valuesMax })
export const Matrix = Type.Array(Numbers, { minItems: 1, maxItems: valuesMax })

/** The paper of each item. */
export const Cluster = Type.Array(Type.Union([Type.Number(), Type.String({ maxLength: 200 })]), {
  minItems: 1, maxItems: valuesMax, description: 'The paper of each item.'
})
export const Seed = Type.Integer({ minimum: 0, maximum: 2 ** 32 - 1, default: 42, description: 'Same seed, same answer. The draws are not those of numpy or R.' })
export const Level = Type.Number({ minimum: 0.5, maximum: 0.999, default: 0.95, description: 'Coverage aimed at.' })
export const Names = Type.Optional(Type.Array(Type.String({ maxLength: 200 }), {
  minItems: 1, maxItems: 500
}))

/** How often to draw; results move by chance by about one part in its square root. */
export function Replicates (usual: number) {
  return Type.Integer({ minimum: 100, maximum: 20_000, default: usual })
}

/** The number 1 and the text '1' are two papers. */
export function clusterNames (cluster: ReadonlyArray<number | string>): string[] {
  return cluster.map(name => `${typeof name} ${name}`)
}

/** Names as given, or 0, 1, 2 … */
export function namesFor (
  names: readonly string[] | undefined, of: readonly unknown[], pointer: string
): string[] {
  if (names === undefined) return of.map((_, i) => String(i))
  if (names.length !== of.length) throw contradiction(pointer, `There are ${names.length} names for ${of.length}: give one each.`)
  return [...names]
}

/** The schema of a body: nothing beside these fields. */
export function bodyOf<P extends TProperties> (fields: P, example: object): TObject<P> {
  return Type.Object(fields, { additionalProperties: false, examples: [example] })
}

export function answerOf (fields: TProperties): TSchema {
  const reason = Type.String({ description: 'Why what is null is not defined.' })
  return Type.Object({ ...fields, reason: Type.Optional(reason) }, { additionalProperties: false })
}

export interface Definition<S extends TSchema> {
  summary: string
  body: S
  /** Keys of the answer beside `reason`. */
  answer: TProperties
  compute: (body: Static<S>) => object
  isHeavy?: (body: Static<S>) => boolean
  /** Of kinds that square or add up numbers which may have any size. */
  sized?: Sized<Extract<keyof Static<S>, string>>
}

/**
 * Ties a computation to the schema of its body. Numbers JSON cannot carry (NaN, ±Infinity) leave as
 * null, and with a reason.
 */
export function statistic<S extends TSchema> (
  { summary, body, answer, compute, isHeavy, sized }: Definition<S>
): Statistic {
  return {
    summary,
    body,
    answer: answerOf(answer),
    compute (given) {
      const run = (near: object) => compute(near as Static<S>)
      const found = sized === undefined ? run(given as object) : computedNearOne(given as object, sized, run)
      const said = speakable(found) as object
      return 'reason' in said || allFinite(found) ? said : { ...said, reason: tooLarge }
    },
    ...sized !== undefined && { sized },
    ...isHeavy !== undefined && { isHeavy: (given: unknown) => isHeavy(given as Static<S>) }
  }
}

const tooLarge = 'What is null is too large for a double, or comes of numbers that are: send them in a larger unit.'

function allFinite (value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value)
  return typeof value !== 'object' || value === null || Object.values(value).every(allFinite)
}

function speakable (value: unknown): unknown {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  if (Array.isArray(value)) return value.map(speakable)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, speakable(field)]))
}

/** `{ reason }` where there is one. */
export function because (reason: string | null | undefined): { reason?: string } {
  return reason === null || reason === undefined ? {} : { reason }
}

/** A body that fits its schema and still contradicts itself. */
export function contradiction (pointer: string, detail: string): Problem {
  return new Problem('invalid-request', detail, { errors: [{ pointer: `/body${pointer}`, detail }] })
}

export function assertSameLength (lists: Record<string, readonly unknown[]>): void {
  const [first, ...others] = Object.entries(lists)
  for (const [name, list] of others) {
    if (list.length === first![1].length) continue
    throw contradiction(`/${name}`, `${name} has ${list.length} values and ${first![0]} has ${first![1].length}: they are of the same items, so give one each.`)
  }
}

/** Rows of one length. */
export function assertRectangle (name: string, rows: ReadonlyArray<readonly unknown[]>): void {
  const odd = rows.findIndex(row => row.length !== rows[0]!.length)
  if (odd < 0) return
  throw contradiction(`/${name}/${odd}`, `Row ${odd} of ${name} has ${rows[odd]!.length} values and row 0 has ${rows[0]!.length}: give all rows one length.`)
}
