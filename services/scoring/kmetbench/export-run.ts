/** A stored run as K-MetBench's run file, a row at a time. */
import { Readable } from 'node:stream'
import type { BenchmarkItem } from '../../../shared/contracts/benchmark.ts'
import type { Prediction } from '../../../shared/contracts/run.ts'
import { Problem } from '../../../shared/errors/problem.ts'
import { settledRun } from '../handlers/make-report.ts'
import type { GridParts, RunJob } from '../handlers/scored-grids.ts'
import { marksOfItem } from './domain/item-marks.ts'
import { Means, metricOrder, sharesNote } from './domain/metrics.ts'
import { runRow, whyNoRow } from './domain/run-row.ts'
import { fileOf } from './write-file.ts'

/**
 * @throws Problem run-not-found, not-finished; conflict for a cancelled run; not-computable where no
 *         prediction has a place in the file
 */
export async function runAsKmetbench (parts: GridParts, runId: string): Promise<Readable> {
  const job = await settledRun(parts, runId)
  const frozen = await parts.benchmarks.get(job.spec.benchmarkId)
  const means = new Means()
  const left = new Map<string, number>()
  for await (const { prediction, item } of predictionsIn(parts, job, frozen.itemById)) {
    const why = whyNoRow(prediction)
    if (why === undefined) means.addAnswer(runRow(prediction, item, job.spec).is_correct, marksOfItem(item))
    else left.set(why, (left.get(why) ?? 0) + 1)
  }
  if (means.sumOf('accuracy').n === 0) {
    throw new Problem('not-computable', `Run ${runId} has no counted reply to a yes/no or multiple-choice question, and K-MetBench's files hold no others.`)
  }
  async function * rows (): AsyncGenerator<object> {
    for await (const { prediction, item } of predictionsIn(parts, job, frozen.itemById)) {
      if (whyNoRow(prediction) === undefined) yield runRow(prediction, item, job.spec)
    }
  }
  return Readable.from(fileOf(headOf(job, { name: frozen.benchmark.name, means, left }), rows()))
}

async function * predictionsIn (
  { store }: GridParts, { _id: runId }: RunJob, itemById: ReadonlyMap<string, BenchmarkItem>
): AsyncGenerator<{ prediction: Prediction, item: BenchmarkItem }> {
  for await (const some of store.predictionsOf(runId)) {
    for (const prediction of some) yield { prediction, item: itemById.get(prediction.itemId)! }
  }
}

interface Facts { name: string, means: Means, left: ReadonlyMap<string, number> }

function headOf ({ _id: runId, spec }: RunJob, { name, means, left }: Facts): object {
  const { model, condition, benchmarkId } = spec
  const metrics = means.answers()
  const { sampling, prompt, formulation, seed } = condition
  return {
    model_key: model,
    model_name: model,
    timestamp: null,
    metrics: { ...metrics, inference_time: null },
    public_protocol: {
      benchmark: name,
      metric_order: metricOrder,
      metrics: Object.fromEntries(metricOrder.map(metric => [metric, metrics[metric]]))
    },
    evaluation_settings: {
      num_samples: -1,
      max_tokens: sampling.maxTokens,
      temperature: sampling.temperature,
      top_p: sampling.topP,
      base_url: null,
      seed,
      prompt_type: prompt,
      data_type: formulation
    },
    viva: { runId, benchmarkId, answerBase: 1 },
    notes: [
      sharesNote,
      'predicted_answer and correct_answer count from 1, in the order in which choices were shown; -1 is no answer.',
      ...[...left].map(([why, n]) => `${n} predictions are left out: ${why}.`)
    ]
  }
}
