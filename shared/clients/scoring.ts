/** What others ask of scoring. Every function throws the Problem that scoring answered. */
import type { Page } from '../contracts/page.ts'
import type { Report } from '../contracts/report.ts'
import type { Outcome, Prediction, Run, RunRequest } from '../contracts/run.ts'
import type { Call } from './call.ts'

/** A condition is resolved by scoring: whatever is left out has its default. */
export type RunAsked = Pick<RunRequest, 'benchmarkId' | 'model'> & {
  condition?: Partial<Omit<RunRequest['condition'], 'sampling'>> & {
    sampling?: Partial<RunRequest['condition']['sampling']>
  }
}

interface PageAsked { cursor?: string | undefined, limit?: number }

export function scoringClient (call: Call) {
  const get = <T>(path: string, query: Record<string, string | number | undefined> = {}) =>
    call.json<T>('scoring', `/v1${path}`, { query })
  const post = <T>(path: string, body?: unknown) =>
    call.json<T>('scoring', `/v1${path}`, { method: 'POST', ...body !== undefined && { body } })

  return {
    openRun: (asked: RunAsked) => post<Run>('/runs', asked),
    /** @param waitSeconds  how long the answer may wait for the run to end, 0 to 60 */
    getRun: (runId: string, waitSeconds = 0) => call.json<Run>('scoring', `/v1/runs/${runId}`, {
      query: { wait: waitSeconds }, timeoutMs: waitSeconds * 1000 + 30_000
    }),
    listRuns: (asked: PageAsked = {}) => get<Page<Run>>('/runs', { ...asked }),
    cancelRun: (runId: string) => post<Run>(`/runs/${runId}/cancel`),
    retryRun: (runId: string) => post<Run>(`/runs/${runId}/retry`),
    listPredictions: (runId: string, asked: PageAsked & { outcome?: Outcome } = {}) =>
      get<Page<Prediction>>(`/runs/${runId}/predictions`, { ...asked }),
    getPredictionsFile: (runId: string) => call.bytes('scoring', `/v1/runs/${runId}/predictions.jsonl`),
    makeReport: (runIds: string[]) => call.json<Report>('scoring', '/v1/reports', {
      method: 'POST', body: { runIds }, timeoutMs: 300_000
    }),
    getReport: (reportId: string) => get<Report>(`/reports/${reportId}`),
    /** The bytes of the report as a file. */
    getReportFile: (reportId: string, format: 'json' | 'html' | 'md' | 'csv') =>
      call.bytes('scoring', `/v1/reports/${reportId}.${format}`, { timeoutMs: 60_000 })
  }
}
