/** `npm run exam`: the whole walk in one process, from papers or an item bank to a report in a folder. */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createLog } from '../shared/app/log.ts'
import { startServices, type Suite } from '../shared/app/start.ts'
import type { BankImport } from '../shared/contracts/bank.ts'
import { sha256 } from '../shared/contracts/hash.ts'
import { api, type Api } from './exam/api.ts'
import { help, parseExamArguments, type ExamArguments } from './exam/arguments.ts'
import { summaryText } from './exam/summary.ts'
import { detailOf, walk, type Walked } from './exam/walk.ts'
import { suite } from './suite.ts'

const results = ['items.jsonl', 'rejections.jsonl', 'predictions.jsonl', 'repeats.json', 'meta.json',
  ...['html', 'json', 'md', 'csv'].map(format => `report.${format}`)]

const sample = fileURLToPath(new URL('../examples/sample-paper/sample-paper.pdf', import.meta.url))

let stopping = false

process.exitCode = await main(process.argv.slice(2))

async function main (args: string[]): Promise<number> {
  let running: Suite | undefined
  try {
    const exam = parseExamArguments(args)
    if (exam.help) { process.stdout.write(help); return 0 }
    if (exam.bank !== undefined && isMissing(exam.bank.file)) throw new Error(`There is no bank file ${exam.bank.file}.`)
    if (exam.files.length === 0 && exam.bank === undefined) exam.files.push(sample)
    const missing = exam.files.filter(isMissing)
    const started = performance.now()
    running = await start(exam)
    endOnSignal(running)
    const http = api(running.url)
    await checkModels(http, exam)
    exam.files = exam.files.filter(file => !missing.includes(file))
    // What an earlier exam left must not look like this one's; its work is in data/ and is used again.
    await Promise.all(results.map(async name => { await rm(join(exam.out, name), { force: true }) }))
    const walked = await walk(http, exam)
    walked.faults.unshift(...missing.map(subject => ({ step: 'read', subject, detail: 'there is no such file' })))
    const files = await writeResults(http, exam, { walked, seconds: (performance.now() - started) / 1000 })
    print(exam, walked, files)
    return walked.faults.length === 0 && walked.report !== undefined ? 0 : 1
  } catch (cause) {
    // A walk that was stopped fails somewhere, and that is no news.
    if (!stopping) process.stderr.write(`\n${detailOf(cause)}\n`)
    return 1
  } finally { await running?.close() }
}

function isMissing (file: string): boolean {
  return !existsSync(file) || !statSync(file).isFile()
}

async function start ({ out, upstream, vision }: ExamArguments): Promise<Suite> {
  await mkdir(out, { recursive: true })
  const { PORT = '0', UPSTREAMS, ...env } = process.env
  const capabilities = vision ? ['vision'] : []
  const upstreams = [{ name: 'upstream', baseUrl: upstream, capabilities }]
  return await startServices(suite, {
    ...env,
    PORT,
    DATA_DIR: join(out, 'data'),
    UPSTREAMS: upstream === undefined ? UPSTREAMS : JSON.stringify(upstreams)
  }, { log: createLog('info', join(out, 'viva.log')) })
}

/** Before any work: does the server answer, and does it have the models? */
async function checkModels (http: Api, exam: ExamArguments): Promise<void> {
  if (exam.upstream === undefined) return
  const { data } = await http.get<{ data: Array<{ id: string }> }>('/v1/models')
  const known = data.map(({ id }) => id)
  if (exam.models.length === 0) exam.models.push(...known.slice(0, 1))
  const asked = [...exam.models, ...exam.generator === undefined ? [] : [exam.generator]]
  const unknown = asked.filter(model => !known.includes(model))
  if (unknown.length > 0 || exam.models.length === 0) {
    throw new Error(`The server at ${exam.upstream} offers no model ${unknown.join(', ')}; it has: ${known.join(', ') || 'none'}.`)
  }
}

interface Outcome { walked: Walked, seconds: number }

/** Artefacts hold no clock and no host; those are in meta.json. */
async function writeResults (http: Api, exam: ExamArguments, { walked, seconds }: Outcome) {
  const { report, generation, imported, reviewing, benchmark, runs } = walked
  const files: Record<string, string> = {}
  const hashes: Record<string, string> = {}
  const write = async (name: string, content: Buffer | string) => {
    files[name] = resolve(exam.out, name)
    hashes[name] = sha256(content)
    await writeFile(files[name], content)
  }
  if (generation !== undefined || imported !== undefined) {
    await write('rejections.jsonl', walked.rejections.map(each => `${JSON.stringify(each)}\n`).join(''))
  }
  if (benchmark !== undefined) {
    await write('items.jsonl', await http.download(`/v1/benchmarks/${benchmark.id}/items.jsonl`))
  }
  if (report !== undefined) {
    for (const format of ['html', 'json', 'md', 'csv']) {
      await write(`report.${format}`, await http.download(`/v1/reports/${report.id}.${format}`))
    }
    // With these and the items, every number of the report can be made again by others.
    const replies = []
    for (const { id } of runs) replies.push(await http.download(`/v1/runs/${id}/predictions.jsonl`))
    await write('predictions.jsonl', Buffer.concat(replies))
    if (walked.repeats.length > 0) await write('repeats.json', `${JSON.stringify(walked.repeats, null, 2)}\n`)
  }
  await write('meta.json', `${JSON.stringify({
    finishedAt: new Date().toISOString(),
    seconds: Number(seconds.toFixed(1)),
    viva: version(),
    node: process.version,
    platform: `${process.platform} ${process.arch}`,
    seed: exam.seed,
    upstream: exam.upstream ?? null,
    models: exam.models,
    condition: exam.how.condition,
    repeats: exam.how.repeats,
    generator: exam.generator ?? null,
    papers: walked.papers.map(({ id, fileName, state, documentHash, warnings }) =>
      ({ id, fileName, state, documentHash, warnings })),
    ...imported !== undefined && { bank: bankOf(imported), curationId: walked.curation?.id ?? null },
    generationId: generation?.id ?? null,
    reviewingId: reviewing?.id ?? null,
    benchmarkId: benchmark?.id ?? null,
    benchmarkVersion: benchmark?.version ?? null,
    runIds: walked.runs.map(({ id }) => id),
    reportId: report?.id ?? null,
    faults: walked.faults,
    sha256: hashes
  }, null, 2)}\n`)
  return files
}

/** What the exam was about. */
function bankOf ({ id, fileName, contentHash, format, rowCount, rowCounts, itemCount }: BankImport) {
  return { importId: id, fileName, contentHash, format, rowCount, rowCounts, itemCount }
}

/** Of the code that ran: the package's version, and the commit where this is a clone. */
function version (): { version: string, commit: string | null } {
  const root = fileURLToPath(new URL('..', import.meta.url))
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
  const { status, stdout } = spawnSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8' })
  return { version, commit: status === 0 ? stdout.trim() : null }
}

function print (exam: ExamArguments, walked: Walked, files: Record<string, string>): void {
  const ok = walked.faults.length === 0 && walked.report !== undefined
  process.stdout.write(exam.json
    ? `${JSON.stringify({ ok, files, reportId: walked.report?.id ?? null, faults: walked.faults })}\n`
    : `\n${summaryText(walked, files)}\n`)
}

function endOnSignal (running: Suite): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      const code = signal === 'SIGINT' ? 130 : 143
      if (stopping) process.exit(code)
      stopping = true
      process.stderr.write('\nStopping; run the same command again to resume.\n')
      void running.close().finally(() => process.exit(code))
    })
  }
}
