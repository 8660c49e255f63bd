/** Memory of a suite while a thousand papers wait their turn: the length of the queue is to cost nothing. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Generation } from '../../../shared/contracts/generation.ts'
import { api, type Api } from '../../exam/api.ts'
import { quantile, type Figure } from '../inference/figure.ts'
import { idsOf, parsedPapers, recipe } from './client.ts'
import { startModel, startSuite, type Memory, type Suite } from './processes.ts'
import type { Sizes } from './sizes.ts'

const size = { sections: 2, figures: 0 }
/** As many as one generation takes. */
const papersOfGeneration = 200
const slots = 64
/** Three questions on the abstract and one for each section. */
const itemsOfPaper = 3 + size.sections
/** Replies kept for replay fill a cache of a size of its own (64 MB unless told): no cost of the queue. */
const env = { INFERENCE_CACHE_MB: '1' }
const probeMs = 50
const memoryMs = 2_000
/** Of resident memory after the first tenth; what grows with the queue would pass it. */
const growthMax = 1.2

interface Sample extends Memory { done: number }
interface Ran {
  samples: Sample[]
  healthMs: number[]
  items: number
  rejections: number
  wrong: string[]
  seconds: number
}

export async function queue ({ queue: papers }: Sizes): Promise<Figure[]> {
  const tenth = await run(Math.max(1, Math.round(papers / 10)))
  const whole = await run(papers)
  const at = (share: number) => memoryAt(whole, share * papers)
  const slope = slopeOf(whole.samples.filter(({ done }) => done >= papers / 2))
  const [early, middle, end, endOfTenth] = [at(0.1), at(0.5), at(1), memoryAt(tenth, papers / 10)]
  const mb = ({ residentMb, heapMb }: Memory) => `${residentMb.toFixed(0)} (heap ${heapMb.toFixed(0)})`
  const n = `${papers} papers of ${itemsOfPaper} items in ${Math.ceil(papers / papersOfGeneration)} generations at once, ${whole.seconds.toFixed(0)} s, ${whole.samples.length} looks after a collection`
  return [{
    what: 'MB resident, the suite\'s process, at 10 %, 50 % and 100 % of the queue; at the end of a tenth of it',
    bar: `end ≤ ${growthMax} × at 10 %`,
    met: end.residentMb <= growthMax * early.residentMb,
    measured: `${mb(early)}, ${mb(middle)}, ${mb(end)}; ${mb(endOfTenth)}`,
    n,
    values: {
      early: early.residentMb,
      middle: middle.residentMb,
      end: end.residentMb,
      tenth: endOfTenth.residentMb,
      endHeap: end.heapMb,
      tenthHeap: endOfTenth.heapMb
    }
  }, {
    what: 'growth over the second half of the queue, resident and heap',
    measured: `${slope.residentMb.toFixed(1)} MB and ${slope.heapMb.toFixed(1)} MB for 100 papers`,
    n,
    values: { ...slope }
  }, {
    what: '/health/live meanwhile',
    measured: `p50 ${quantile(whole.healthMs, 0.5).toFixed(1)} ms, p99 ${quantile(whole.healthMs, 0.99).toFixed(0)} ms, most ${Math.max(...whole.healthMs).toFixed(0)} ms`,
    n: `${whole.healthMs.length} askings`,
    values: { p50: quantile(whole.healthMs, 0.5), p99: quantile(whole.healthMs, 0.99) }
  }, {
    what: 'items missing (neither made nor a rejection), twice, or of a generation that did not succeed',
    bar: '0',
    met: whole.wrong.length === 0,
    measured: whole.wrong.length === 0 ? `0 of ${whole.items + whole.rejections}, ${whole.rejections} of them rejections` : whole.wrong.join('; '),
    n,
    values: { wrong: whole.wrong.length, items: whole.items }
  }]
}

