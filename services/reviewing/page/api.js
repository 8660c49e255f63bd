/* global AbortSignal, FileReader */
/** The API as the page asks it: with the key of this tab, and problems as errors that say what to do. */

export class ApiError extends Error {
  constructor (status, body) {
    super(body?.detail ?? `The service answered ${status}.`)
    this.status = status
    this.errors = body?.errors ?? []
  }
}

/** What a person is told of it: the first thing that does not fit, or the problem as a whole. */
export function faultIn (error) {
  const [fault] = error instanceof ApiError ? error.errors : []
  if (fault === undefined) return error.message
  // Lists are counted from 1 wherever a person reads.
  const where = fault.pointer.split('/').slice(2).map(part => /^[0-9]+$/.test(part) ? Number(part) + 1 : part)
  return `${where.join(' ')} ${fault.detail}`
}

/** Longer than any answer takes; a service that hangs must not hold the page for good. */
const timeoutMs = 60_000

/** @returns the response; throws ApiError with status 0 where there is none */
async function reach (path, options) {
  try {
    return await fetch(path, { ...options, signal: AbortSignal.timeout(timeoutMs) })
  } catch (cause) {
    const why = cause.name === 'TimeoutError' ? 'does not answer' : 'cannot be reached'
    throw new ApiError(0, { detail: `The service ${why}. Nothing you typed is lost: try again in a moment.` })
  }
}

/** @param {() => string} keyOf  the key, '' where none is needed */
export function apiClient (keyOf) {
  async function ask (path, { method = 'GET', body, ifMatch } = {}) {
    const key = keyOf()
    const headers = {
      ...key !== '' && { authorization: `Bearer ${key}` },
      ...body !== undefined && { 'content-type': 'application/json' },
      ...ifMatch !== undefined && { 'if-match': ifMatch }
    }
    const content = body === undefined ? {} : { body: JSON.stringify(body) }
    const response = await reach(path, { method, headers, ...content })
    if (response.ok) return response
    throw new ApiError(response.status, await response.json().catch(() => undefined))
  }
  const json = async (path, options) => await (await ask(path, options)).json()

  return {
    json,
    post: async (path, body, ifMatch) => await json(path, { method: 'POST', body, ifMatch }),
    /** As a data URL: an <img> sends no key, and the page's policy allows no blob: images. */
    async image (path) {
      const blob = await (await ask(path)).blob()
      return await new Promise((resolve, reject) => {
        const reader = new FileReader()
        reader.onload = () => { resolve(reader.result) }
        reader.onerror = () => { reject(reader.error) }
        reader.readAsDataURL(blob)
      })
    }
  }
}

export function query (values) {
  const kept = Object.entries(values).filter(([, value]) => value !== undefined && value !== '')
  return new URLSearchParams(kept.map(([name, value]) => [name, String(value)])).toString()
}

/** Keeps what was asked for last; as many as `max`. */
export function remembering (max, load) {
  const kept = new Map()
  return async key => {
    const found = kept.get(key) ?? load(key)
    kept.delete(key)
    kept.set(key, found)
    if (kept.size > max) kept.delete(kept.keys().next().value)
    try {
      return await found
    } catch (error) {
      kept.delete(key)
      throw error
    }
  }
}
