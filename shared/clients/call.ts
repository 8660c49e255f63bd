/**
 * How one service asks another, always over undici: across processes by URL, inside one process
 * through a private socket. A problem+json answer is thrown as the Problem it describes; a peer
 * that cannot be reached, is slow or answers nonsense is a Problem too, and all three may be retried.
 */
import type { ServiceName } from '../app/service.ts'

export type AnswerHeaders = Readonly<Record<string, string | string[] | undefined>>

export interface CallOptions {
  method?: 'GET' | 'POST' | 'DELETE'
  query?: Record<string, string | number | undefined>
  body?: unknown
  /** An `authorization` of undefined asks without a key: in the caller's name, not in ours. */
  headers?: Record<string, string | undefined>
  signal?: AbortSignal
  /** Told the headers of a 2xx answer. */
  onHeaders?: (headers: AnswerHeaders) => void
  /** Whole answer, default 30 s. */
  timeoutMs?: number
}

export interface Call {
  /** The JSON body of a 2xx answer. */
  json<T> (service: ServiceName, path: string, options?: CallOptions): Promise<T>
  /** The bytes of a 2xx answer; at most 64 MiB. */
  bytes (service: ServiceName, path: string, options?: CallOptions): Promise<Buffer>
}
