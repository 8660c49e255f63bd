/**
 * Hostile files through the real pool of parser processes: what `index.json` expects of each is
 * English; the words in it decide what is checked.
 */
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { paperIdOf } from '../../../shared/contracts/hash.ts'
import type { Document } from '../../../shared/contracts/document.ts'
import { Problem } from '../../../shared/errors/problem.ts'
import { recognise } from '../../../services/parsing/domain/recognise.ts'
import { parserPool, type ParserPool } from '../../../services/parsing/pool/pool.ts'
import { pairsInOrder, shinglesOf, tokensOf, uniqueShingles } from './text.ts'

export interface NastyResult {
  file: string
  expect: string
  got: string
  right: boolean
  seconds: number
  /** Peak of the child's resident memory; null where the system does not tell. */
  megabytes: number | null
}

interface Entry { file: string, expect: string, source_repo?: string }
type Outcome = { problem: string } | { document: Document, image: boolean }

export const nastySecondsMax = 20
export const nastyMegabytesMax = 400

const mebibyte = 2 ** 20
/** As the service runs it by default. */
const poolOptions = {
  modulePath: fileURLToPath(new URL('../../../services/parsing/parse.ts', import.meta.url)),
  size: 1,
  documentsMax: 1,
  timeoutMs: nastySecondsMax * 1_000,
  memoryBytesMax: nastyMegabytesMax * mebibyte,
  outputBytesMax: 200 * mebibyte,
  limits: { pagesMax: 300, wasmBytesMax: 256 * mebibyte }
}

/** @param folder with `index.json`: `[{file, expect, source_repo?}]` */
export async function measureNasty (folder: string, only: string | undefined): Promise<NastyResult[]> {
  const index = JSON.parse(readFileSync(join(folder, 'index.json'), 'utf8')) as Entry[]
  const results: NastyResult[] = []
  for (const entry of index) {
    if (only !== undefined && !entry.file.includes(only)) continue
    results.push(await measureFile(folder, entry))
  }
  return results
}

async function measureFile (folder: string, entry: Entry): Promise<NastyResult> {
  const pool = parserPool(poolOptions)
  const memory = watchMemory()
  try {
    const bytes = readFileSync(join(folder, entry.file))
    const start = performance.now()
    const outcome = await outcomeOf(pool, bytes)
    const seconds = (performance.now() - start) / 1_000
    const megabytes = memory.end()
    const original = originalOf(folder, entry)
    const same = original === undefined ? undefined : await outcomeOf(pool, readFileSync(original))
    const bounded = seconds <= nastySecondsMax + 1 && (megabytes ?? 0) <= nastyMegabytesMax + 5
    return {
      file: entry.file,
      expect: entry.expect,
      got: wordsOf(outcome),
      right: bounded && isExpected(entry.expect, outcome, same),
      seconds,
      megabytes
    }
  } finally {
    memory.end()
    await pool.close()
  }
}

async function outcomeOf (pool: ParserPool, bytes: Buffer): Promise<Outcome> {
  // What the upload looks at before a parser process sees the file.
  if (bytes.byteLength === 0) return { problem: 'paper-empty' }
  const recognised = recognise(bytes)
  if ('fault' in recognised) return { problem: 'not-a-paper' }
  try {
    const parsed = await pool.parse(bytes, { paperId: paperIdOf(bytes), format: recognised.format })
    const image = await pool.renderPage(bytes, 1, 72).then(({ byteLength }) => byteLength > 0, () => false)
    return { document: JSON.parse(Buffer.from(parsed.json).toString()), image }
  } catch (cause) {
    if (cause instanceof Problem) return { problem: cause.message.includes('cause: crash') ? 'crash' : cause.kind }
    return { problem: `bug: ${cause instanceof Error ? cause.message.slice(0, 200) : String(cause)}` }
  }
}

function wordsOf (outcome: Outcome): string {
  if ('problem' in outcome) return outcome.problem
  const { sections, warnings, pages } = outcome.document
  return `document of ${pages.length} pages, ${sections.length} sections; ${warnings.map(({ code }) => code).join(', ') || 'no warning'}`
}

/** A crash and a bug are never what is expected; every other problem is typed. */
export function isExpected (expect: string, outcome: Outcome, original?: Outcome): boolean {
  if ('problem' in outcome) {
    if (/^bug|^crash$/u.test(outcome.problem)) return false
    if (/encrypted/iu.test(expect)) return outcome.problem === 'paper-encrypted'
    if (/not a pdf/iu.test(expect)) return outcome.problem === 'not-a-paper'
    if (/page limit/iu.test(expect)) return outcome.problem === 'paper-too-long'
    return !/no text layer|unreliable|as scanned|like the original|same text|as the original/iu.test(expect)
  }
  const { document, image } = outcome
  const warned = (code: RegExp) => document.warnings.some(warning => code.test(warning.code))
  if (/no text layer|as scanned/iu.test(expect)) return warned(/no-text-layer/u) && image
  if (/unreliable/iu.test(expect)) return warned(/unreliable/u)
  if (/like the original|same text|as the original/iu.test(expect)) {
    const noticed = !/permission/iu.test(expect) || warned(/permission/u)
    return noticed && original !== undefined && 'document' in original && readsAlike(document, original.document)
  }
  // A document where only an error would do.
  return !/^(?:clear |typed )?(?:error|page limit enforced)(?!.*\bor\b)/iu.test(expect) && !/typed error(?!.*\bor\b)/iu.test(expect)
}

/** The same words in the same order, but for one in a hundred. */
function readsAlike (a: Document, b: Document): boolean {
  const tokens = (document: Document) => document.sections.flatMap(({ title, paragraphs }) =>
    tokensOf([title, ...paragraphs.map(({ text }) => text)].join(' ')))
  const [one, other] = [tokens(a), tokens(b)]
  const places = uniqueShingles(other, 5)
  const found = shinglesOf(one, 5).flatMap(([shingle]) => places.get(shingle) ?? [])
  const pairs = pairsInOrder(found.filter((_, i) => i % 10 === 0))
  return Math.abs(one.length - other.length) <= 0.01 * other.length &&
    found.length >= 0.97 * places.size && pairs.hit >= 0.99 * pairs.of
}

/** "qpdf --rotate of dev/x.pdf": the paper it was made from, if that is here too. */
function originalOf (folder: string, { source_repo: source = '' }: Entry): string | undefined {
  const name = /([\w./-]+\.pdf)/u.exec(source)?.[1]
  if (name === undefined) return undefined
  return [join(dirname(folder), name), join(dirname(folder), 'dev', basename(name)), join(dirname(folder), basename(name))]
    .find(path => existsSync(path))
}

/** Peak resident memory of the processes that this one started; Linux only. */
function watchMemory (): { end: () => number | null } {
  const known = new Set(childrenOf(process.pid))
  let peak: number | null = null
  const look = () => {
    for (const pid of childrenOf(process.pid)) {
      if (known.has(pid)) continue
      const kilobytes = /^VmHWM:\s+(\d+)/mu.exec(readIfThere(`/proc/${pid}/status`))?.[1]
      if (kilobytes !== undefined) peak = Math.max(peak ?? 0, Number(kilobytes) / 1_024)
    }
  }
  const timer = setInterval(look, 20)
  return { end: () => { look(); clearInterval(timer); return peak } }
}

function childrenOf (pid: number): string[] {
  if (!existsSync('/proc/self/task')) return []
  return readdirSync(`/proc/${pid}/task`).flatMap(task =>
    readIfThere(`/proc/${pid}/task/${task}/children`).split(' ').filter(child => child !== ''))
}

function readIfThere (path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
