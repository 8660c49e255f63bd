/** Reads everything there is of a judgement, and computes and stores what it comes to. */
import type { JudgementSummary } from '../../../../shared/contracts/judgement-summary.ts'
import { inTurns } from '../../../../shared/tasks/in-turns.ts'
import { summaryOfPreferences, summaryOfScores } from '../domain/summary/summary.ts'
import type { JudgingStore } from '../store.ts'
import { readPeople, readPreferences, readScores, type Of } from './read-rows.ts'

/** Again after a retry, and after labels of people: from all there is then. */
export async function summarise (
  { judging }: { judging: JudgingStore }, of: Of, signal?: AbortSignal
): Promise<JudgementSummary> {
  const summary = await inTurns(await stepsFor(judging, of), signal)
  await judging.saveSummary(of.judgementId, summary)
  return summary
}

async function stepsFor (judging: JudgingStore, of: Of): Promise<Iterator<void, JudgementSummary>> {
  const people = await readPeople(judging, of.judgementId)
  if (of.spec.form === 'scores') {
    const { units, ...read } = await readScores(judging, of)
    return summaryOfScores(units, { ...of, ...read, people })
  }
  const { units, ...read } = await readPreferences(judging, of)
  return summaryOfPreferences(units, { ...of, ...read, people })
}
