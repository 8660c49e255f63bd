/** The walk from papers to a report with a model, and what was counted on the way. */
import type { Benchmark } from '../../../shared/contracts/benchmark.ts'
import type { Document } from '../../../shared/contracts/document.ts'
import type { Generation, Outcome } from '../../../shared/contracts/generation.ts'
import { itemKinds, type Item, type ItemKind, type Rejection } from '../../../shared/contracts/item.ts'
import type { JobView } from '../../../shared/contracts/job.ts'
import type { Paper } from '../../../shared/contracts/paper.ts'
import type { Report } from '../../../shared/contracts/report.ts'
import { verdicts, type Review, type ReviewedItem, type Reviewing } from '../../../shared/contracts/review.ts'
import type { Run } from '../../../shared/contracts/run.ts'
import type { Api } from '../../exam/api.ts'
import { beginStep } from '../../exam/progress.ts'

export interface Walk {
  files: readonly string[]
  model: string
  contextTokens: number
  maxTokens: number
  /** Of each kind's generation. */
  tokensMax: number
  samplesMax: number
  maxRounds: number
  seed: number
}

type Counts = Record<string, number>

export interface Made {
  /** What was asked for; `extractive`: pairs of the first paper, made without a model, to review. */
  of: ItemKind | 'extractive'
  state: string
  problems: string[]
  outcome: Outcome | null
  /** Drafts that came back whole: what became items, and what code turned down. */
  drafts: number
  items: number
  rejections: Counts
}

export interface Judged {
  of: Made['of']
  state: string
  problems: string[]
  verdicts: Counts
  ineligible: number
  /** Of the reviews that no verdict could be had from: why. */
  unreviewed: Counts
  rewrites: Counts
}

export interface Used {
  purpose: string
  requests: number
  failed: number
  promptTokens: number | null
  completionTokens: number | null
}

export interface Yields {
  model: string
  settings: Omit<Walk, 'files' | 'model'>
  papers: Array<{ title: string, pages: number, sections: number, figures: number, tables: number }>
  figures: 'shown' | 'withheld'
  made: Made[]
  judged: Judged[]
  frozen: { id: string, items: number, kinds: Counts } | { problem: string }
  /** What the model made of the benchmark; null where there is none. */
  ran: { state: string, problems: string[], outcomes: Counts, scores: Counts } | null
  used: Used[]
  minutes: Record<'parse' | 'generate' | 'review' | 'freeze' | 'run', number>
}

/** Replies of which no draft could be read, and places that were given up: no drafts. */
const noDrafts = new Set(['unparsable', 'refused', 'truncated', 'short', 'budget', 'no-picture', 'context-too-small'])

/** @throws Problem or Error: a step could not be taken; what a model cannot do is counted and not thrown */
export async function walkWithModel (http: Api, { files, model, ...settings }: Walk): Promise<Yields> {
  const clock = stopwatch()
  const papers: Paper[] = []
  const documents: Document[] = []
  for (const file of files) {
    const { id } = await http.upload<Paper>(file)
    const paper = await follow<Paper>(http, `/v1/papers/${id}`, 'Parse')
    if (paper.state !== 'succeeded') throw new Error(`${file} could not be parsed: ${paper.problems[0]?.detail ?? paper.state}`)
    papers.push(paper)
    documents.push(await http.get<Document>(`/v1/papers/${id}/document`))
  }
  const parse = clock()

  const paperIds = papers.map(({ id }) => id)
  const generations: Array<{ of: Made['of'], generation: Generation }> = []
  for (const recipe of recipesOf(model, settings)) {
    const of = recipe.strategy === 'model' ? recipe.kinds[0]! : 'extractive'
    const asked = { paperIds: of === 'extractive' ? paperIds.slice(0, 1) : paperIds, recipe }
    const { id } = await http.post<Generation>('/v1/generations', asked)
    generations.push({ of, generation: await follow<Generation>(http, `/v1/generations/${id}`, `Generate ${of}`) })
  }
  const made: Made[] = []
  for (const each of generations) made.push(await madeBy(http, each))
  const generate = clock()

  const { maxTokens, contextTokens, maxRounds, seed } = settings
  const recipe = { strategy: 'model', model, contextTokens, maxRounds, seed, sampling: { maxTokens } }
  const reviewings: Reviewing[] = []
  const judged: Judged[] = []
  for (const { of, generation } of generations.filter(each => each.generation.itemCount > 0)) {
    const { id } = await http.post<Reviewing>('/v1/reviewings', { source: { generationId: generation.id }, recipe })
    const reviewing = await follow<Reviewing>(http, `/v1/reviewings/${id}`, `Review ${of}`)
    reviewings.push(reviewing)
    judged.push(await judgedIn(http, { of, reviewing }))
  }
  const review = clock()
  const frozen = await freeze(http, { name: `Written and judged by ${model}`, reviewings, seed })
  const freezing = clock()
  const ran = 'problem' in frozen ? null : await runOn(http, { benchmarkId: frozen.id, model, settings })
  return {
    model,
    settings,
    papers: documents.map(({ title, pages, sections, figures, tables }) => (
      {
        title,
        pages: pages.length,
        sections: sections.length,
        figures: figures.length,
        tables: tables.length
      })),
    figures: generations.some(({ generation }) => generation.vision === true) ? 'shown' : 'withheld',
    made,
    judged,
    frozen,
    ran,
    used: await usageOf(http, model),
    minutes: { parse, generate, review, freeze: freezing, run: clock() }
  }
}

