/** What came back from a run, prediction by prediction. */
import { Readable } from 'node:stream'
import type { Page } from '../../../shared/contracts/page.ts'
import type { Prediction } from '../../../shared/contracts/run.ts'
import type { PredictionsAsked } from '../store.ts'
import { runReader } from './get-run.ts'
import type { Parts } from './parts.ts'

type ReadParts = Pick<Parts, 'jobs' | 'store'>

export async function listPredictions (
  parts: ReadParts, runId: string, page: PredictionsAsked
): Promise<Page<Prediction>> {
  await runReader(parts).job(runId)
  return await parts.store.listPredictions(runId, page)
}

/** One JSON object a line, in the benchmark's order. */
export async function readPredictionsJsonl (parts: ReadParts, runId: string): Promise<Readable> {
  await runReader(parts).job(runId)
  return Readable.from(lines(parts, runId))
}

async function * lines ({ store }: ReadParts, runId: string): AsyncGenerator<string> {
  for await (const some of store.predictionsOf(runId)) {
    yield some.map(prediction => `${JSON.stringify(prediction)}\n`).join('')
  }
}
