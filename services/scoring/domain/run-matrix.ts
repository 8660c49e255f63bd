/** The cells of a run matrix: every combination of the levels asked for. */
import { Condition } from '../../../shared/contracts/run.ts'
import { matrixRunsMax, type RunMatrixRequest } from '../../../shared/contracts/run-matrix.ts'
import { Problem } from '../../../shared/errors/problem.ts'
import { Value } from 'typebox/value'

export interface MatrixCell {
  /** Of the factors with more than one level too: all that were named, in their order. */
  levels: Array<{ factor: string, level: unknown }>
  /** Resolved. */
  condition: Condition
}

/**
 * In the order of the factors as they stand in a condition, the last changing fastest; levels in the order
 * given, so that effects are of a level minus those before it.
 *
 * @throws Problem invalid-request for more than 64 runs
 */
export function matrixCells ({ factors, sampling, seed, repeats }: RunMatrixRequest): MatrixCell[] {
  const named = Object.keys(Condition.properties).flatMap(factor =>
    factors[factor] === undefined ? [] : [{ factor, levels: factors[factor] }])
  const count = named.reduce((product, { levels }) => product * levels.length, repeats)
  if (count > matrixRunsMax) {
    throw new Problem('invalid-request', `These levels and repeats come to ${count} runs, and a matrix has at most ${matrixRunsMax}; leave out levels, or ask for fewer repeats.`, {
      errors: [{ pointer: '/body/factors', detail: `${count} runs` }]
    })
  }
  const crossed = named.reduce<Array<MatrixCell['levels']>>((cells, { factor, levels }) =>
    cells.flatMap(cell => levels.map(level => [...cell, { factor, level }])), [[]])
  return crossed.map(levels => ({ levels, condition: conditionOf(levels, { sampling, seed }) }))
}

function conditionOf (
  levels: MatrixCell['levels'], common: Pick<Condition, 'sampling' | 'seed'>
): Condition {
  const given = { ...Object.fromEntries(levels.map(({ factor, level }) => [factor, level])), ...common }
  return Value.Default(Condition, structuredClone(given)) as Condition
}
