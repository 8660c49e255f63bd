/** The part of a judgement that is about the runs of a report. */
import type { BenchmarkItem } from '../../../../shared/contracts/benchmark.ts'
import type { JudgementSummary } from '../../../../shared/contracts/judgement-summary.ts'
import type { ReportJudgement } from '../../../../shared/contracts/report-judgement.ts'
import type { JudgementSpec } from '../../judging/domain/spec.ts'
import type { RunWorths } from './item-scores.ts'

interface JudgedParts {
  judgementId: string
  spec: JudgementSpec
  summary: JudgementSummary
}

/** Of the report: in its order, the outcomes in that of the items. */
export interface ReportedRuns {
  items: readonly BenchmarkItem[]
  runs: ReadonlyArray<{ runId: string, outcomes: RunWorths['outcomes'] }>
}

/** Why a report of these runs cannot have it; undefined when it can. */
export function whyNotReported (
  { judgementId, spec: { form, runIds } }: Pick<JudgedParts, 'judgementId' | 'spec'>, reported: readonly string[]
): string | undefined {
  const missing = runIds.filter(id => !reported.includes(id))
  if (form === 'preferences' && missing.length > 0) return `Judgement ${judgementId} prefers between two runs of which the report has not ${missing.join(' and ')}; name both in runIds.`
  return missing.length < runIds.length ? undefined : `Judgement ${judgementId} is about none of the runs of the report, but about ${runIds.join(', ')}.`
}

export function reportJudgement (
  { judgementId, spec, summary }: JudgedParts, { items, runs: reported }: ReportedRuns
): ReportJudgement {
  const { form, rubric, rubricHash, reference, images, repeats, prompts, judges } = spec
  const { complete, preferences, agreement, notes } = summary
  const runs = reported.flatMap(({ runId }) => summary.runs.find(run => run.runId === runId) ?? [])
  const selected = selectedBy(spec)
  // Only an error is ever replaced, so that as many errors as then are the same replies.
  const retried = runs.flatMap(({ runId, notJudged }) => {
    const { outcomes } = reported.find(run => run.runId === runId)!
    const errors = items.reduce((count, item, at) => count + Number(selected(item) && outcomes[at] === 'error'), 0)
    const then = notJudged.error ?? 0
    return errors === then ? [] : [`Run ${runId} was retried after it was judged: ${then} of its predictions were in error then, ${errors} are now. POST /v1/judgements with the same body judges it as it is.`]
  })
  const otherRuns = form === 'scores' ? summary.runs.length - runs.length : 0
  return {
    judgementId,
    form,
    rubric,
    rubricHash,
    reference,
    images,
    repeats,
    prompts,
    judges,
    complete,
    otherRuns,
    runs,
    preferences,
    agreement,
    notes: [
      ...notes,
      ...retried,
      ...otherRuns > 0 && agreement.length > 0 ? [`Agreement among judges is over all ${summary.runs.length} runs of the judgement; ${otherRuns} of them are not in this report.`] : []
    ]
  }
}

function selectedBy ({ kinds, itemIds }: JudgementSpec): (item: BenchmarkItem) => boolean {
  const asked = itemIds === undefined ? null : new Set(itemIds)
  return ({ id, kind }) => (asked?.has(id) ?? true) && (kinds?.includes(kind) ?? true)
}
