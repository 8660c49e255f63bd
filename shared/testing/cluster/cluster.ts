/**
 * Viva as many processes, for tests: replicas of each service and the front door, each a process of
 * its own that can be killed, paused, started again, and put on another host.
 */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { serviceNames, type ServiceName } from '../../app/service.ts'
import { bundledPrograms } from './bundle.ts'
import { startServed, type Program, type ServedProcess } from './served-process.ts'

/** Where and how a process runs; by default on loopback, as every other. */
export interface Place {
  /** Its address. */
  host?: string
  prefix?: readonly string[]
  nodeArguments?: readonly string[]
  env?: Record<string, string>
}

export interface ClusterOptions {
  /** Data and logs; replicas of a service share their store and their blobs. */
  dir: string
  /** Default: one of each. */
  replicas?: Partial<Record<ServiceName, number>>
  /** Of every process. */
  env?: Record<string, string>
  /** By name: `parsing-1`, `scoring-2`, `door`. */
  placeOf?: (name: string) => Place
}

export interface Cluster {
  /** Of the front door. */
  url: string
  /** In the order of their start: `parsing-1` … `scoring-2`, `door`. */
  names: readonly string[]
  urlOf: (name: string) => string
  /** Undefined while it does not run. */
  pidOf: (name: string) => number | undefined
  logOf: (name: string) => string
  /** SIGKILL; resolves when it has ended. */
  kill: (name: string) => Promise<void>
  /** Again at the same address; kills it first where it still runs. */
  restart: (name: string) => Promise<void>
  /** SIGSTOP: it stands still, its connections stay open. */
  pause: (name: string) => void
  resume: (name: string) => void
  /** SIGTERM to all. @throws Error naming those that did not end well by themselves */
  stop: () => Promise<void>
}

type Role = ServiceName | 'door'
interface Member {
  name: string
  service: Role
  /** 0 at first; then the one it got. */
  port: string
  program: Fixed
  process?: ServedProcess
}

/** Each after those it asks, whose addresses it must be told. */
const waves: ReadonlyArray<readonly Role[]> =
  [['parsing', 'inference'], ['generation'], ['reviewing'], ['scoring'], ['door']]
const stopTimeoutMs = 30_000

export async function startCluster (options: ClusterOptions): Promise<Cluster> {
  const { dir, replicas = {} } = options
  await mkdir(join(dir, 'logs'), { recursive: true })
  const members: Member[] = []
  try {
    for (const wave of waves) {
      const addresses = addressesOf(members)
      const begun = wave.flatMap(service => membersOf(service, replicas).map(name => ({
        name, service, port: '0', program: programOf(options, { name, addresses })
      })))
      members.push(...begun)
      const ends = await Promise.allSettled(begun.map(start))
      const failed = ends.find(end => end.status === 'rejected')
      if (failed !== undefined) throw failed.reason
    }
  } catch (cause) {
    await Promise.all(members.map(kill))
    throw cause
  }

  const get = (name: string): Member => {
    const member = members.find(each => each.name === name)
    if (member === undefined) throw new RangeError(`${name} is none of ${members.map(({ name }) => name).join(', ')}`)
    return member
  }
  return {
    url: get('door').process?.url ?? '',
    names: members.map(({ name }) => name),
    urlOf: name => get(name).process?.url ?? '',
    pidOf: name => get(name).process?.running() === true ? get(name).process?.pid : undefined,
    logOf: name => get(name).program.logFile,
    kill: async name => { await kill(get(name)) },
    async restart (name) {
      await kill(get(name))
      await start(get(name))
    },
    pause: name => { get(name).process?.signal('SIGSTOP') },
    resume: name => { get(name).process?.signal('SIGCONT') },
    stop: async () => { await stopAll(members) }
  }
}

function membersOf (service: Role, replicas: Partial<Record<Role, number>>): string[] {
  return service === 'door'
    ? [service]
    : Array.from({ length: replicas[service] ?? 1 }, (_, at) => `${service}-${at + 1}`)
}

/** PARSING_URL and its like, of all that run. */
function addressesOf (members: readonly Member[]): Record<string, string> {
  const of = (service: Role): string =>
    members.filter(each => each.service === service).map(({ process }) => process?.url).join(',')
  return Object.fromEntries(serviceNames.filter(service => of(service) !== '')
    .map(service => [`${service.toUpperCase()}_URL`, of(service)]))
}

interface Told { name: string, addresses: Record<string, string> }
type Fixed = Omit<Program, 'script'>

/** What a process is told at first, it is told again: others may be away when it is restarted. */
function programOf ({ dir, placeOf, env: common }: ClusterOptions, { name, addresses }: Told): Fixed {
  const { host, prefix = [], nodeArguments = [], env = {} } = placeOf?.(name) ?? {}
  return {
    logFile: join(dir, 'logs', `${name}.log`),
    prefix,
    nodeArguments,
    env: {
      ...bareEnv(),
      DATA_DIR: join(dir, 'data'),
      ...host !== undefined && { HOST: host, ALLOW_OPEN: '1' },
      ...addresses,
      ...common,
      ...env
    }
  }
}

async function start (member: Member): Promise<void> {
  const { name, service, port, program } = member
  const script = join(await bundledPrograms(), `${service}.mjs`)
  member.process = await startServed({ ...program, script, env: { ...program.env, PORT: port } })
    .catch((cause: Error) => { throw new Error(`${name}: ${cause.message}`, { cause }) })
  member.port = new URL(member.process.url).port
}

async function kill ({ process }: Member): Promise<void> {
  process?.signal('SIGKILL')
  await process?.ended
}

/** The door first, so that nobody is let in to find a service gone. */
async function stopAll (members: readonly Member[]): Promise<void> {
  const faults: string[] = []
  for (const { name, process } of [...members].reverse()) {
    if (process?.running() !== true) continue
    process.signal('SIGCONT')
    process.signal('SIGTERM')
    if (name === 'door') await endOf(process)
  }
  await Promise.all(members.map(async ({ name, process }) => {
    if (process === undefined) return
    const end = await endOf(process)
    // Who was killed by the test has ended as it should.
    if (end !== 0 && end !== 'SIGKILL') faults.push(`${name} ended with ${end}`)
    if (end === 'SIGKILL' && stuck.has(process)) faults.push(`${name} did not end within ${stopTimeoutMs / 1000} s`)
  }))
  if (faults.length > 0) throw new Error(faults.join('; '))
}

const stuck = new WeakSet<ServedProcess>()

async function endOf (process: ServedProcess): Promise<number | NodeJS.Signals> {
  const timer = setTimeout(() => { stuck.add(process); process.signal('SIGKILL') }, stopTimeoutMs)
  try { return await process.ended } finally { clearTimeout(timer) }
}

/** Without the hooks of a test framework, and without settings of whoever runs the tests. */
function bareEnv (): Record<string, string | undefined> {
  const kept = ['PATH', 'HOME', 'TMPDIR', 'TMP', 'TEMP', 'SystemRoot', 'LANG', 'TZ']
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => kept.includes(name)))
}
