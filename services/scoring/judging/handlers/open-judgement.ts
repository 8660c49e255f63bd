/** Opens a judgement, or finds the one that is the same. */
import { servedModel } from '../../../../shared/clients/served-model.ts'
import type { ServedModel } from '../../../../shared/clients/inference.ts'
import { canonicalJson, sha256 } from '../../../../shared/contracts/hash.ts'
import { judgesMax, type JudgementRequest } from '../../../../shared/contracts/judgement.ts'
import type { Rubric } from '../../../../shared/contracts/rubric.ts'
import { Problem } from '../../../../shared/errors/problem.ts'
import { familyOf } from '../../../../shared/text/families.ts'
import { settledRun } from '../../handlers/make-report.ts'
import { faultsOfRubric } from '../domain/rubric.ts'
import { shippedRubrics } from '../domain/shipped-rubrics.ts'
import { askingsOf, isJudged, judgementIdOf, type JudgementSpec } from '../domain/spec.ts'
import type { JudgementParts } from './parts.ts'
import { selectUnits, type Selected } from './select-units.ts'

/** More would keep a panel busy for months, and the summary out of memory. */
const ratingsMax = 200_000

/**
 * The id names what is judged (the very replies), by whom and how: a run that was retried since, or
 * another version of a prompt, makes it another judgement.
 *
 * @throws Problem model-not-found; run-not-found; not-finished; conflict; invalid-request; not-computable
 */
export async function openJudgement (
  parts: JudgementParts, request: JudgementRequest
): Promise<{ id: string, created: boolean }> {
  const rubric = rubricOf(request)
  mustHaveRoom(request)
  const runs = await runsOf(parts, request)
  const judges = judgesOf(await parts.inference.listModels(), request)
  const selected = await selectUnits(parts, request, runs.benchmarkId)
  const spec = specOf(parts, request, { rubric, ...runs, judges, selected })
  const id = judgementIdOf(spec, selected.hash)
  await parts.jobs.admit(id)
  const { units } = selected
  for (let from = 0; from < units.length; from += 500) {
    await parts.judging.saveUnits(id, from, units.slice(from, from + 500))
  }
  return { id, ...await parts.jobs.open(id, spec) }
}

interface Found extends Pick<JudgementSpec, 'rubric' | 'runs' | 'judges' | 'benchmarkId'> { selected: Selected }

function specOf (
  { prompts }: Pick<JudgementParts, 'prompts'>, request: JudgementRequest, found: Found
): JudgementSpec {
  const { families, ...asked } = request
  const { selected: { units }, rubric, ...rest } = found
  const judgedCount = units.filter(isJudged).length
  const each = askingsOf(0, { ...asked, judges: rest.judges }).length
  const { name, hash } = prompts[request.form]
  if (judgedCount === 0) {
    throw new Problem('not-computable', `None of the ${units.length} predictions selected was answered with a text; there is nothing to judge.`)
  }
  if (judgedCount * each > ratingsMax) {
    throw new Problem('not-computable', `This would be ${judgedCount * each} ratings, and ${ratingsMax} is the most; ask for fewer runs, items, judges or repeats.`)
  }
  return {
    ...asked,
    ...rest,
    rubric,
    rubricHash: sha256(canonicalJson(rubric)),
    prompts: [{ name, hash }],
    unitCount: units.length,
    judgedCount,
    ratingCount: judgedCount * each
  }
}

function rubricOf ({ rubric }: JudgementRequest): Rubric {
  if (typeof rubric === 'string') return shippedRubrics[rubric]
  const faults = faultsOfRubric(rubric)
  if (faults.length === 0) return rubric
  throw new Problem('invalid-request', 'The rubric cannot be used.', {
    errors: faults.map(({ pointer, detail }) => ({ pointer: `/rubric/criteria${pointer}`, detail }))
  })
}

function mustHaveRoom ({ sampling: { maxTokens }, contextTokens }: JudgementRequest): void {
  if (maxTokens * 2 <= contextTokens) return
  throw new Problem('invalid-request', `A reply of ${maxTokens} tokens leaves less than half of a context of ${contextTokens} for what is judged; lower sampling.maxTokens or raise contextTokens.`, {
    errors: [{ pointer: '/contextTokens', detail: 'Must be at least twice sampling.maxTokens.' }]
  })
}

async function runsOf (
  parts: JudgementParts, { runIds, form, families }: JudgementRequest
): Promise<Pick<JudgementSpec, 'runs' | 'benchmarkId'>> {
  if (form === 'preferences' && runIds.length !== 2) {
    throw new Problem('invalid-request', `Preferences are between two runs, and these are ${runIds.length}.`, {
      errors: [{ pointer: '/runIds', detail: 'Two runs of one benchmark.' }]
    })
  }
  const found = []
  for (const runId of runIds) found.push(await settledRun({ jobs: parts.runs, store: parts.store }, runId))
  const benchmarkIds = [...new Set(found.map(({ spec }) => spec.benchmarkId))]
  const [benchmarkId = ''] = benchmarkIds
  if (benchmarkIds.length > 1) {
    throw new Problem('conflict', `A judgement is about one benchmark; these runs are of ${benchmarkIds.join(', ')}.`)
  }
  const runs = found.map(({ _id: runId, spec: { model, condition: { formulation } } }) => (
    { runId, model, family: families[model] ?? familyOf(model)!, formulation }))
  return { benchmarkId, runs }
}

function judgesOf (
  served: readonly ServedModel[], { judges, families }: JudgementRequest
): JudgementSpec['judges'] {
  if (judges.length > judgesMax) throw new Error(`A panel has at most ${judgesMax} judges`)
  return judges.map(name => {
    const found = servedModel(served, name)
    return { name, family: families[name] ?? familyOf(name)!, vision: found.capabilities.includes('vision'), contextTokens: found.contextTokens }
  })
}
