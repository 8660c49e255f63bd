/**
 * What scoring keeps beside its jobs: predictions and reports, each under an id that follows from
 * what it is. A prediction is written once; only one that ended in error may be replaced.
 */
import type { Blobs } from '../../shared/blobs/blobs.ts'
import type { Page, PageRequest } from '../../shared/contracts/page.ts'
import type { Report } from '../../shared/contracts/report.ts'
import { outcomes, variantsMax, type Outcome, type Prediction, type Variant } from '../../shared/contracts/run.ts'
import { Problem } from '../../shared/errors/problem.ts'
import type { Collection, Doc, Filter, Store } from '../../shared/store/store.ts'

/** `order` is the item's place in the benchmark; `outcome` repeats that of `value`. */
interface PredictionDoc extends Doc {
  runId: string
  order: number
  outcome: Outcome
  value: Prediction
}

/** What somebody said of two runs; the id is all of it, so that saying it twice is saying it once. */
interface VariantDoc extends Doc { runId: string, value: Variant }

/** The report's bytes are a blob. */
interface ReportDoc extends Doc { blobId: string }

export type PredictionsAsked = PageRequest & { outcome?: Outcome }

const batch = 500

export async function scoringStore (store: Store, blobs: Blobs) {
  const predictions = await store.collection<PredictionDoc>('predictions', [
    { keys: ['runId', 'order'] }, { keys: ['runId', 'outcome', 'order'] }
  ])
  const variants = await store.collection<VariantDoc>('variants', [{ keys: ['runId'] }])

  async function page (filter: Filter, after: number, limit: number): Promise<PredictionDoc[]> {
    const later: Filter = { ...filter, order: { $gt: after } }
    return await predictions.findMany(later, { sort: { order: 1 }, limit })
  }

  return {
    findPrediction: async (predictionId: string) => (await predictions.find(predictionId))?.value,

    /** Written twice is written once; an error gives way to whatever came of asking again. */
    async savePrediction (value: Prediction, order: number): Promise<void> {
      const { id, runId, outcome } = value
      if (await predictions.insert({ _id: id, runId, order, outcome, value })) return
      await predictions.update(id, { outcome: 'error' }, { $set: { outcome, value } })
    },

    /** In the benchmark's order; the cursor is the place of the last one. */
    async listPredictions (runId: string, asked: PredictionsAsked): Promise<Page<Prediction>> {
      const { cursor, limit, outcome } = asked
      if (cursor !== undefined && !/^\d{1,9}$/.test(cursor)) {
        throw new Problem('invalid-cursor', 'Pass nextCursor of the page before, unchanged, or leave the cursor out.')
      }
      const filter = { runId, ...outcome !== undefined && { outcome } }
      const docs = await page(filter, Number(cursor ?? -1), limit + 1)
      const items = docs.slice(0, limit)
      return {
        items: items.map(({ value }) => value),
        nextCursor: docs.length > limit ? String(items.at(-1)!.order) : null
      }
    },

    /** All of a run, some hundred at a time, in the benchmark's order. */
    async * predictionsOf (runId: string): AsyncGenerator<Prediction[]> {
      for (let after = -1; ;) {
        const docs = await page({ runId }, after, batch)
        if (docs.length > 0) yield docs.map(({ value }) => value)
        if (docs.length < batch) return
        after = docs.at(-1)!.order
      }
    },

    /** With what was declared of it as a variant; reports stay as they are. */
    async deleteOfRun (runId: string): Promise<void> {
      for (;;) {
        const docs = await predictions.findMany({ runId }, { limit: batch })
        for (const { _id } of docs) await predictions.delete(_id)
        if (docs.length < batch) break
      }
      const said = await variants.findMany({ runId }, { limit: variantsMax })
      for (const { _id } of said) await variants.delete(_id)
    },

    async countOutcomes (runId: string): Promise<Record<Outcome, number>> {
      const counts = await predictions.countBy('outcome', { runId })
      const filled = outcomes.map(outcome => [outcome, counts[outcome] ?? 0])
      return Object.fromEntries(filled) as Record<Outcome, number>
    },

    /** @throws Problem conflict for more than 20 of one run */
    async declareVariant (runId: string, value: Variant): Promise<void> {
      const _id = `${runId}/${value.relation}/${value.runId}`
      if (await variants.find(_id) !== undefined) return
      if (await variants.count({ runId }) >= variantsMax) {
        throw new Problem('conflict', `Run ${runId} has been declared a variant of ${variantsMax} runs, as many as are kept; compare further pairs by naming both.`)
      }
      await variants.insert({ _id, runId, value })
    },

    /** In the order of relation and run. */
    async variantsOf (runId: string): Promise<Variant[]> {
      const found = await variants.findMany({ runId }, { sort: { _id: 1 }, limit: variantsMax })
      return found.map(({ value }) => value)
    },

    ...reportsIn(await store.collection<ReportDoc>('reports'), blobs)
  }
}

function reportsIn (reports: Collection<ReportDoc>, blobs: Blobs) {
  return {
    async saveReport (report: Report): Promise<{ created: boolean }> {
      const { id: blobId } = await blobs.put(Buffer.from(`${JSON.stringify(report, null, 2)}\n`))
      return { created: await reports.insert({ _id: report.id, blobId }) }
    },

    /** The bytes of report.json. @throws Problem report-not-found */
    async getReportJson (reportId: string): Promise<Buffer> {
      const doc = await reports.find(reportId)
      if (doc === undefined) {
        throw new Problem('report-not-found', `There is no report ${reportId}; POST /v1/reports with the ids of its runs makes one.`)
      }
      const bytes = await blobs.find(doc.blobId)
      if (bytes === undefined) throw new Error(`Blob ${doc.blobId} of report ${reportId} is gone`)
      return bytes
    }
  }
}

export type ScoringStore = Awaited<ReturnType<typeof scoringStore>>
