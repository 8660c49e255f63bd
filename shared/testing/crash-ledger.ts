/** What must be true of the journal and the store after many lives, each ended by SIGKILL. */
import { sha256 } from '../contracts/hash.ts'
import type { JobView } from '../contracts/job.ts'
import type { Doc } from '../store/store.ts'

export const callsOfJob = 12
export const callConcurrency = 4
/** Far below the lease of 6 s: what a dead process held is taken over at once. */
const firstCallMaxMs = 3_000

export interface CallResult extends Doc { jobId: string, value: string }

/** A job as the last life found it. */
export interface CrashReport { id: string, view: JobView, values: string[] }

export interface CrashSummary {
  lives: number
  jobs: number
  calls: number
  /** Calls beyond one for each task: work that a kill wasted. */
  repeated: number
  /** Slowest time from a start with work left over to the first call of it, in milliseconds. */
  firstCallMs: number
  wrong: string[]
}

export function auditCrashes (
  journal: string, { reports, lives }: { reports: readonly CrashReport[], lives: number }
): CrashSummary {
  const lines = journal.split('\n').map(line => line.split(' '))
  const acknowledged = lines.filter(([verb]) => verb === 'acknowledged').map(([, id]) => String(id))
  const calls = lines.filter(([verb]) => verb === 'call')
  const tasks = reports.length * callsOfJob
  const firstCallMs = slowestFirstCall(calls)
  const found = new Map(reports.map(report => [report.id, report]))
  const wrong = [
    ...acknowledged.filter(id => !found.has(id)).map(id => `${id} was acknowledged and is lost`),
    ...reports.flatMap(auditReport)
  ]
  if (calls.length > tasks + lives * callConcurrency) {
    wrong.push(`${calls.length} calls for ${tasks} tasks in ${lives} lives`)
  }
  if (firstCallMs > firstCallMaxMs) wrong.push(`No progress for ${firstCallMs} ms after a restart`)
  const repeated = calls.length - tasks
  return { lives, jobs: reports.length, calls: calls.length, repeated, firstCallMs, wrong }
}

function auditReport ({ id, view, values }: CrashReport): string[] {
  const expected = Array.from({ length: callsOfJob }, (_, index) => sha256(`${id} ${index}`)).sort()
  const right = JSON.stringify([...values].sort()) === JSON.stringify(expected)
  const wrong = right ? [] : [`${id} has ${values.length} results, or wrong ones`]
  if (view.state !== 'succeeded' || view.progress.done !== callsOfJob) wrong.push(`${id} is ${view.state}`)
  return wrong
}

/** Of each life, the first call for a job of an earlier one. */
function slowestFirstCall (calls: readonly string[][]): number {
  const first = new Map<string, number>()
  for (const [, jobId = '', , life = '', ms] of calls) {
    const isEarlier = Number(jobId.slice('job-'.length)) < Number(life)
    if (isEarlier && !first.has(life)) first.set(life, Number(ms))
  }
  return Math.max(0, ...first.values())
}
