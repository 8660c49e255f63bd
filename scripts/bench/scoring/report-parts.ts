/** What the report's handlers work with, over a real store, for runs that were made. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { folderBlobs } from '../../../shared/blobs/folder.ts'
import { embeddedStore } from '../../../shared/store/embedded.ts'
import type { ReportsParts } from '../../../services/scoring/handlers/parts.ts'
import { scoringStore } from '../../../services/scoring/store.ts'
import { madeFigure, madePredictions, type MadeBenchmark, type MadeRun } from './made-runs.ts'

export type ReportParts = Pick<ReportsParts, 'jobs' | 'store' | 'benchmarks' | 'judged'>

const insertsAtOnce = 200

/** The runs' predictions are stored; reviewing and the queue are told what to say. */
export async function reportParts (
  made: MadeBenchmark, runs: readonly MadeRun[]
): Promise<{ parts: ReportParts, close: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'viva-report-'))
  const database = await embeddedStore(join(folder, 'scoring.db'))
  const store = await scoringStore(database, await folderBlobs(join(folder, 'blobs')))
  for (const run of runs) {
    const predictions = madePredictions(made, run)
    for (let at = 0; at < predictions.length; at += insertsAtOnce) {
      await Promise.all(predictions.slice(at, at + insertsAtOnce).map(async (prediction, more) =>
        await store.savePrediction(prediction, at + more)))
    }
  }
  const { benchmark, items, documents } = made
  const frozen = { benchmark, items, itemById: new Map(items.map(item => [item.id, item])) }
  const jobOf = (runId: string) => {
    const run = runs.find(each => each.runId === runId)
    if (run === undefined) return undefined
    const { model, condition } = run
    const spec = { benchmarkId: benchmark.id, model, condition, prompts: [], vision: true }
    return { _id: runId, round: 0, cancelled: false, spec }
  }
  const jobs = {
    find: async (runId: string) => jobOf(runId),
    view: async () => ({ state: 'succeeded', progress: { done: items.length, total: items.length, failed: 0 }, problems: [] })
  } as unknown as ReportParts['jobs']
  const benchmarks: ReportParts['benchmarks'] = {
    get: async () => frozen,
    documentOf: async (_, { source }) => 'documentHash' in source ? documents.get(source.documentHash) ?? null : null,
    figureUrl: async (_, imageId) => `data:image/png;base64,${madeFigure(imageId).toString('base64')}`
  }
  const none = async () => { throw new Error('Nothing was judged') }
  const judged: ReportParts['judged'] = { read: none, readUnits: none }
  return {
    parts: { jobs, store, benchmarks, judged },
    async close () {
      await database.close()
      await rm(folder, { recursive: true, force: true })
    }
  }
}
