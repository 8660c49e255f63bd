/**
 * Judges of known bias in front of simulated replies, over HTTP: what a few labels of people make of the
 * judges' means, held against what people would give on average over all papers.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Document } from '../../../../shared/contracts/document.ts'
import type { Judgement, Rating } from '../../../../shared/contracts/judgement.ts'
import type { JudgementSummary } from '../../../../shared/contracts/judgement-summary.ts'
import type { Run } from '../../../../shared/contracts/run.ts'
import { fakeJudge, type Habits } from '../../../../shared/testing/fake-judge.ts'
import { benchmarkOf, documentOf, itemOf } from '../../../../services/scoring/test/fixtures.ts'
import type { Figure } from '../../inference/figure.ts'
import { openHouse, type Frozen, type House } from './house.ts'
import { covered, holds, type PipelineSizes } from './pipeline.ts'
import { drawOf, normalOf } from './world.ts'

const size = { papers: 20, itemsOfPaper: 4, models: 20, labels: 30 }
const criteria = ['factualAccuracy', 'logicalSoundness', 'depth', 'clarity']
/** Every criterion is 3 on average, by symmetry, and there are four. */
const truth = 3 * criteria.length
const spread = { paper: 0.4, reply: 0.8, person: 0.5 }
const models = Array.from({ length: size.models }, (_, i) => `model-${i}`)
/** A reply says how good it is, which judges read and people find out. */
const qualityOf = (reply: string) => Number(/worth (-?\d+\.\d+)/u.exec(reply)?.[1] ?? 3)
const judges: Record<string, Habits> = {
  'mild-judge': { quality: qualityOf, mildness: 0.7, noise: 0.6 },
  'harsh-judge': { quality: qualityOf, mildness: -0.5, noise: 1 }
}

export async function judged ({ worlds: count, seed }: PipelineSizes): Promise<Figure[]> {
  const dir = await mkdtemp(join(tmpdir(), 'viva-truth-'))
  const seeds = Array.from({ length: count }, (_, i) => seed * 1_000 + i)
  const frozen = seeds.map(frozenOf)
  const judge = fakeJudge(name => judges[name]!)
  const house = await openHouse(dir, {
    frozen, models: [...models, ...Object.keys(judges)], reply: body => judge(body) ?? replyTo(body)
  })
  try {
    const all: JudgementSummary[] = []
    for (const [i, own] of seeds.entries()) {
      process.stderr.write(`  judged world ${i + 1} of ${count}\n`)
      all.push(await summaryOf(house, frozen[i]!, own))
    }
    const calls = count * size.models * size.papers * size.itemsOfPaper * (1 + Object.keys(judges).length)
    const n = `${count} worlds of ${size.models} models, ${size.papers} papers and ${size.papers * size.itemsOfPaper} items, ${size.labels} labels a model, seed ${seed}; ${calls} calls through inference`
    return Object.keys(judges).flatMap(name => figuresOf(name, all, n))
  } finally {
    await house.close()
    await rm(dir, { recursive: true, force: true })
  }
}

function frozenOf (seed: number): Frozen {
  const documents = Array.from({ length: size.papers }, (_, paper) => documentOf(`paper ${paper} of judged world ${seed}`))
  const itemsOf = (document: Document, paper: number) => Array.from({ length: size.itemsOfPaper }, (_, i) => {
    const question = `World ${seed}, paper ${paper}, case ${i}: what was found?`
    return itemOf(document, { kind: 'qa', question, answer: `Finding ${i} of paper ${paper}.` })
  })
  const items = documents.flatMap(itemsOf)
  return { benchmark: benchmarkOf(documents, items, `Judged world ${seed}`), items, documents }
}

function replyTo (body: Record<string, unknown>): string {
  const [, seed, paper, nth] = /World (\d+), paper (\d+), case (\d+):/u.exec(JSON.stringify(body)) ?? []
  const words = [seed!, String(body['model']), paper!]
  const quality = 3 + spread.paper * normalOf(...words) + spread.reply * normalOf(...words, nth!)
  return `This finding is worth ${quality.toFixed(6)}.`
}

