/** Cancelling a run, and asking again what failed. */
import type { Run } from '../../../shared/contracts/run.ts'
import { getRun, getRunJob } from './get-run.ts'
import type { Parts } from './parts.ts'

/** What was predicted stays; nothing for a run that has ended. */
export async function cancelRun (parts: Parts, runId: string): Promise<Run> {
  await getRunJob(parts, runId)
  await parts.jobs.cancel(runId)
  return await getRun(parts, runId)
}

/** Asks what ended in error or was cancelled again, and nothing else; no answer is ever asked for twice. */
export async function retryRun (parts: Parts, runId: string): Promise<Run> {
  await getRunJob(parts, runId)
  await parts.jobs.retry(runId)
  return await getRun(parts, runId)
}
