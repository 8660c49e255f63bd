/** Asks one item of one run: the task of a run. */
import { canonicalJson, sha256 } from '../../../shared/contracts/hash.ts'
import type { BenchmarkItem } from '../../../shared/contracts/benchmark.ts'
import type { Document } from '../../../shared/contracts/document.ts'
import type { Prediction } from '../../../shared/contracts/run.ts'
import { asProblem } from '../../../shared/errors/problem-body.ts'
import { Problem } from '../../../shared/errors/problem.ts'
import { isLastAttempt } from '../../../shared/tasks/decisions.ts'
import type { JobRecord, Task } from '../../../shared/tasks/tasks.ts'
import { findBaseline } from '../domain/baselines/baselines.ts'
import { contentFor } from '../domain/content-for.ts'
import { givenTo } from '../domain/faithfulness/given.ts'
import {
  chatRequest, givingPrompt, promptOf, promptsUsed, promptText, seedOf
} from '../domain/messages.ts'
import { blankPrediction, errorPrediction, predictionIdOf, type PredictionTask, type RunSpec } from '../domain/plan.ts'
import { provenanceOf } from '../domain/provenance.ts'
import { questionOf, type Question } from '../domain/question.ts'
import { whyNotAsked, whyNotShown } from '../domain/skips.ts'
import { carryPrediction } from './carry-prediction.ts'
import { mustFit } from './must-fit.ts'
import type { TaskParts } from './parts.ts'
import { questionImages } from './question-images.ts'
import { mustNotOutlive, seatPrediction } from '../sittings/handlers/seat-prediction.ts'
import { readOne } from './read-long.ts'

type RunJob = JobRecord<RunSpec>

interface Asked {
  runId: string
  spec: RunSpec
  item: BenchmarkItem
  question: Question
  document: Document | null
  signal: AbortSignal
}

/**
 * Writes the prediction before it returns. An item that was answered is never asked again. When
 * the last attempt fails, the prediction says `error` and the task still dies: the run ends
 * `failed` with its results readable, and a retry asks those items anew.
 */
export async function predict (
  parts: TaskParts, { task, job }: { task: Task<PredictionTask>, job: RunJob }, signal: AbortSignal
): Promise<void> {
  const { itemId, order } = task.input
  const item = (await parts.benchmarks.get(job.spec.benchmarkId)).itemById.get(itemId)
  if (item === undefined) throw new Error(`Item ${itemId} is not in benchmark ${job.spec.benchmarkId}`)
  const before = await parts.store.findPrediction(blankPrediction(job._id, item).id)
  if (before !== undefined && before.outcome !== 'error') return
  try {
    const prediction = await predictionOf(parts, { input: task.input, item, job, signal })
    await parts.store.savePrediction(prediction, order)
  } catch (cause) {
    if (!signal.aborted && isLastAttempt(task, cause)) {
      await parts.store.savePrediction(errorPrediction(job._id, item, asProblem(cause)), order)
    }
    throw cause
  }
  if (job.spec.sitting !== undefined) await mustNotOutlive(parts, job)
}

interface Due { input: PredictionTask, item: BenchmarkItem, job: RunJob, signal: AbortSignal }

async function predictionOf (parts: TaskParts, { input, item, job, signal }: Due): Promise<Prediction> {
  if (job.spec.rescoredFrom !== undefined) return await carryPrediction(parts, { input, job, item })
  if (job.spec.sitting !== undefined) return await seatPrediction(parts, { job, item, signal })
  return await ask(parts, { item, job, signal })
}

async function ask (
  parts: TaskParts, { item, job, signal }: { item: BenchmarkItem, job: RunJob, signal: AbortSignal }
): Promise<Prediction> {
  const { spec } = job
  const document = await parts.benchmarks.documentOf(spec.benchmarkId, item)
  signal.throwIfAborted()
  const question = questionOf(item, spec.condition)
  const asked: Asked = { runId: job._id, spec, item, question, document, signal }
  const unasked = whyNotAsked(item, spec.condition)
  if (unasked !== undefined) return { ...blankPrediction(job._id, item), outcome: 'skipped', detail: unasked }
  return spec.model.startsWith('baseline/') ? await askBaseline(parts, asked) : await askModel(parts, asked)
}

