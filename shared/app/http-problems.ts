/** Whatever goes wrong between socket and handler, as a Problem. */
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import type { ErrorObject } from 'ajv'
import type { Socket } from 'node:net'
import { asProblem, problemBody } from '../errors/problem-body.ts'
import { Problem, problems, type ProblemKind } from '../errors/problem.ts'
import { invalidRequest } from './validators.ts'

const byCode: Record<string, [ProblemKind, string]> = {
  FST_ERR_CTP_BODY_TOO_LARGE: ['body-too-large', 'The body is larger than this route accepts; send less, or in several requests.'],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ['unsupported-media-type', 'Send application/json, or multipart/form-data where a file is uploaded.'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ['invalid-request', 'The Content-Length does not match the body.'],
  FST_ERR_CTP_EMPTY_JSON_BODY: ['invalid-json', 'The body is empty; send JSON, or leave the content type out.'],
  FST_ERR_BAD_URL: ['invalid-request', 'The path is not valid percent-encoded UTF-8.'],
  FST_INVALID_MULTIPART_CONTENT_TYPE: ['unsupported-media-type', 'Send the file as multipart/form-data.'],
  FST_REQ_FILE_TOO_LARGE: ['body-too-large', 'The file is larger than allowed.'],
  FST_FILES_LIMIT: ['invalid-request', 'Send one file a request.'],
  FST_PARTS_LIMIT: ['invalid-request', 'The form has too many parts; send one file.'],
  FST_FIELDS_LIMIT: ['invalid-request', 'The form has too many fields; send one file.'],
  FST_PROTO_VIOLATION: ['invalid-request', 'A field of the form has a name that is not allowed.'],
  FST_ERR_ASYNC_CONSTRAINT: ['invalid-request', 'The request cannot be routed.']
}

/** The Problem behind anything thrown while a request was handled. */
export function problemOf (error: unknown): Problem {
  if (error instanceof Problem) return error
  const { code, statusCode, validation, validationContext } = error as Partial<FastifyError>
  if (validation !== undefined) {
    return invalidRequest(validation as ErrorObject[], validationContext ?? 'body')
  }
  const known = code === undefined ? undefined : byCode[code]
  if (known !== undefined) return new Problem(...known, { cause: error })
  if (isCutShort(error)) {
    // Nobody is left to read it; but who hangs up is no bug of ours, and the log must not say so.
    return new Problem('invalid-request', 'The connection was closed before the request was complete; send it again.', { cause: error })
  }
  if (code === 'ENOSPC') return new Problem('disk-full', 'The disk of the service is full; free some space and try again.', { cause: error })
  if (statusCode === 429) return new Problem('too-many-requests', 'Slow down and try again after the time in Retry-After.', { cause: error })
  // What Fastify and its plugins answer 4xx to is the caller's to mend, and their text says how.
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return new Problem('invalid-request', error instanceof Error ? error.message : 'The request is not valid.', { cause: error })
  }
  return asProblem(error)
}

/** Whether the caller's connection broke while its request was read. */
export function isCutShort (error: unknown): boolean {
  const { code, message } = error as { code?: unknown, message?: unknown }
  return code === 'ECONNRESET' && message === 'aborted'
}

export function sendProblem (problem: Problem, request: FastifyRequest, reply: FastifyReply) {
  return beginProblem(problem, request, reply).type('application/problem+json')
    .send(JSON.stringify(problemBody(problem, request.id)))
}

/** What a process that is well answers when it has enough to do. */
const refusals: readonly ProblemKind[] = ['queue-full', 'overloaded', 'shutting-down']

/** Status, headers and log line of a problem; the body is the caller's to send. */
export function beginProblem (problem: Problem, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { status, retry } = problems[problem.kind]
  // A line for each request refused would make the load worse; the metrics count them by status.
  const about = { reqId: request.id, kind: problem.kind }
  if (refusals.includes(problem.kind)) request.log.debug(about)
  else if (status >= 500 && !isTold(problem)) request.log.error({ ...reasonOf(problem), ...about })
  if (problem.kind === 'unauthorized') void reply.header('www-authenticate', 'Bearer')
  if (retry && !reply.hasHeader('retry-after')) {
    void reply.header('retry-after', String(problem.retryAfterSeconds ?? 1))
  }
  return reply.code(status)
}

const told = new WeakSet<Error>()

/** Whoever has logged what became of a request, with more about it than is known here, spares it a line. */
export function noteTold (cause: unknown): void {
  if (cause instanceof Error) told.add(cause)
}

function isTold (problem: Problem): boolean {
  return told.has(problem) || (problem.cause instanceof Error && told.has(problem.cause))
}

/** What a model server said may quote the prompt, and a parser quotes the reply: neither is for the log. */
export function reasonOf (problem: Problem): { err?: unknown } {
  const { kind, cause } = problem
  const quotes = kind.startsWith('upstream-') && (cause === undefined || cause instanceof SyntaxError)
  return quotes ? {} : { err: cause ?? problem }
}

/** For a caller to read why, before the connection is closed whether or not the caller closes it. */
const lastWordsMs = 1_000

/** A request so broken that there is no reply object: the answer is written to the socket itself. */
export function answerBrokenRequest (error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) { socket.destroy(); return }
  const problem = error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
    ? new Problem('request-timeout', 'The request did not arrive completely in time; send it again.')
    : new Problem('invalid-request', error.code === 'HPE_HEADER_OVERFLOW' ? 'The headers are larger than 16 KiB.' : 'This is not valid HTTP/1.1.')
  const { status } = problems[problem.kind]
  const body = JSON.stringify(problemBody(problem))
  socket.end(`HTTP/1.1 ${status} ${status === 408 ? 'Request Timeout' : 'Bad Request'}\r\ncontent-type: application/problem+json\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`)
  // Ended is not closed: a caller who keeps its half open would hold the socket, and with it the
  // request and its half-written file, for as long as it likes.
  const timer = setTimeout(() => socket.destroy(), lastWordsMs)
  socket.once('close', () => clearTimeout(timer))
}
