/**
 * The work of a curation: items through its steps, one after the other. What models replied is on record with
 * inference and all else follows from the seed, so that a curation that runs again makes the same.
 */
import type { CurationChange } from '../../../../shared/contracts/curation.ts'
import { Problem } from '../../../../shared/errors/problem.ts'
import type { JobRecord } from '../../../../shared/tasks/tasks.ts'
import { changedItem } from '../domain/changed-item.ts'
import { stepWork } from '../domain/step-work.ts'
import { promptsOf, type Entry, type ResolvedStep, type StepOutcome, type StepResult } from '../domain/steps.ts'
import { stepInThread } from '../thread/thread.ts'
import { askModels } from './ask-models.ts'
import type { CurationParts, CurationSpec } from './parts.ts'

type Job = JobRecord<CurationSpec>
export type RunParts = Omit<CurationParts, 'jobs'>

/** Fewer are worked on in less than the event loop may be held; more go to a thread. */
const inPlaceMax = 20
const writtenAtOnce = 200

export async function runCuration (parts: RunParts, job: Job, signal: AbortSignal): Promise<void> {
  const { curations } = parts
  const { _id: curationId, spec } = job
  assertSame(parts, job)
  if (await curations.findOutcome(curationId) !== undefined) return
  let entries = await curations.listSourceItems(spec.source)
  const sourceCount = entries.length
  const stepCounts = []
  const findings = []
  for (const [at, step] of spec.steps.entries()) {
    signal.throwIfAborted()
    const result = await resultOf(parts, job, { step, at, entries, signal })
    const byRoot = new Map(result.outcomes.map(outcome => [outcome.rootId, outcome]))
    const counts = { changed: 0, dropped: 0, flagged: 0 }
    const left: Entry[] = []
    for (let from = 0, written = 0; from < entries.length; from += writtenAtOnce) {
      signal.throwIfAborted()
      const part = appliedTo(entries.slice(from, from + writtenAtOnce), byRoot, { step, at, seed: spec.seed })
      await curations.insertChanges(curationId, part.changes, written)
      for (const { action } of part.changes) counts[action]++
      written += part.changes.length
      left.push(...part.entries)
    }
    stepCounts.push(counts)
    findings.push(...result.findings.map(finding => ({ step: at, ...finding })))
    entries = left
  }
  for (let from = 0; from < entries.length; from += writtenAtOnce) {
    signal.throwIfAborted()
    await curations.insertItems(curationId, entries.slice(from, from + writtenAtOnce), from)
  }
  // Last: where it is, all the rest is.
  await curations.saveOutcome(curationId, { sourceCount, itemCount: entries.length, stepCounts, findings })
}

export interface StepAsked { step: ResolvedStep, at: number, entries: readonly Entry[], signal: AbortSignal }

async function resultOf (
  parts: RunParts, job: Job, { step, at, entries, signal }: StepAsked
): Promise<StepResult> {
  const { except: excepted, seed } = job.spec
  const except = new Set(excepted.filter(each => each.step === at).map(({ itemId }) => itemId))
  const pack = 'regionPack' in step ? parts.packs.get(step.regionPack)?.pack : undefined
  const work = { step, seed, except, pack }
  if (promptsOf(step).length > 0) {
    const asked = entries.filter(({ rootId }) => !except.has(rootId))
    const told = await askModels(parts, { ...work, entries: asked, jobId: job._id, signal })
    if ('outcomes' in told) return told
    return await stepInThread({ ...work, entries, searches: told.searches }, signal)
  }
  if (entries.length <= inPlaceMax) return stepWork({ ...work, entries })
  return await stepInThread({ ...work, entries }, signal)
}

interface Applied { entries: Entry[], changes: CurationChange[] }

function appliedTo (
  entries: readonly Entry[],
  byRoot: ReadonlyMap<string, StepOutcome>,
  { step, at, seed }: { step: ResolvedStep, at: number, seed: number }
): Applied {
  const changes: CurationChange[] = []
  const left = entries.flatMap(({ rootId, item }): Entry[] => {
    const outcome = byRoot.get(rootId)
    if (outcome === undefined) return [{ rootId, item }]
    const { action, reason, detail, relatedIds = [], changes: changed = {}, check, call } = outcome
    const written = { ...check !== undefined && { check }, ...call !== undefined && { call } }
    const after = action === 'changed' ? changedItem(item, { step: step.step, seed, changes: changed, ...written }) : null
    changes.push({ step: at, rootId, action, reason, detail, before: item, after, relatedIds })
    return action === 'dropped' ? [] : [{ rootId, item: after ?? item }]
  })
  return { entries: left, changes }
}

/** A curation is made with the prompts and packs it was opened with, or not at all. */
function assertSame ({ prompts, packs }: RunParts, { _id, spec }: Job): void {
  const other = spec.prompts.find(({ name, hash }) => prompts.get(name)?.hash !== hash) ??
    spec.packs.find(({ name, hash }) => packs.get(name)?.hash !== hash)
  if (other === undefined) return
  throw new Problem('conflict', `Curation ${_id} was begun with another version of ${other.name}; POST /v1/curations again starts one with this version.`)
}