interface Asked { strategy: 'model' | 'extractive', kinds: ItemKind[], [field: string]: unknown }

/** A generation for each kind, so that none spends the tokens of the others. */
function recipesOf (model: string, settings: Yields['settings']): Asked[] {
  const { contextTokens, maxTokens, tokensMax, samplesMax, seed } = settings
  const usual = { model, seed, contextTokens, tokensMax, samplesMax, sampling: { maxTokens }, review: false }
  const counts = { vqaPerFigure: 1, pairsPerFigure: 1, choicesPerPlace: 1 }
  return [
    ...itemKinds.map((kind): Asked => ({ strategy: 'model', kinds: [kind], counts, ...usual })),
    { strategy: 'extractive', kinds: ['binary'], pairsPerFigureMax: 1, seed, review: false }
  ]
}

async function madeBy (
  http: Api, { of, generation }: { of: Made['of'], generation: Generation }
): Promise<Made> {
  const { id, outcome = null, itemCount } = generation
  const rejections = await all<Rejection>(http, `/v1/generations/${id}/rejections`)
  const items = await all<Item>(http, `/v1/items?generationId=${id}`)
  const made = outcome?.made ?? items.length
  const turnedDown = rejections.filter(({ reason }) => !noDrafts.has(reason)).length
  return {
    of,
    ...endOf(generation),
    outcome,
    drafts: made + turnedDown,
    items: itemCount,
    rejections: countBy(rejections, ({ reason }) => reason)
  }
}

async function judgedIn (
  http: Api, { of, reviewing }: { of: Made['of'], reviewing: Reviewing }
): Promise<Judged> {
  const { id, verdictCounts, ineligibleCount, rewriteCounts } = reviewing
  const reviewed = await all<ReviewedItem>(http, `/v1/reviewed-items?reviewingId=${id}`)
  const why: string[] = []
  for (const { item } of reviewed.filter(({ verdict }) => verdict === 'unreviewed')) {
    const reviews = await all<Review>(http, `/v1/items/${item.id}/reviews`)
    const comment = reviews.filter(each => each.reviewer.type === 'model' && each.verdict === 'unreviewed').at(-1)?.comment
    why.push(comment ?? 'It was not put before the model: it repeats another.')
  }
  return {
    of,
    ...endOf(reviewing),
    verdicts: Object.fromEntries(verdicts.map(verdict => [verdict, verdictCounts[verdict] ?? 0])),
    ineligible: ineligibleCount,
    unreviewed: countBy(why, comment => comment.slice(0, 160)),
    rewrites: rewriteCounts
  }
}

interface Freezing { name: string, reviewings: readonly Reviewing[], seed: number }

