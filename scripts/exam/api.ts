/** The suite over HTTP, as a notebook would use it. */
import { Blob } from 'node:buffer'
import { openAsBlob } from 'node:fs'
import { basename } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { FormData, request } from 'undici'
import type { JobView } from '../../shared/contracts/job.ts'
import { problemFromBody } from '../../shared/errors/problem-body.ts'

/** A job that makes no progress for so long is given up. */
const stallMs = 30 * 60_000

export interface Upload { name: string, bytes: Uint8Array<ArrayBuffer> }

export interface Api {
  get: <T>(path: string) => Promise<T>
  post: <T>(path: string, body: unknown) => Promise<T>
  upload: <T>(file: string) => Promise<T>
  /** An item bank, with the options of its import. */
  uploadBank: <T>(bank: Upload, options: object) => Promise<T>
  download: (path: string) => Promise<Buffer>
  /** Follows a job to its end. */
  follow: <T extends JobView>(path: string, show: (job: T) => void) => Promise<T>
}

/** @throws from its functions: the Problem answered, or Error */
export function api (url: string): Api {
  async function ask (path: string, options: Parameters<typeof request>[1] = {}): Promise<Buffer> {
    const { statusCode, body } = await request(url + path, {
      headersTimeout: 600_000, bodyTimeout: 120_000, ...options
    })
    const bytes = Buffer.from(await body.arrayBuffer())
    if (statusCode < 300) return bytes
    let answer: unknown
    try { answer = JSON.parse(bytes.toString('utf8')) } catch { answer = undefined }
    throw problemFromBody(answer) ?? new Error(`${path} answered with status ${statusCode}.`)
  }
  const json = async <T>(...args: Parameters<typeof ask>) => JSON.parse((await ask(...args)).toString('utf8')) as T

  return {
    get: async path => await json(path),
    post: async (path, body) => await json(path, {
      method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body)
    }),
    async upload (file) {
      const form = new FormData()
      form.append('file', await openAsBlob(file), basename(file))
      return await json('/v1/papers', { method: 'POST', body: form })
    },
    async uploadBank ({ name, bytes }, options) {
      const form = new FormData()
      form.append('file', new Blob([bytes]), name)
      form.append('options', JSON.stringify(options))
      return await json('/v1/imports', { method: 'POST', body: form })
    },
    download: async path => await ask(path),
    async follow<T extends JobView> (path: string, show: (job: T) => void) {
      let moved = performance.now()
      let last = ''
      for (;;) {
        // Short waits while things move, so that the bar does too.
        const job = await json<T>(`${path}?wait=${last === '' ? 0 : 1}`)
        show(job)
        if (['succeeded', 'failed', 'cancelled'].includes(job.state)) return job
        const now = JSON.stringify(job.progress)
        if (now !== last) moved = performance.now()
        last = now
        if (performance.now() - moved > stallMs) {
          throw new Error(`${path} has made no progress for ${stallMs / 60_000} minutes; see the log, and run again to resume.`)
        }
        await pause(50)
      }
    }
  }
}
