/** Lets real worker processes live on one data folder, one after another, and kills each of them. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { auditCrashes, type CrashReport, type CrashSummary } from './crash-ledger.ts'
import { seededRandom, type Random } from './random.ts'

const script = fileURLToPath(new URL('crash-worker.ts', import.meta.url))

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
  try {
    let killed = 0
    for (let life = 0; life < rounds; life++) {
      const point = crashPoints[life % crashPoints.length] as string
      if (await live({ dir, life, point, random }) === 'SIGKILL') killed += 1
      onLife(life, point)
    }
    const reports = JSON.parse(await lastLife(dir, rounds)) as CrashReport[]
    const journal = await readFile(join(dir, 'journal.txt'), 'utf8')
    const summary = auditCrashes(journal, { reports, lives: rounds })
    if (killed < rounds) summary.wrong.push(`Only ${killed} of ${rounds} lives were ended by SIGKILL`)
    return summary
  } finally {
    await rm(dir, { recursive: true, force: true })
  }
}

interface Life { dir: string, life: number, point: string, random: Random }

function start (dir: string, life: number, death: readonly string[]) {
  // Without a test framework's hooks.
  const { NODE_OPTIONS: _hooks, ...env } = process.env
  const args = ['--import', 'tsx', script, dir, String(life), ...death]
  return spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] })
}

async function live ({ dir, life, point, random }: Life): Promise<NodeJS.Signals | null> {
  const nth = random.whole(1, passes[point] ?? passesOfCall)
  const child = start(dir, life, [point, String(nth)])
  const exit = once(child, 'exit')
  if (point === 'random') {
    const delayMs = random.whole(0, 60)
    child.stdout.once('data', () => { setTimeout(() => { child.kill('SIGKILL') }, delayMs) })
  }
  const [, signal] = await exit as [number | null, NodeJS.Signals | null]
  return signal
}

async function lastLife (dir: string, life: number): Promise<string> {
  const child = start(dir, life, ['none'])
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => { output += text })
  const [code] = await once(child, 'close') as [number | null]
  if (code !== 0) throw new Error(`The last life ended with ${code}`)
  return output
}
