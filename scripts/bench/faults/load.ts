/**
 * Whole walks over the HTTP API, some at once, one after another, through whatever happens: what is
 * away for a while is asked again, as a patient client would. Every walk is over a paper of its own.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { sha256 } from '../../../shared/contracts/hash.ts'
import { mayRetry, Problem } from '../../../shared/errors/problem.ts'
import { api, type Api } from '../../exam/api.ts'
import { exampleBody, sampleWalk } from '../../sample-walk.ts'

const sample = 'examples/sample-paper/sample-paper.pdf'
const usualPatienceMs = 120_000
const againMs = 250

/** Hashes of what a walk ends with. */
export interface Ended { file: string, items: string, report: string }

export interface Load {
  /** How many walks have ended. */
  ended: () => number
  /** Begins no further walk; resolves when those under way have ended. */
  finish: () => Promise<Ended[]>
}

interface LoadOptions { dir: string, width: number, model: string }

/** @throws from finish: the first failure that patience did not help against */
export function startLoad (url: string, { dir, width, model }: LoadOptions): Load {
  const http = patient(api(url))
  const all: Ended[] = []
  const finishing = new AbortController()
  let begun = 0

  async function walkOn (): Promise<void> {
    while (!finishing.signal.aborted) {
      const file = await paper(dir, begun++)
      all.push(await walkOver(http, file, model))
    }
  }

  const walkers = Array.from({ length: width }, walkOn)
  // Told by finish; until then nobody listens.
  for (const walker of walkers) walker.catch(() => {})
  return {
    ended: () => all.length,
    async finish () {
      finishing.abort()
      await Promise.all(walkers)
      return all
    }
  }
}

export async function walkOver (http: Api, file: string, model: string): Promise<Ended> {
  const ids = await sampleWalk(http, file, (path, met) => {
    const body = exampleBody(path, met)
    return path === '/v1/runs' ? { ...body as object, model } : body
  })
  return {
    file,
    items: sha256(await http.download(`/v1/benchmarks/${ids.benchmark}/items.jsonl`)),
    report: sha256(await http.download(`/v1/reports/${ids.report}.json`))
  }
}

/** The sample paper with a comment after its end: another file, so another paper. */
async function paper (dir: string, number: number): Promise<string> {
  const file = join(dir, `paper-${number}.pdf`)
  await writeFile(file, Buffer.concat([await readFile(sample), Buffer.from(`\n% paper ${number}\n`)]))
  return file
}

/** Asks again while what is asked is away; all that a walk asks may be asked twice. */
export function patient (http: Api, patienceMs = usualPatienceMs): Api {
  async function insist<T> (ask: () => Promise<T>): Promise<T> {
    const until = performance.now() + patienceMs
    for (;;) {
      try { return await ask() } catch (cause) {
        // What is no Problem is the network's: refused, reset, cut short.
        const passes = cause instanceof Problem ? mayRetry(cause) : 'code' in Object(cause)
        if (!passes || performance.now() > until) throw cause
        await pause(againMs)
      }
    }
  }
  return {
    get: async path => await insist(async () => await http.get(path)),
    post: async (path, body) => await insist(async () => await http.post(path, body)),
    upload: async file => await insist(async () => await http.upload(file)),
    uploadBank: async (bank, options) => await insist(async () => await http.uploadBank(bank, options)),
    download: async path => await insist(async () => await http.download(path)),
    follow: async (path, show) => await insist(async () => await http.follow(path, show))
  }
}
