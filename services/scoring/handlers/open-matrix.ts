/** Opens the runs of a matrix, or finds those that are the same. */
import type { RunMatrix, RunMatrixRequest } from '../../../shared/contracts/run-matrix.ts'
import { Problem } from '../../../shared/errors/problem.ts'
import { whyNotRunnable } from '../domain/plan.ts'
import { matrixCells } from '../domain/run-matrix.ts'
import { mustBeGiveable, openRun } from './open-run.ts'
import type { Parts } from './parts.ts'

/**
 * Nothing of a matrix is kept but its runs: the same request finds the same ones.
 *
 * @throws Problem as POST /v1/runs; not-computable before any run is opened, naming the cell
 */
export async function openMatrix (
  parts: Parts, request: RunMatrixRequest
): Promise<{ created: boolean, matrix: RunMatrix }> {
  const { benchmarkId, model, repeats } = request
  const cells = matrixCells(request)
  const frozen = await parts.benchmarks.get(benchmarkId)
  for (const { levels, condition } of cells) {
    const obstacle = whyNotRunnable(frozen, condition)
    if (obstacle === undefined) {
      await mustBeGiveable(parts, { benchmarkId, model, condition })
      continue
    }
    const named = levels.map(({ factor, level }) => `${factor} ${JSON.stringify(level)}`).join(', ')
    throw new Problem('not-computable', `The cell ${named} cannot be run, and none was opened: ${obstacle}`)
  }
  let created = false
  const opened: RunMatrix['cells'] = []
  for (const { levels, condition } of cells) {
    const found = await openRun(parts, { benchmarkId, model, condition, repeats })
    created ||= found.created
    opened.push({ levels, runIds: found.run.repeatIds ?? [found.run.id] })
  }
  const runIds = opened.flatMap(cell => cell.runIds)
  return { created, matrix: { benchmarkId, model, cells: opened, runIds } }
}
