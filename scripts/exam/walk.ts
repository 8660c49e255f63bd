/**
 * The walk: upload, parse, generate, or import an item bank; then review, freeze, run, report. Each step over
 * the HTTP API.
 */
import type { BankImport, ImportRow } from '../../shared/contracts/bank.ts'
import type { Curation } from '../../shared/contracts/curation.ts'
import { itemKinds, type Rejection } from '../../shared/contracts/item.ts'
import type { Page } from '../../shared/contracts/page.ts'
import type { Benchmark } from '../../shared/contracts/benchmark.ts'
import type { Generation } from '../../shared/contracts/generation.ts'
import type { JobView } from '../../shared/contracts/job.ts'
import type { Paper } from '../../shared/contracts/paper.ts'
import type { Report } from '../../shared/contracts/report.ts'
import type { Reviewing, ReviewingSource } from '../../shared/contracts/review.ts'
import type { RepeatedRuns, Run } from '../../shared/contracts/run.ts'
import type { Api } from './api.ts'
import type { BankArguments, ExamArguments } from './arguments.ts'
import { baselinesOf, importBank, rejectedRows, shuffleChoices } from './bank.ts'
import { withRoom } from './condition.ts'
import { beginStep } from './progress.ts'

export const baselines = ['baseline/always-yes', 'baseline/random', 'baseline/lead', 'baseline/extractive']

/** A step that did not succeed: which, of what, and why. */
export interface Fault { step: string, subject: string, detail: string }

export interface Walked {
  papers: Paper[]
  generation: Generation | undefined
  /** Where the exam is about an item bank. */
  imported: BankImport | undefined
  curation: Curation | undefined
  rejections: Array<Rejection | ImportRow>
  reviewing: Reviewing | undefined
  benchmark: Benchmark | undefined
  runs: Run[]
  /** Of each model that was asked more than once. */
  repeats: RepeatedRuns[]
  report: Report | undefined
  faults: Fault[]
}

/** Before its first step. */
export function nothingWalked (): Walked {
  return {
    papers: [],
    generation: undefined,
    imported: undefined,
    curation: undefined,
    rejections: [],
    reviewing: undefined,
    benchmark: undefined,
    runs: [],
    repeats: [],
    report: undefined,
    faults: []
  }
}

export async function walk (api: Api, exam: ExamArguments): Promise<Walked> {
  const walked = nothingWalked()
  const reviewed = exam.bank === undefined
    ? await ofPapers(api, exam, walked)
    : await ofBank(api, { bank: exam.bank, seed: exam.seed }, walked)
  if (reviewed !== undefined) await examine(api, { exam, reviewed }, walked)
  return walked
}

/** What is to be frozen. */
interface Reviewed { name: string, reviewing: Reviewing }

/** @returns undefined where there is nothing to go on with; `walked.faults` says why */
async function ofPapers (api: Api, exam: ExamArguments, walked: Walked): Promise<Reviewed | undefined> {
  const { faults } = walked
  walked.papers = await parseAll(api, exam.files, faults)
  const good = walked.papers.filter(({ state }) => state === 'succeeded')
  if (good.length === 0) return undefined

  const generation = await generate(api, good, exam)
  walked.generation = generation
  const rejections = await allRejections(api, generation.id)
  walked.rejections = rejections
  noteProblems(generation, faults, { step: 'generate', subject: 'some places' })
  if (generation.itemCount === 0) {
    faults.push({ step: 'generate', subject: 'all papers', detail: `no item could be made: ${countedReasons(rejections)}; rejections.jsonl says of each place why` })
    return undefined
  }
  // The end of the generation opens it too; the same source and recipe are the same reviewing.
  const recipe = generation.recipe.review || { strategy: 'mechanical' }
  const reviewing = await review(api, { source: { generationId: generation.id }, recipe }, faults)
  return { name: nameOf(good), reviewing }
}

interface BankExam { bank: BankArguments, seed: number }