async function summaryOf ({ http }: House, { benchmark }: Frozen, seed: number): Promise<JudgementSummary> {
  const runIds = await Promise.all(models.map(async model => {
    const { id } = await http.post<Run>('/v1/runs', { benchmarkId: benchmark.id, model, condition: { contentMode: 'none' } })
    return (await ended<Run>(http, `/v1/runs/${id}`)).id
  }))
  const { id } = await http.post<Judgement>('/v1/judgements', { runIds, judges: Object.keys(judges), rubric: 'kmetbench' })
  await ended<Judgement>(http, `/v1/judgements/${id}`)
  for (const runId of runIds) await labelled(http, { judgementId: id, runId, seed })
  return await http.get<JudgementSummary>(`/v1/judgements/${id}/summary`)
}

async function ended<T extends { state: string }> (http: House['http'], path: string): Promise<T> {
  for (;;) {
    const job = await http.get<T>(`${path}?wait=60`)
    if (job.state === 'succeeded') return job
    if (job.state === 'failed' || job.state === 'cancelled') throw new Error(`${path} ended ${job.state}`)
  }
}

interface Labelling { judgementId: string, runId: string, seed: number }

/** A person labels a random choice of the replies of a run. */
async function labelled (http: House['http'], { judgementId, runId, seed }: Labelling): Promise<void> {
  const { items } = await http.get<{ items: Array<{ id: string, reply: string }> }>(`/v1/runs/${runId}/predictions?limit=200`)
  const order = items.map(item => ({ item, at: drawOf(seed, 'label', item.id) })).sort((a, b) => a.at - b.at)
  const labels = order.slice(0, size.labels).map(({ item }) => ({
    predictionId: item.id,
    scores: Object.fromEntries(criteria.map(name => [name, personOn(item, [seed, name])])) as NonNullable<Rating['scores']>
  }))
  await http.post(`/v1/judgements/${judgementId}/human-labels`, { rater: 'person', labels })
}

function personOn ({ id, reply }: { id: string, reply: string }, words: Array<string | number>): number {
  return Math.max(1, Math.min(5, Math.round(qualityOf(reply) + spread.person * normalOf(...words, id))))
}

function figuresOf (judge: string, all: readonly JudgementSummary[], n: string): Figure[] {
  const runs = all.flatMap(summary => summary.runs)
  const corrected = runs.map(run => run.corrected.find(each => each.judge === judge)!)
  const ranges = corrected.map(rangeOf)
  const alone = corrected.map(({ humanOnly }) => humanOnly === null ? null : rangeOf(humanOnly))
  const width = (given: typeof ranges) =>
    mean(given.flatMap(range => range === null ? [] : [range.high - range.low]))
  const totalOf = (run: JudgementSummary['runs'][number]) =>
    run.judges.find(each => each.judge === judge)!.scores.find(({ metric }) => metric === 'total')!
  const plain = runs.map(totalOf)
  const uncorrected = plain.filter(({ interval }) => holds(interval, truth)).length
  const bias = mean(plain.map(({ value }) => value! - truth))
  const left = mean(corrected.map(({ value }) => value! - truth))
  const hits = ranges.map(range => holds(range, truth))
  const found = covered(`${judge}: means corrected by labels hold what people would give`, hits, n)
  const [own, labels] = [width(ranges), width(alone)]
  return [{
    ...found,
    measured: `${found.measured}; without correction ${uncorrected} of ${runs.length}; bias ${bias.toFixed(2)} of 16 points, corrected ${left.toFixed(2)}; intervals ${own.toFixed(2)} wide, ${labels.toFixed(2)} by labels alone`,
    values: {
      ...found.values,
      uncorrected: uncorrected / runs.length,
      bias,
      left,
      width: own,
      widthOfLabels: labels
    }
  }]
}

function mean (values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

function rangeOf ({ low, high }: { low: number | null, high: number | null }) {
  return low === null || high === null ? null : { low, high }
}
