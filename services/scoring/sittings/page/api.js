/* global AbortSignal */
/** The API as the page asks it: with the key of this tab, and problems as errors that say what to do. */

export class ApiError extends Error {
  constructor (status, detail) {
    super(detail)
    this.status = status
  }
}

/** Longer than any answer takes; a service that hangs must not hold the page for good. */
const timeoutMs = 60_000

/** @param {() => string} keyOf  the key, '' where none is needed */
export function apiClient (keyOf) {
  return async (method, path, body) => {
    const key = keyOf()
    const headers = {
      ...key !== '' && { authorization: `Bearer ${key}` }, ...body !== undefined && { 'content-type': 'application/json' }
    }
    let response
    try {
      response = await fetch(path, {
        method,
        headers,
        ...body !== undefined && { body: JSON.stringify(body) },
        signal: AbortSignal.timeout(timeoutMs)
      })
    } catch {
      throw new ApiError(0, '')
    }
    const answer = await response.json().catch(() => undefined)
    if (response.ok && answer !== undefined) return answer
    throw new ApiError(response.status, answer?.detail ?? `The service answered ${response.status}.`)
  }
}
