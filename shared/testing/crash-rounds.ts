/** Lets real worker processes live on one data folder, one after another, and kills each. */
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { startBare, type BareProcess } from './bare-process.ts'
import { auditCrashes, type CrashReport, type CrashSummary } from './crash-ledger.ts'
import { seededRandom, type Random } from './random.ts'

const source = fileURLToPath(new URL('crash-worker.ts', import.meta.url))
/** Here and not in a temporary folder, where it would not find the packages it imports. */
const cache = fileURLToPath(new URL('../../node_modules/.cache', import.meta.url))

/** Where processes die; the parent kills `random` ones, whatever they are doing. */
export const crashPoints = [
  'before-call', 'after-call', 'after-write', 'before-ack', 'random', 'opened', 'planned',
  'before-settle'
] as const

/** How often a life passes a point at least, so that it is sure to die there. */
const passes: Record<string, number> = { opened: 1, planned: 1, 'before-settle': 1 }
const passesOfCall = 12

/**
 * @param onLife told of each life when it has ended
 * @throws Error when the last life, which nobody kills, does not report
 */
export async function runCrashRounds (
  rounds: number, seed: number, onLife: (life: number, point: string) => void = () => {}
): Promise<CrashSummary> {
  const random = seededRandom(seed)
  const dir = await mkdtemp(join(tmpdir(), 'viva-crash-'))
  await mkdir(cache, { recursive: true })
  const bundle = await mkdtemp(join(cache, 'viva-crash-'))
  try {
    const script = await compile(bundle)
    let killed = 0
    for (let life = 0; life < rounds; life++) {
      const point = crashPoints[life % crashPoints.length] as string
      if (await live({ script, dir, life, point, random }) === 'SIGKILL') killed += 1
      onLife(life, point)
    }
    const reports = JSON.parse(await lastLife({ script, dir, life: rounds })) as CrashReport[]
    const journal = await readFile(join(dir, 'journal.txt'), 'utf8')
    const summary = auditCrashes(journal, { reports, lives: rounds })
    if (killed < rounds) summary.wrong.push(`Only ${killed} of ${rounds} lives were ended by SIGKILL`)
    return summary
  } finally {
    for (const folder of [dir, bundle]) await rm(folder, { recursive: true, force: true })
  }
}

/** Once for all lives: compiling at each start would take most of their time. */
async function compile (folder: string): Promise<string> {
  const outfile = join(folder, 'crash-worker.mjs')
  await build({
    entryPoints: [source],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    logLevel: 'warning'
  })
  return outfile
}

interface Place { script: string, dir: string, life: number }
interface Life extends Place { point: string, random: Random }

function start ({ script, dir, life }: Place, death: readonly string[]): BareProcess {
  return startBare([script, dir, String(life), ...death])
}

async function live ({ point, random, ...place }: Life): Promise<NodeJS.Signals | null> {
  const nth = random.whole(1, passes[point] ?? passesOfCall)
  const child = start(place, [point, String(nth)])
  const exit = once(child, 'exit')
  if (point === 'random') {
    const delayMs = random.whole(0, 60)
    child.stdout.once('data', () => { setTimeout(() => { child.kill('SIGKILL') }, delayMs) })
  }
  const [, signal] = await exit as [number | null, NodeJS.Signals | null]
  return signal
}

async function lastLife (place: Place): Promise<string> {
  const child = start(place, ['none'])
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => { output += text })
  const [code] = await once(child, 'close') as [number | null]
  if (code !== 0) throw new Error(`The last life ended with ${code}`)
  return output
}
