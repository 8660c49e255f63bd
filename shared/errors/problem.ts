/**
 * Failures a caller can act on, as RFC 9457 problem details.
 *
 * The key is public contract: it ends the `type` URI, callers branch on it, it is never renamed.
 * `retry` says whether the same request may succeed later; callers and tasks read it alike.
 * openapi/problems.md is held equal to this table by a test.
 */
export const problems = {
  'invalid-request': { status: 400, retry: false, title: 'The request does not match its schema' },
  'invalid-json': { status: 400, retry: false, title: 'The body is not JSON that can be trusted' },
  'invalid-cursor': { status: 400, retry: false, title: 'The cursor is not one this list gave' },
  'unsupported-by-upstream': { status: 400, retry: false, title: 'The model server cannot do what is asked' },
  'upstream-refused': { status: 400, retry: false, title: 'The model server refused the request' },
  'capability-missing': { status: 400, retry: false, title: 'The model cannot do what the request needs' },
  unauthorized: { status: 401, retry: false, title: 'A key is needed' },
  'budget-exhausted': { status: 402, retry: false, title: 'The budget of this caller or group is used up' },
  forbidden: { status: 403, retry: false, title: 'This key may not do that' },
  'not-found': { status: 404, retry: false, title: 'Nothing is served here' },
  'paper-not-found': { status: 404, retry: false, title: 'No such paper' },
  'figure-not-found': { status: 404, retry: false, title: 'No such figure in this paper' },
  'page-not-found': { status: 404, retry: false, title: 'No such page in this paper' },
  'section-not-found': { status: 404, retry: false, title: 'No such section in this paper' },
  'generation-not-found': { status: 404, retry: false, title: 'No such generation' },
  'curation-not-found': { status: 404, retry: false, title: 'No such curation' },
  'item-not-found': { status: 404, retry: false, title: 'No such item' },
  'reviewing-not-found': { status: 404, retry: false, title: 'No such reviewing' },
  'partial-input-baseline-not-found': { status: 404, retry: false, title: 'No such partial-input baseline' },
  'benchmark-not-found': { status: 404, retry: false, title: 'No such benchmark' },
  'review-not-found': { status: 404, retry: false, title: 'No such review of this item' },
  'questionnaire-not-found': { status: 404, retry: false, title: 'No such questionnaire' },
  'export-not-found': { status: 404, retry: false, title: 'No such export format' },
  'run-not-found': { status: 404, retry: false, title: 'No such run' },
  'report-not-found': { status: 404, retry: false, title: 'No such report' },
  'plot-not-found': { status: 404, retry: false, title: 'The report has no such plot' },
  'judgement-not-found': { status: 404, retry: false, title: 'No such judgement' },
  'import-not-found': { status: 404, retry: false, title: 'No such import of an item bank' },
  'image-not-found': { status: 404, retry: false, title: 'No such image of an item bank' },
  'run-import-not-found': { status: 404, retry: false, title: 'No such import of a log' },
  'comparison-not-found': { status: 404, retry: false, title: 'No such comparison' },
  'sitting-not-found': { status: 404, retry: false, title: 'No such sitting' },
  'score-table-not-found': { status: 404, retry: false, title: 'No such score table' },
  'model-not-found': { status: 404, retry: false, title: 'No upstream serves this model' },
  'not-recorded': { status: 404, retry: false, title: 'The record holds no reply to this call' },
  'budget-not-found': { status: 404, retry: false, title: 'No such budget' },
  'upstream-not-found': { status: 404, retry: false, title: 'No such upstream' },
  'dead-letter-not-found': { status: 404, retry: false, title: 'No such dead letter' },
  'method-not-allowed': { status: 405, retry: false, title: 'This method does not exist here' },
  'request-timeout': { status: 408, retry: true, title: 'The request did not arrive in time' },
  'reader-too-slow': { status: 408, retry: true, title: 'The caller read too slowly of a stream it shared' },
  'not-finished': { status: 409, retry: true, title: 'The work this builds on has not finished' },
  conflict: { status: 409, retry: false, title: 'The state does not allow that' },
  'paper-deleted': { status: 410, retry: false, title: 'The paper was deleted' },
  'sitting-deleted': { status: 410, retry: false, title: 'The sitting was deleted' },
  'precondition-failed': { status: 412, retry: false, title: 'It has changed since it was read' },
  'body-too-large': { status: 413, retry: false, title: 'The body is larger than allowed' },
  'limit-exceeded': { status: 413, retry: false, title: 'Something in the request is larger than allowed' },
  'unsupported-media-type': { status: 415, retry: false, title: 'This content type is not accepted here' },
  'not-a-paper': { status: 415, retry: false, title: 'The file is of no format Viva reads' },
  'not-a-log': { status: 415, retry: false, title: 'The file is of no log format that is read here' },
  'log-damaged': { status: 422, retry: false, title: 'The log cannot be read' },
  'not-a-bank': { status: 415, retry: false, title: 'The file is of no format an item bank is read from' },
  'bank-damaged': { status: 422, retry: false, title: 'The item bank cannot be read' },
  'answer-base-unclear': { status: 422, retry: false, title: 'Nothing tells whether answers count from 0 or from 1' },
  'paper-empty': { status: 422, retry: false, title: 'The file is empty' },
  'paper-encrypted': { status: 422, retry: false, title: 'The file needs a password' },
  'paper-damaged': { status: 422, retry: false, title: 'The file cannot be read' },
  'paper-too-long': { status: 422, retry: false, title: 'The paper has more pages than allowed' },
  'paper-too-complex': { status: 422, retry: false, title: 'Parsing the paper exceeded a limit' },
  'url-forbidden': { status: 422, retry: false, title: 'This address is not fetched' },
  'archive-too-large': { status: 422, retry: false, title: 'The archive inflates beyond a limit' },
  'benchmark-empty': { status: 422, retry: false, title: 'No item qualifies for the benchmark' },
  'not-computable': { status: 422, retry: false, title: 'This cannot be computed from the input' },
  'prompt-too-long': { status: 422, retry: false, title: 'The prompt does not fit the context of the model' },
  'precondition-required': { status: 428, retry: false, title: 'If-Match is needed' },
  'too-many-requests': { status: 429, retry: true, title: 'Too many requests' },
  internal: { status: 500, retry: false, title: 'The service has a bug' },
  'upstream-truncated': { status: 502, retry: true, title: 'The model server ended its answer before it was whole' },
  'upstream-invalid': { status: 502, retry: true, title: 'The model server sent no valid answer' },
  'upstream-unauthorized': { status: 502, retry: false, title: 'The model server does not accept our key' },
  'url-refused': { status: 502, retry: false, title: 'The host of the address does not give the file' },
  'url-unreachable': { status: 502, retry: true, title: 'The host of the address cannot be reached' },
  'engine-invalid': { status: 502, retry: true, title: 'The external parser gave no valid answer' },
  'engine-refused': { status: 502, retry: false, title: 'The external parser gives nothing usable of this paper' },
  'service-invalid': { status: 502, retry: true, title: 'Another service sent no valid answer' },
  'upstream-unavailable': { status: 503, retry: true, title: 'The model server cannot be reached' },
  'engine-unavailable': { status: 503, retry: true, title: 'The external parser cannot be reached' },
  'service-unavailable': { status: 503, retry: true, title: 'Another service cannot be reached' },
  'queue-full': { status: 503, retry: true, title: 'The queue of this service is full' },
  overloaded: { status: 503, retry: true, title: 'This process has as many requests as it takes at once' },
  'store-unavailable': { status: 503, retry: true, title: 'The store cannot be reached' },
  'bus-unavailable': { status: 503, retry: true, title: 'The message bus cannot be reached' },
  'shutting-down': { status: 503, retry: true, title: 'The service is shutting down' },
  'upstream-timeout': { status: 504, retry: true, title: 'The model server did not answer in time' },
  'engine-timeout': { status: 504, retry: true, title: 'The external parser did not answer in time' },
  'service-timeout': { status: 504, retry: true, title: 'Another service did not answer in time' },
  'url-timeout': { status: 504, retry: true, title: 'The file did not arrive in time' },
  'disk-full': { status: 507, retry: true, title: 'There is no space left to store this' }
} as const satisfies Record<string, { status: number, retry: boolean, title: string }>

export type ProblemKind = keyof typeof problems

/** One fault of a request, at a JSON pointer (RFC 6901). */
export interface FieldError { pointer: string, detail: string }

interface ProblemOptions extends ErrorOptions {
  errors?: FieldError[]
  /** Sent as Retry-After where the table says retry. */
  retryAfterSeconds?: number
}

export class Problem extends Error {
  readonly kind: ProblemKind
  readonly errors: FieldError[]
  readonly retryAfterSeconds: number | undefined

  /** @param detail what happened, where, and what the caller can do; shown to the caller */
  constructor (kind: ProblemKind, detail: string, options: ProblemOptions = {}) {
    super(detail, options)
    this.name = 'Problem'
    this.kind = kind
    this.errors = options.errors ?? []
    this.retryAfterSeconds = options.retryAfterSeconds
  }
}

/** Whether the same request may succeed later. A bug never does. */
export function mayRetry (cause: unknown): boolean {
  return cause instanceof Problem && problems[cause.kind].retry
}
