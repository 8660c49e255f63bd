/** Items by number, as long as real ones, and what freezing many of them costs. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { folderBlobs } from '../../../shared/blobs/folder.ts'
import { idOf } from '../../../shared/contracts/hash.ts'
import type { Item } from '../../../shared/contracts/item.ts'
import { embeddedStore } from '../../../shared/store/embedded.ts'
import type { Jobs } from '../../../shared/tasks/tasks.ts'
import type { Reviewed } from '../../../services/reviewing/domain/review-items.ts'
import { freezeBenchmark } from '../../../services/reviewing/handlers/freeze-benchmark.ts'
import type { ReviewingSpec } from '../../../services/reviewing/handlers/review-paper.ts'
import { reviewingStore } from '../../../services/reviewing/store.ts'
import { descriptive, document, pair } from '../../../services/reviewing/test/fixtures.ts'

export const itemsOfPaper = 50
export const itemsOfGeneration = 10_000

const sentence = ' The measurements were repeated under the same conditions and agree within the stated error.'
const [yes, no] = pair()
const description = descriptive()

/** Three in five are descriptive, the others members of pairs. */
export function itemOf (number: number): Item {
  const paper = Math.floor(number / itemsOfPaper)
  const source = { paperId: idOf('paper', paper), documentHash: idOf('document', paper) }
  const id = idOf('item', number)
  const inFive = number % 5
  if (inFive < 3) {
    const answer = `${description.answer} ${sentence.repeat(2)}${number}`
    return { ...description, id, source, question: `${description.question} (${number})`, answer }
  }
  const member = inFive === 3 ? yes : no
  return { ...member, id, source, pairId: `pair ${Math.floor(number / 5)}`, question: `${member.question}${sentence} (${number})` }
}

/** One in a hundred is not eligible. */
export function reviewedOf (from: number, count: number): Reviewed[] {
  const reviewingId = idOf('reviewing', Math.floor(from / itemsOfGeneration))
  return Array.from({ length: count }, (_, at): Reviewed => {
    const item = itemOf(from + at)
    const failedChecks = (from + at) % 100 === 0 ? ['numbers'] : []
    const reviewer = { type: 'checks', name: 'mechanical' } as const
    const checks = ['evidence', 'numbers', 'style', 'length', 'duplicate'].map(name => ({
      name, passed: !failedChecks.includes(name), detail: 'Nothing in the item speaks against it.'
    }))
    return {
      review: {
        id: idOf('review', { reviewingId, itemId: item.id }),
        itemId: item.id,
        reviewer,
        role: 'checks',
        round: null,
        itemHash: item.id,
        scores: null,
        reasons: {},
        checks,
        verdict: 'unreviewed',
        comment: '',
        provenance: null
      },
      reviewed: {
        item,
        reviewingId,
        verdict: 'unreviewed',
        eligible: failedChecks.length === 0,
        failedChecks,
        revision: 0,
        decision: null
      }
    }
  })
}

export interface FreezeCost {
  items: number
  outcome: string
  seconds: number
  cpuSeconds: number
  /** The longest time that nothing else could run. */
  loopMsMax: number
  residentMbBefore: number
  residentMbMost: number
}

/** Through the handler of POST /v1/benchmarks, on a store that holds this one reviewing. */
export async function freezeCosts (items: number): Promise<FreezeCost> {
  const folder = await mkdtemp(join(tmpdir(), 'viva-freeze-'))
  const opened = await embeddedStore(join(folder, 'reviewing.db'))
  const store = await reviewingStore(opened)
  const blobs = await folderBlobs(join(folder, 'blobs'))
  const reviewingId = idOf('reviewing', 0)
  for (let from = 0; from < items; from += itemsOfPaper) {
    const some = reviewedOf(from, itemsOfPaper)
    await store.saveReviewed(some.map(one => ({ ...one, reviewed: { ...one.reviewed, reviewingId } })))
  }
  const spec = { itemCount: items }
  const jobs = {
    find: async () => ({ spec }), view: async () => ({ state: 'succeeded' })
  } as unknown as Jobs<ReviewingSpec>
  const peers = {
    parsing: {
      getDocument: async (paperId: string, documentHash: string) => ({ ...document, paperId, documentHash }),
      getFigureImage: async () => Buffer.from('image')
    }
  } as unknown as Parameters<typeof freezeBenchmark>[0]['peers']
  const residentMbBefore = process.memoryUsage().rss / 2 ** 20
  let residentMbMost = residentMbBefore
  const timer = setInterval(() => {
    residentMbMost = Math.max(residentMbMost, process.memoryUsage().rss / 2 ** 20)
  }, 20)
  const loop = monitorEventLoopDelay({ resolution: 5 })
  loop.enable()
  const began = performance.now()
  const before = process.cpuUsage()
  const parts = { store, jobs, blobs, peers, cite: async () => [], agreementsOf: async () => [] }
  const outcome = await freezeBenchmark(parts, {
    name: 'growth', reviewingIds: [reviewingId], verdicts: ['unreviewed'], seed: 1
  }).then(({ benchmark }) => `${benchmark.card.itemCount} items`, (cause: Error) => cause.message)
  const { user, system } = process.cpuUsage(before)
  const seconds = (performance.now() - began) / 1_000
  await new Promise(resolve => setTimeout(resolve, 20))
  loop.disable()
  clearInterval(timer)
  await opened.close()
  await rm(folder, { recursive: true, force: true })
  return {
    items,
    outcome,
    seconds,
    cpuSeconds: (user + system) / 1e6,
    loopMsMax: loop.max / 1e6,
    residentMbBefore,
    residentMbMost: Math.max(residentMbMost, process.memoryUsage().rss / 2 ** 20)
  }
}