async function run (papers: number): Promise<Ran> {
  const dir = await mkdtemp(join(tmpdir(), 'viva-queue-'))
  const model = await startModel({ latencyMs: 0, slots, poorShare: 0, faultShare: 0 })
  const suite = await startSuite({ dir, modelUrl: model.url, slots, env })
  try {
    const url = await suite.ready
    const http = api(url)
    const paperIds = await parsedPapers(url, { count: papers, ...size })
    const began = performance.now()
    const ids: string[] = []
    for (let from = 0; from < papers; from += papersOfGeneration) {
      const { id } = await http.post<Generation>('/v1/generations', {
        paperIds: paperIds.slice(from, from + papersOfGeneration), recipe: { ...recipe, kinds: ['qa'], review: false }
      })
      ids.push(id)
    }
    const watched = await watch(suite, { url, http, ids, papers })
    return { ...watched, ...await counted(http, ids, papers), seconds: (performance.now() - began) / 1_000 }
  } finally {
    await suite.stop()
    await model.stop()
    await rm(dir, { recursive: true, force: true })
  }
}

interface Watching { url: string, http: Api, ids: readonly string[], papers: number }

/** One after the other, so that no probe waits for a collection that we asked for. */
async function watch (
  suite: Suite, { url, http, ids, papers }: Watching
): Promise<Pick<Ran, 'samples' | 'healthMs'>> {
  const samples: Sample[] = []
  const healthMs: number[] = []
  for (let looked = -Infinity; ;) {
    const began = performance.now()
    await (await fetch(`${url}/health/live`)).text()
    healthMs.push(performance.now() - began)
    await pause(probeMs)
    if (began - looked < memoryMs) continue
    looked = began
    const jobs = await Promise.all(ids.map(async id => await http.get<Generation>(`/v1/generations/${id}`)))
    const shares = jobs.map(({ progress: { done, total } }) => total === 0 ? 0 : done / total)
    const done = shares.reduce((sum, share) => sum + share, 0) / ids.length * papers
    samples.push({ done, ...await suite.memory() })
    if (jobs.every(({ state }) => ['succeeded', 'failed', 'cancelled'].includes(state))) return { samples, healthMs }
  }
}

async function counted (
  http: Api, ids: readonly string[], papers: number
): Promise<Pick<Ran, 'items' | 'rejections' | 'wrong'>> {
  const wrong: string[] = []
  const seen = new Set<string>()
  let [items, rejections] = [0, 0]
  for (const id of ids) {
    const { state, itemCount, rejectionCount } = await http.get<Generation>(`/v1/generations/${id}`)
    const found = idsOf(await http.download(`/v1/generations/${id}/items.jsonl`))
    items += found.length
    rejections += rejectionCount
    for (const each of found) seen.add(each)
    if (state !== 'succeeded') wrong.push(`${id} is ${state}`)
    if (itemCount !== found.length) wrong.push(`${id} says ${itemCount} items and lists ${found.length}`)
  }
  if (seen.size !== items) wrong.push(`${items - seen.size} items are there twice`)
  const wanted = papers * itemsOfPaper
  // What a section says that another one said is a rejection, and no less accounted for.
  if (items + rejections !== wanted) wrong.push(`${items} items and ${rejections} rejections, and ${wanted} asked for`)
  return { items, rejections, wrong }
}

/** The last look before so much of the queue was done. */
function memoryAt ({ samples }: Ran, done: number): Memory {
  return samples.findLast(sample => sample.done <= done) ?? samples[0]!
}

/** Of a line of least squares, for 100 papers. */
function slopeOf (samples: readonly Sample[]): Memory {
  const mean = (of: (sample: Sample) => number) =>
    samples.reduce((sum, sample) => sum + of(sample), 0) / samples.length
  const middle = mean(({ done }) => done)
  const variance = mean(({ done }) => (done - middle) ** 2)
  const slope = (name: keyof Memory) => {
    const average = mean(sample => sample[name])
    return mean(sample => (sample.done - middle) * (sample[name] - average)) / variance * 100
  }
  return { residentMb: slope('residentMb'), heapMb: slope('heapMb') }
}