/** Likewise, of an item bank. */
async function ofBank (api: Api, { bank, seed }: BankExam, walked: Walked): Promise<Reviewed | undefined> {
  const { faults } = walked
  const imported = await importBank(api, bank)
  walked.imported = imported
  walked.rejections = await rejectedRows(api, imported.id)
  noteProblems(imported, faults, { step: 'import', subject: bank.file })
  if (imported.itemCount === 0) {
    faults.push({ step: 'import', subject: bank.file, detail: 'no row became an item; rejections.jsonl says of each row why' })
    return undefined
  }
  let source: ReviewingSource = { importId: imported.id }
  if (bank.shuffleChoices) {
    walked.curation = await shuffleChoices(api, imported, seed)
    noteProblems(walked.curation, faults, { step: 'curate', subject: bank.file })
    source = { curationId: walked.curation.id }
  }
  const reviewing = await review(api, { source, recipe: { strategy: 'mechanical' } }, faults)
  return { name: imported.name, reviewing }
}

interface Examined { exam: ExamArguments, reviewed: Reviewed }

async function examine (api: Api, { exam, reviewed }: Examined, walked: Walked): Promise<void> {
  const { faults } = walked
  const { name, reviewing } = reviewed
  walked.reviewing = reviewing
  // What a model has reviewed is in only if it was found good; without one nothing was reviewed.
  const verdicts = exam.generator === undefined ? ['good', 'unreviewed'] : ['good']
  walked.benchmark = await freeze(api, reviewing, { name, verdicts, seed: exam.seed })
  walked.runs = await runAll(api, walked.benchmark, exam)
  if (walked.runs.length === 0) {
    faults.push({ step: 'run', subject: name, detail: 'no baseline answers such items without a paper; name a model with --upstream and --model' })
    return
  }
  for (const run of walked.runs) noteProblems(run, faults, { step: 'run', subject: run.model })
  for (const { id, model, condition } of exam.how.repeats > 1 ? walked.runs : []) {
    if (baselines.includes(model) || condition.repeat > 0) continue
    walked.repeats.push(await api.get<RepeatedRuns>(`/v1/runs/${id}/repeats`))
  }
  const step = beginStep('Report')
  walked.report = await api.post<Report>('/v1/reports', { runIds: walked.runs.map(({ id }) => id) })
  step.end(walked.report.id)
}