/** Whatever the verdict: that the benchmark can be made is what is tried here, not that it is good. */
async function freeze (http: Api, { name, reviewings, seed }: Freezing): Promise<Yields['frozen']> {
  try {
    const { id } = await http.post<Benchmark>('/v1/benchmarks', {
      name, reviewingIds: reviewings.map(({ id }) => id), verdicts: [...verdicts], seed
    })
    const items = await all<Item>(http, `/v1/benchmarks/${id}/items`)
    return { id, items: items.length, kinds: countBy(items, ({ kind }) => kind) }
  } catch (cause) {
    return { problem: cause instanceof Error ? cause.message : String(cause) }
  }
}

interface Running { benchmarkId: string, model: string, settings: Yields['settings'] }

/** With the evidence alone in the prompt: a small context has no room for more. */
async function runOn (
  http: Api, { benchmarkId, model, settings: { contextTokens, maxTokens, seed } }: Running
): Promise<NonNullable<Yields['ran']>> {
  const condition = {
    contentMode: 'oracle', contentTokensMax: Math.max(256, Math.floor(contextTokens / 4)), figures: 'withheld', sampling: { maxTokens }, seed
  }
  const { id } = await http.post<Run>('/v1/runs', { benchmarkId, model, condition })
  const run = await follow<Run>(http, `/v1/runs/${id}`, 'Run')
  const { runs: [own] } = await http.post<Report>('/v1/reports', { runIds: [id] })
  const whole = (own?.slices ?? []).filter(({ dimension }) => dimension === 'all')
  return {
    ...endOf(run),
    outcomes: Object.fromEntries(whole.flatMap(({ kind, outcomes }) =>
      Object.entries(outcomes).filter(([, count]) => count > 0).map(([outcome, count]) => [`${kind} ${outcome}`, count]))),
    scores: Object.fromEntries(whole.flatMap(({ kind, scores }) =>
      scores.flatMap(({ metric, value }) => value === null ? [] : [[`${kind} ${metric}`, Number(value.toFixed(3))]])))
  }
}

async function usageOf (http: Api, model: string): Promise<Used[]> {
  interface Row extends Omit<Used, 'failed'> { outcomes: { failed: number, refused: number } }
  const { rows } = await http.get<{ rows: Row[] }>(`/v1/usage?limit=200&model=${encodeURIComponent(model)}`)
  const used = new Map<string, Used>()
  for (const { purpose, requests, outcomes, promptTokens, completionTokens } of rows) {
    const sum = used.get(purpose) ?? { purpose, requests: 0, failed: 0, promptTokens: 0, completionTokens: 0 }
    used.set(purpose, {
      purpose,
      requests: sum.requests + requests,
      failed: sum.failed + outcomes.failed + outcomes.refused,
      promptTokens: (sum.promptTokens ?? 0) + (promptTokens ?? 0),
      completionTokens: (sum.completionTokens ?? 0) + (completionTokens ?? 0)
    })
  }
  return [...used.values()]
}

async function follow<T extends JobView> (http: Api, path: string, name: string): Promise<T> {
  const step = beginStep(name)
  const job = await http.follow<T>(path, ({ progress }) => { step.show(progress) })
  step.end(job.state)
  return job
}

function endOf ({ state, problems }: JobView): { state: string, problems: string[] } {
  return { state, problems: problems.slice(0, 5).map(({ detail }) => detail) }
}

async function all<T> (http: Api, path: string): Promise<T[]> {
  const found: T[] = []
  for (let cursor: string | null = ''; cursor !== null;) {
    const more: string = `${path.includes('?') ? '&' : '?'}limit=200${cursor === '' ? '' : `&cursor=${cursor}`}`
    const page: { items: T[], nextCursor: string | null } = await http.get(path + more)
    found.push(...page.items)
    cursor = page.nextCursor
  }
  return found
}

function countBy<T> (list: readonly T[], keyOf: (one: T) => string): Counts {
  const counts = new Map<string, number>()
  for (const one of list) counts.set(keyOf(one), (counts.get(keyOf(one)) ?? 0) + 1)
  return Object.fromEntries([...counts].sort((a, b) => b[1] - a[1]))
}

/** Each time it is asked: minutes since the last. */
function stopwatch (): () => number {
  let since = performance.now()
  return () => {
    const now = performance.now()
    const minutes = (now - since) / 60_000
    since = now
    return Math.round(minutes * 10) / 10
  }
}
