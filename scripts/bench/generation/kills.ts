/**
 * The suite is killed at random moments while papers go from generation to a frozen benchmark, and its
 * model server fails as well. Afterwards the same walks are made undisturbed, by another suite and a
 * server without faults: they must end with the same bytes.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '../../../shared/testing/free-port.ts'
import { seededRandom } from '../../../shared/testing/random.ts'
import { api } from '../../exam/api.ts'
import { patient } from '../faults/load.ts'
import type { Figure } from '../inference/figure.ts'
import { parsedPapers, walk, type Walked } from './client.ts'
import { repeatsOf, type Repeats } from './repeats.ts'
import { startModel, startSuite, type Model, type Suite } from './processes.ts'
import type { Sizes } from './sizes.ts'

const papers = { count: 12, sections: 3, figures: 2 }
const papersOfWalk = 2
const walksAtOnce = 2
const slots = 64
/** Shares of bad replies, which stay, and of faults, which pass. */
const model = { latencyMs: 100, slots, poorShare: 0.12 }
const faultShare = 0.06
/** Of the kills, those that come while the process starts. */
const earlyShare = 0.1
/**
 * The longest life is so many starts (on a machine with other work both are longer) and two leases: what
 * a kill left behind is taken up again only when its lease has run out. Most lives are short, and some
 * long enough for much to be under way.
 */
const lifeMax = 2
const leasesMs = 12_000
const patienceMs = 900_000
/** A reply that does not come is given up after so long: no other may be, however busy the machine is. */
const env = { GENERATION_COMPLETION_TIMEOUT_MS: '60000', REVIEWING_COMPLETION_TIMEOUT_MS: '60000' }

/** So many walks are made, each over papers and with a seed that its number says. */
interface Walks { ended: Map<number, Walked>, retries: number, finish: () => Promise<void> }

