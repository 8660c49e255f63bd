/** Run matrix: runs of every combination of some levels of a condition, opened with one request. */
import { Type, type Static, type TSchema } from 'typebox'
import { exampleIds } from './example-ids.ts'
import { BenchmarkId, RunId } from './ids.ts'
import { Condition, RunRequest } from './run.ts'

const closed = { additionalProperties: false }

const { sampling, seed, repeat: _, ...parts } = Condition.properties

export const matrixRunsMax = 64
const levelsMax = 16

/** A list of what the condition takes there; its default is said by leaving the factor out. */
function levelsOf (part: TSchema): TSchema {
  const { default: usual, description, ...level } =
    part as TSchema & { default?: unknown, description?: string }
  const shown = usual === undefined ? description : [description, `Left out: ${JSON.stringify(usual)}.`].filter(Boolean).join(' ')
  return Type.Optional(Type.Array(level as TSchema, {
    minItems: 1, maxItems: levelsMax, uniqueItems: true, ...shown !== undefined && { description: shown }
  }))
}

const Factors = Type.Object(
  Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, levelsOf(part)])),
  { ...closed, minProperties: 1, description: 'Parts of a condition, each with the levels that are crossed; a single level holds for every run.' }
)

export const RunMatrixRequest = Type.Object({
  benchmarkId: BenchmarkId,
  model: RunRequest.properties.model,
  factors: Factors,
  sampling,
  seed,
  repeats: Type.Integer({ minimum: 1, maximum: matrixRunsMax, default: 1, description: 'Runs of each cell.' })
}, {
  $id: 'RunMatrixRequest',
  ...closed,
  examples: [{
    benchmarkId: exampleIds.benchmark,
    model: 'baseline/always-yes',
    factors: { contentMode: ['none', 'semantic'], prompt: ['standard', 'advanced'] }
  }]
})
export interface RunMatrixRequest {
  benchmarkId: string
  model: string
  factors: Record<string, unknown[]>
  sampling: Condition['sampling']
  seed: number
  repeats: number
}

export const RunMatrix = Type.Object({
  benchmarkId: BenchmarkId,
  model: Type.String(),
  cells: Type.Array(Type.Object({
    levels: Type.Array(Type.Object({ factor: Type.String(), level: Type.Unknown() }, closed)),
    runIds: Type.Array(RunId, { description: 'Its repeats, in their order.' })
  }, closed), { maxItems: matrixRunsMax }),
  runIds: Type.Array(RunId, { maxItems: matrixRunsMax, description: 'All of them, as POST /v1/analyses/factorial takes them once they are settled.' })
}, { $id: 'RunMatrix', ...closed })
export type RunMatrix = Static<typeof RunMatrix>