async function allRejections (api: Api, generationId: string): Promise<Rejection[]> {
  const found: Rejection[] = []
  for (let cursor: string | null = ''; cursor !== null;) {
    const from: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`
    const page: Page<Rejection> = await api.get(`/v1/generations/${generationId}/rejections?limit=200${from}`)
    found.push(...page.items)
    cursor = page.nextCursor
  }
  return found
}

/** The commonest first. */
function countedReasons (rejections: readonly Rejection[]): string {
  const counts = new Map<string, number>()
  for (const { reason } of rejections) counts.set(reason, (counts.get(reason) ?? 0) + 1)
  const sorted = [...counts].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1))
  return sorted.map(([reason, count]) => `${count} ${reason}`).join(', ') || 'there was no place to ask about'
}

/** What a report is headed with. */
function nameOf (papers: readonly Paper[]): string {
  const [first] = papers
  const title = (first?.title ?? first?.fileName ?? 'untitled').slice(0, 160)
  return papers.length > 1 ? `${title}, and ${papers.length - 1} more` : title
}

async function parseAll (api: Api, files: string[], faults: Fault[]): Promise<Paper[]> {
  const papers: Paper[] = []
  for (const file of files) {
    const step = beginStep(`Parse ${file.split(/[\\/]/).at(-1)?.slice(-22)}`)
    try {
      const { id } = await api.upload<Paper>(file)
      const paper = await api.follow<Paper>(`/v1/papers/${id}`, ({ progress }) => { step.show(progress) })
      if (!papers.some(each => each.id === id)) papers.push(paper)
      noteProblems(paper, faults, { step: 'parse', subject: file })
      step.end(paper.state === 'succeeded' ? `“${paper.title ?? 'untitled'}”` : 'failed')
    } catch (cause) {
      step.end('failed')
      faults.push({ step: 'parse', subject: file, detail: detailOf(cause) })
    }
  }
  return papers
}

async function generate (api: Api, papers: Paper[], { seed, generator }: ExamArguments): Promise<Generation> {
  const step = beginStep('Generate items')
  const { id } = await api.post<Generation>('/v1/generations', {
    paperIds: papers.map(({ id }) => id),
    recipe: generator === undefined ? { seed } : { seed, strategy: 'model', model: generator, kinds: [...itemKinds] }
  })
  const path = `/v1/generations/${id}`
  const generation = await api.follow<Generation>(path, ({ progress }) => { step.show(progress) })
  const without = generator === undefined ? 'places without' : 'drafts or places without'
  step.end(`${generation.itemCount} items, ${generation.rejectionCount} ${without}`)
  return generation
}

interface Review { source: ReviewingSource, recipe: object }

async function review (api: Api, asked: Review, faults: Fault[]): Promise<Reviewing> {
  const step = beginStep('Review items')
  const { id } = await api.post<Reviewing>('/v1/reviewings', asked)
  const path = `/v1/reviewings/${id}`
  const reviewing = await api.follow<Reviewing>(path, ({ progress }) => { step.show(progress) })
  noteProblems(reviewing, faults, { step: 'review', subject: 'some items' })
  const judged = Object.entries(reviewing.verdictCounts).filter(([, count]) => count > 0)
    .map(([verdict, count]) => `${count} ${verdict}`)
  step.end([...judged, `${reviewing.ineligibleCount} failed a check`].join(', '))
  return reviewing
}

interface Freezing { name: string, verdicts: string[], seed: number }

async function freeze (api: Api, { id }: Reviewing, { name, verdicts, seed }: Freezing): Promise<Benchmark> {
  const step = beginStep('Freeze benchmark')
  const benchmark = await api.post<Benchmark>('/v1/benchmarks', {
    name, reviewingIds: [id], verdicts, seed
  })
  const pairs = benchmark.card.paperCount === 0 ? '' : `, ${benchmark.card.pairCount} minimal pairs`
  step.end(`${benchmark.card.itemCount} items${pairs}`)
  return benchmark
}

async function runAll (api: Api, benchmark: Benchmark, exam: ExamArguments): Promise<Run[]> {
  const benchmarkId = benchmark.id
  const runs: Run[] = []
  for (const model of exam.bank === undefined ? baselines : baselinesOf(benchmark)) {
    runs.push(...await runOf(api, { benchmarkId, model, condition: { figures: 'with', seed: exam.seed } }))
  }
  const { condition, repeats } = exam.how
  const figures = exam.vision ? 'with' : 'withheld'
  const { data } = exam.models.length > 0
    ? await api.get<{ data: Array<{ id: string, max_model_len: number | null }> }>('/v1/models')
    : { data: [] }
  for (const model of exam.models) {
    const context = data.find(({ id }) => id === model)?.max_model_len ?? null
    const given = { ...withRoom(condition, context), figures, seed: exam.seed }
    const asked = { benchmarkId, model, condition: given, repeats }
    runs.push(...await runOf(api, asked))
  }
  return runs
}

interface Asked { benchmarkId: string, model: string, condition: object, repeats?: number }

/** The run, or its repeats. */
async function runOf (api: Api, asked: Asked): Promise<Run[]> {
  const { id, repeatIds = [id] } = await api.post<Run>('/v1/runs', asked)
  const runs: Run[] = []
  for (const [at, runId] of repeatIds.entries()) {
    const nth = repeatIds.length > 1 ? ` ${at + 1}/${repeatIds.length}` : ''
    const step = beginStep(`Run ${asked.model.slice(nth.length - 24)}${nth}`)
    const run = await api.follow<Run>(`/v1/runs/${runId}`, ({ progress }) => { step.show(progress) })
    runs.push(run)
    const counts = Object.entries(run.outcomes).filter(([, count]) => count > 0)
    step.end(counts.map(([outcome, count]) => `${count} ${outcome}`).join(', '))
  }
  return runs
}

type Subject = Pick<Fault, 'step' | 'subject'>

function noteProblems ({ state, problems }: JobView, faults: Fault[], { step, subject }: Subject): void {
  for (const { detail } of problems.slice(0, 3)) faults.push({ step, subject, detail })
  if (problems.length > 3) faults.push({ step, subject, detail: `and ${problems.length - 3} more like these` })
  if (state !== 'succeeded' && problems.length === 0) faults.push({ step, subject, detail: `ended ${state}` })
}

export function detailOf (cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause)
}