export async function kills ({ kills: count, seed }: Sizes): Promise<Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'viva-kills-'))
  const server = await startModel({ ...model, faultShare })
  try {
    const { walks, deaths } = await struck({ dir: join(folder, 'struck'), server, count, seed })
    const ledger = await server.ledger()
    const { same, calm } = await undisturbed(join(folder, 'calm'), walks.ended.size)
    const repeats = repeatsOf(ledger, deaths)
    const differ = [...walks.ended].flatMap(([number, { hashes }]) => Object.entries(hashes)
      .filter(([name, hash]) => same.get(number)?.hashes[name as keyof Walked['hashes']] !== hash)
      .map(([name]) => `${name} of walk ${number}`))
    const { lost, doubled, items } = accounted(walks.ended, same)
    const faults = ledger.filter(({ fault }) => fault !== null).length
    const n = `${count} SIGKILLs, seed ${seed}; ${walks.ended.size} walks of ${papersOfWalk} papers, ${items} items; ${ledger.length} requests, ${faults} of them met 429, 500, 503, a reset, broken JSON or silence`
    for (const what of differ) process.stderr.write(`  differs: ${what}\n`)
    for (const [number, { told }] of walks.ended) tellDifferences(number, told, same.get(number)?.told ?? [])
    return [{
      what: 'items, rejections, outcome, reviewed items and benchmarks that differ from the undisturbed run',
      bar: '0',
      met: differ.length === 0,
      measured: `${differ.length} of ${5 * walks.ended.size}; items lost ${lost}, doubled ${doubled}`,
      n,
      values: { differ: differ.length, lost, doubled, walks: walks.ended.size, items }
    }, {
      what: 'requests answered in full more than once',
      bar: `≤ ${repeats.inFlight}, those in flight at the kills, and none without a kill in between`,
      met: repeats.repeated <= repeats.inFlight && repeats.unexplained === 0,
      measured: `${repeats.repeated}, ${repeats.unexplained} without a kill (undisturbed: ${calm.repeated}); first answered at most ${repeats.lagMs.toFixed(0)} ms before a kill`,
      n,
      values: { ...repeats, undisturbed: calm.repeated }
    }, {
      what: 'jobs that had to be told to go on (POST …/retry), their tasks dead after five losses or three failures',
      measured: String(walks.retries),
      n,
      values: { retries: walks.retries }
    }]
  } finally {
    await server.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

const toldMax = 10

/** Lines that one of the two has and the other has not. */
function tellDifferences (number: number, found: readonly string[], undisturbed: readonly string[]): void {
  const lines = [
    ...found.filter(line => !undisturbed.includes(line)).map(line => `+ ${line}`),
    ...undisturbed.filter(line => !found.includes(line)).map(line => `- ${line}`)
  ]
  for (const line of lines.slice(0, toldMax)) process.stderr.write(`  walk ${number}: ${line.slice(0, 600)}\n`)
}

interface Striking { dir: string, server: Model, count: number, seed: number }

async function struck ({ dir, server, count, seed }: Striking): Promise<{ walks: Walks, deaths: number[] }> {
  const random = seededRandom(seed)
  const port = await freePort()
  let startMs = 0
  async function live (): Promise<Suite> {
    const began = performance.now()
    const suite = await startSuite({ dir, modelUrl: server.url, slots, port, env })
    suite.ready.then(() => { startMs = performance.now() - began }, () => {})
    return suite
  }
  let suite = await live()
  const url = await suite.ready
  const paperIds = await parsedPapers(url, papers)
  const walks = keepWalking(url, paperIds)
  const deaths: number[] = []
  for (let kill = 0; kill < count; kill++) {
    if (random.chance(earlyShare)) await pause(random.next() * startMs)
    else {
      await suite.ready
      await pause(random.next() ** 2 * (lifeMax * startMs + leasesMs))
    }
    // What fails now would fail at the end as well.
    await Promise.race([walks.failed, pause(0)])
    deaths.push(performance.timeOrigin + performance.now())
    await suite.kill()
    if ((kill + 1) % 20 === 0) process.stderr.write(`  ${kill + 1} kills, ${walks.ended.size} walks\n`)
    suite = await live()
  }
  try {
    await walks.finish()
  } finally {
    await suite.stop()
  }
  return { walks, deaths }
}

function keepWalking (url: string, paperIds: readonly string[]): Walks & { failed: Promise<never> } {
  const http = patient(api(url), patienceMs)
  const walks = { ended: new Map<number, Walked>(), retries: 0 }
  let begun = 0
  const finishing = new AbortController()
  async function walkOn (): Promise<void> {
    while (!finishing.signal.aborted) {
      const number = begun++
      walks.ended.set(number, await walk(http, askedOf(number, paperIds), () => { walks.retries++ }))
    }
  }
  const walkers = Promise.all(Array.from({ length: walksAtOnce }, walkOn))
  const failed = walkers.then(async () => await new Promise<never>(() => {}))
  failed.catch(() => {})
  return Object.assign(walks, {
    failed,
    async finish () {
      finishing.abort()
      await walkers
    }
  })
}

/** Papers in turn, and when all have had theirs, again under a seed that no sample of before had. */
function askedOf (number: number, paperIds: readonly string[]) {
  const turns = Math.floor(paperIds.length / papersOfWalk)
  const from = (number % turns) * papersOfWalk
  return { paperIds: paperIds.slice(from, from + papersOfWalk), seed: 1 + 1_000 * Math.floor(number / turns) }
}

async function undisturbed (
  dir: string, count: number
): Promise<{ same: Map<number, Walked>, calm: Repeats }> {
  const server = await startModel({ ...model, latencyMs: 0, faultShare: 0 })
  const suite = await startSuite({ dir, modelUrl: server.url, slots })
  try {
    const url = await suite.ready
    const paperIds = await parsedPapers(url, papers)
    const ended = new Map<number, Walked>()
    let next = 0
    await Promise.all(Array.from({ length: walksAtOnce }, async () => {
      for (let number = next++; number < count; number = next++) {
        ended.set(number, await walk(api(url), askedOf(number, paperIds), () => {
          throw new Error(`Walk ${number} failed although nobody disturbed it`)
        }))
      }
    }))
    return { same: ended, calm: repeatsOf(await server.ledger(), []) }
  } finally {
    await suite.stop()
    await server.stop()
  }
}

interface Accounted { lost: number, doubled: number, items: number }

/** Items and reviewed items, against those of the undisturbed run. */
function accounted (ended: Map<number, Walked>, same: Map<number, Walked>): Accounted {
  const sum = { lost: 0, doubled: 0, items: 0 }
  for (const [number, found] of ended) {
    for (const ids of ['itemIds', 'reviewedIds'] as const) {
      const seen = new Set(found[ids])
      sum.doubled += found[ids].length - seen.size
      sum.lost += (same.get(number)?.[ids] ?? []).filter(id => !seen.has(id)).length
    }
    sum.items += found.itemIds.length
  }
  return sum
}
