/** A cluster at work, something that befalls it, and whether anything was lost or doubled thereby. */
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { startCluster, type Cluster, type Place } from '../../../shared/testing/cluster/cluster.ts'
import { fakeVllm } from '../../../shared/testing/fake-vllm.ts'
import type { Host, Hosts } from '../../../shared/testing/hosts.ts'
import { startNats, type NatsServer } from '../../../shared/testing/nats-server.ts'
import { audit } from './audit.ts'
import { startLoad } from './load.ts'
import { watchStalls, type Stalls } from './stalls.ts'

/** Replicas of whatever works in tasks; parsing and inference are one process each, as by a GPU. */
export const replicas = { generation: 2, reviewing: 2, scoring: 2 }
const model = 'fake-model'
const replyMs = 50
const walksAtOnce = 2
const hourMs = 3_600_000
const stallMaxMs = 10_000
/** Questions that one scoring process has with the model at once. */
const callsAtOnce = 8

const skewedClock = fileURLToPath(new URL('../../../shared/testing/skewed-clock.mjs', import.meta.url))

export interface World {
  cluster: Cluster
  nats: NatsServer
  stalls: Stalls
  /** Papers whose walk has ended. */
  walked: () => number
}

export interface Hardship {
  /** Path of nats-server. */
  natsServer: string
  /** Where the model server listens, and where NATS runs; by default on loopback, as all. */
  vllmHost?: string
  natsPlace?: { host: string, prefix: readonly string[] }
  placeOf?: (name: string) => Place
  strike: Strike
}

/** Resolves when it is over; answers how many faults there were. */
export type Strike = (world: World) => Promise<number>

export interface Survival {
  faults: number
  walks: number
  calls: number
  /** Calls beyond those of one process without faults: what the faults made to be asked again. */
  repeated: number
  /** Longest standstill of each service with open work, in ms, that no fault excuses; see Stalls.read. */
  stalls: Record<string, number>
  wrong: string[]
}

/** Replicas of a service disagree about the time by an hour, and from others by two. */
export function skewedPlaces (name: string): Place {
  const ahead = name.endsWith('-2') ? hourMs : -hourMs
  return { nodeArguments: ['--import', skewedClock], env: { CLOCK_SKEW_MS: String(ahead) } }
}

/** "Work resumes in 10 s": a line for each service that stood still for longer. */
export function tooLong (stalls: Record<string, number>): string[] {
  return Object.entries(stalls).filter(([, ms]) => ms > stallMaxMs)
    .map(([service, ms]) => `${service} stood still for ${ms} ms although it had work`)
}

/** The model's side and half of the replicas on the second host, all else on the first. */
export function onTwoHosts ({ here, hosts: [first, second] }: Hosts) {
  if (first === undefined || second === undefined) throw new RangeError('Two hosts are needed')
  const onSecond = ['inference-1', 'generation-2', 'reviewing-2', 'scoring-2']
  const placeOn = ({ address: host, prefix }: Host): Required<Pick<Place, 'host' | 'prefix'>> => ({ host, prefix })
  return {
    vllmHost: here,
    natsPlace: placeOn(first),
    placeOf: (name: string): Place => ({
      ...skewedPlaces(name), ...placeOn(onSecond.includes(name) ? second : first)
    })
  }
}

export async function surviveUnderLoad (hardship: Hardship): Promise<Survival> {
  const dir = await mkdtemp(join(tmpdir(), 'viva-faults-'))
  const scratch = join(dir, 'alone')
  await mkdir(scratch)
  const { vllmHost: host = '127.0.0.1', placeOf = skewedPlaces } = hardship
  const vllm = await fakeVllm({ models: [model], host, reply: () => 'Answer: Yes', behave: () => ({ slowMs: replyMs }) })
  const nats = await startNats(hardship.natsServer, join(dir, 'nats'), hardship.natsPlace)
  const upstreams = `lab=${vllm.url}`
  const env = { NATS_URL: nats.url, UPSTREAMS: upstreams, LOG_LEVEL: 'info', RATE_PER_MINUTE: '0' }
  const cluster = await startCluster({ dir, replicas, env, placeOf }).catch(async (cause: unknown) => {
    await nats.kill()
    await vllm.close()
    throw cause
  })
  const stalls = await watchStalls(join(dir, 'data'))
  try {
    const load = startLoad(cluster.url, { dir, width: walksAtOnce, model })
    // All services are at work by then.
    while (load.ended() === 0) await pause(50)
    const faults = await hardship.strike({ cluster, nats, stalls, walked: load.ended })
    const ended = await load.finish()
    await stalls.stop()
    await cluster.stop()
    const calls = vllm.journal.length
    const wrong = await audit(ended, { dir: join(dir, 'data'), scratch, upstreams, model })
    const repeated = calls - (vllm.journal.length - calls)
    if (repeated > faults * callsAtOnce) wrong.push(`${repeated} calls were repeated in ${faults} faults`)
    if (wrong.length === 0) await rm(dir, { recursive: true, force: true })
    else wrong.push(`logs and stores are in ${dir}`)
    return { faults, walks: ended.length, calls, repeated, stalls: stalls.read(), wrong }
  } finally {
    await stalls.stop()
    await cluster.stop().catch(() => {})
    await nats.kill()
    await vllm.close()
  }
}
