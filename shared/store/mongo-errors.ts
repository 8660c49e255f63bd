/** What MongoDB and its driver throw, in our words. */
import {
  MongoBulkWriteError, MongoError, MongoInvalidArgumentError, MongoParseError, MongoServerError,
  MongoWriteConcernError, type WriteError
} from 'mongodb'
import { Problem } from '../errors/problem.ts'

export const retryAfterSeconds = 2

/** A call took longer than it may. */
export class TimeLimit extends Error {}

/**
 * Codes by which a server says that it cannot now, whoever asks: not primary, stepping down,
 * shutting down, out of time, a cursor or lock that is gone, a write concern that is not met.
 */
const unavailable = new Set([
  6, 7, 24, 43, 46, 50, 63, 64, 89, 91, 100, 112, 133, 134, 150, 175, 189, 202, 237, 246, 262, 290, 317, 365,
  9001, 10058, 10107, 11600, 11601, 11602, 13388, 13435, 13436
])
/** Unauthorized, AuthenticationFailed, UserNotFound, reauthentication, and Atlas's own. */
const refusing = new Set([11, 13, 18, 33, 391, 8000])
/** Documents or replies over 16 MiB, before and after the update. */
const tooLarge = new Set([10334, 17419, 17420])
/** Codes of what an update meets in a document: a type it cannot change, a path through no object. */
const wrongUpdate = new Set([14, 28])
const duplicateKey = 11000
const outOfDiskSpace = 14031

export function isDuplicate (cause: unknown): boolean {
  return codeOf(cause) === duplicateKey
}

/** Whether an insert of many did all it could: what it did not insert was there, what it did is durable. */
export function hasOnlyDuplicates (cause: MongoBulkWriteError): boolean {
  const errors = writeErrorsOf(cause)
  return errors.length > 0 && errors.every(isDuplicate) && cause.result.getWriteConcernError() === undefined
}

/** The driver makes one or a list of them. */
function writeErrorsOf ({ writeErrors }: MongoBulkWriteError): readonly WriteError[] {
  return Array.isArray(writeErrors) ? writeErrors : [writeErrors as WriteError]
}

/** Whether the server answers, and does not let us in. */
export function isRefusal (cause: unknown): boolean {
  return refusing.has(codeOf(cause))
}

/** Whether trying the same again may help: whatever is no bug, no refusal and no wrong setting. */
export function isAway (cause: unknown): boolean {
  const problem = mongoProblem(cause, '')
  return problem instanceof Problem && problem.kind === 'store-unavailable' && !isRefusal(cause)
}

/**
 * What a call threw, as the port promises it. Whatever the network, the driver's pool or a server
 * without a primary does is store-unavailable; a command that is wrong stays what it is: a bug.
 */
export function mongoProblem (cause: unknown, database: string): unknown {
  if (cause instanceof TimeLimit || isSystemError(cause)) return away(cause, database)
  if (!(cause instanceof MongoError)) return cause
  // Not durable: without a majority, or the journal.
  if (cause instanceof MongoWriteConcernError) return away(cause, database)
  const code = codeOf(cause)
  if (wrongUpdate.has(code)) return new TypeError(`MongoDB refuses the update: ${cause.message}`, { cause })
  if (tooLarge.has(code)) return new RangeError(`MongoDB takes documents of 16 MiB: ${cause.message}`, { cause })
  if (code === duplicateKey) {
    return new Problem('conflict', 'The update would give a document what another has alone.', { cause })
  }
  if (code === outOfDiskSpace) {
    return new Problem('disk-full', 'The disk of the MongoDB server is full. Free some space and try again.', { cause })
  }
  if (refusing.has(code)) {
    return new Problem('store-unavailable', `MongoDB does not let us into the database ${database} (code ${code}): check user, password and roles.`, { cause, retryAfterSeconds })
  }
  // What the server says with another code is about the command, which we have made.
  const mayPass = !(cause instanceof MongoServerError) || code === 0 || unavailable.has(code) ||
    cause.hasErrorLabel('RetryableWriteError') || cause.hasErrorLabel('TransientTransactionError')
  const isWrongCall = cause instanceof MongoInvalidArgumentError || cause instanceof MongoParseError
  return mayPass && !isWrongCall ? away(cause, database) : cause
}

function away (cause: unknown, database: string): Problem {
  return new Problem('store-unavailable', `The MongoDB database ${database} does not answer; try again shortly.`, { cause, retryAfterSeconds })
}

/**
 * The server's code, 0 for none. An insert of many wraps whatever went wrong, a lost connection too,
 * as an error of the server, and has the code of its first write error, which may be a duplicate.
 */
export function codeOf (cause: unknown): number {
  const { code } = (cause instanceof MongoBulkWriteError ? worstOf(cause) : cause) as { code?: unknown }
  return typeof code === 'number' ? code : 0
}

function worstOf (cause: MongoBulkWriteError): object {
  const other = writeErrorsOf(cause).find(({ code }) => code !== duplicateKey)
  return other ?? cause.result.getWriteConcernError() ?? cause
}

/** For example ENOTFOUND from the DNS behind mongodb+srv, which the driver passes on as it is. */
function isSystemError (cause: unknown): boolean {
  const { code, syscall } = (cause ?? {}) as { code?: unknown, syscall?: unknown }
  return typeof code === 'string' && typeof syscall === 'string'
}