async function askBaseline ({ threads }: TaskParts, asked: Asked): Promise<Prediction> {
  const { runId, spec, item, question, document, signal } = asked
  const seen = spec.condition.contentMode === 'none' ? null : document
  const answer = findBaseline(spec.model)!({ question, document: seen, seed: seedOf(spec.condition) })
  const blank = blankPrediction(runId, item)
  if ('skipped' in answer) return { ...blank, outcome: 'skipped', detail: answer.skipped }
  const reply = { content: answer.reply, finishReason: 'stop', refusal: false }
  const reading = await readOne(threads, { question, reply, signal })
  return { ...blank, ...reading, ...shownOrder(question), provenance: null }
}

async function askModel (parts: TaskParts, asked: Asked): Promise<Prediction> {
  const { runId, spec, item, question, document, signal } = asked
  const { condition, model } = spec
  const blank = blankPrediction(runId, item)
  const obstacle = whyNotShown({ question, document, condition, vision: spec.vision })
  if (obstacle !== undefined) return { ...blank, outcome: 'skipped', detail: obstacle }
  const prompt = promptOf(parts.prompts, question, condition)
  mustHavePrompts(parts, asked)
  const { benchmarkId } = spec
  const found = await questionImages(parts.benchmarks, { benchmarkId, item, question, document, condition })
  if ('skipped' in found) return { ...blank, outcome: 'skipped', detail: found.skipped }
  const added = givingPrompt(parts.prompts, question, condition)
  const given = givenTo({ item, question, condition, source: await sourceOf(parts, asked), added })
  if ('skipped' in given) return { ...blank, outcome: 'skipped', detail: given.skipped }
  const content = contentFor({ item, question, document, condition })
  const material = { content: content.text, document, condition, given: given.values }
  const text = promptText(parts.prompts, found.question, material)
  const request = chatRequest(model, { ...found, text }, condition)
  await mustFit(parts.models, { spec, text })
  const answered = await parts.models.complete(request, { runId, sampleIndex: condition.repeat, signal })
  return {
    ...blank,
    ...await readOne(parts.threads, { question, reply: answered, condition, signal }),
    leftOut: content.leftOut,
    promptHash: prompt.hash,
    requestHash: sha256(canonicalJson(request)),
    ...shownOrder(question),
    reasoning: answered.reasoning,
    provenance: { ...provenanceOf(answered, { prompt: prompt.name, model, condition }), ...given.provenance }
  }
}

/** The prediction whose rationale is given back. @throws Problem conflict while that is an error */
async function sourceOf ({ store }: TaskParts, { spec, item }: Asked): Promise<Prediction | undefined> {
  const { rationaleFrom } = spec.condition
  if (rationaleFrom === undefined) return undefined
  const source = await store.findPrediction(predictionIdOf(rationaleFrom, item.id))
  if (source?.outcome !== 'error') return source
  throw new Problem('conflict', `Item ${item.id} ended in error in run ${rationaleFrom}; POST /v1/runs/${rationaleFrom}/retry, and then retry this one.`)
}

/** A run goes on with the prompts it was begun with, or not at all. */
function mustHavePrompts ({ prompts }: TaskParts, { runId, spec, question }: Asked): void {
  const begun = new Set(spec.prompts.map(({ hash }) => hash))
  const other = promptsUsed(prompts, question, spec.condition).find(({ hash }) => !begun.has(hash))
  if (other === undefined) return
  throw new Problem('conflict', `Run ${runId} was begun with another version of prompt ${other.name}; POST /v1/runs again starts one with this version.`)
}

function shownOrder ({ order }: Question): Pick<Prediction, 'choiceOrder'> {
  return order.every((place, shown) => place === shown) ? {} : { choiceOrder: order }
}
