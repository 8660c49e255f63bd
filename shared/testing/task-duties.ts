/** The work that simulated jobs consist of: tasks that succeed, dawdle, fail, hang and kill. */
import { Problem } from '../errors/problem.ts'
import { sha256 } from '../contracts/hash.ts'
import type { Collection, Doc } from '../store/store.ts'
import { pause, type Clock } from '../tasks/clock.ts'
import type { JobKind } from '../tasks/tasks.ts'
import type { Random } from './random.ts'

export const conducts = [
  'ok', 'long', 'busy-once', 'bug-once', 'patient', 'crash-once', 'busy', 'bad', 'poison'
] as const
type Conduct = (typeof conducts)[number]

export interface Duty { key: string, conduct: Conduct, ms: number }
export interface JobSpec { duties: Duty[], plan: 'ok' | 'busy-once' | 'bad' }

export interface Result extends Doc { taskId: string, value: string }

/** What truly happened, whatever the store says. */
export interface Journal {
  calls: Map<string, number>
  throws: Map<string, number>
  finishes: string[]
}

export interface Site {
  clock: Clock
  /** Kills the node that works here. */
  crash: () => void
  results: Collection<Result>
  journal: Journal
}

export function drawSpec (random: Random): JobSpec {
  const tame = random.chance(0.5)
  return {
    duties: Array.from({ length: random.whole(0, 8) }, (_, index) => ({
      key: `task-${index}`,
      conduct: tame ? 'ok' : drawConduct(random),
      ms: random.whole(0, 3_000)
    })),
    plan: random.pick(['ok', 'ok', 'ok', 'ok', 'busy-once', 'bad'])
  }
}

function drawConduct (random: Random): Conduct {
  // The last, which kill whole nodes, are rarer.
  const often = random.chance(0.85)
  return random.pick(often ? conducts.slice(0, 6) : conducts.slice(6))
}

export function resultValue (key: string, jobId: string): string {
  return sha256(`${jobId} ${key}`)
}

export function simulatedKind (site: Site): JobKind<JobSpec, Duty> {
  const { journal } = site
  return {
    name: 'duty',
    concurrency: 3,
    async plan ({ _id, spec }) {
      const call = countUp(journal.calls, `plan ${_id}`)
      if (spec.plan === 'bad') throw new Problem('paper-damaged', 'This plan never works.')
      if (spec.plan === 'busy-once' && call === 1) throw new Problem('service-unavailable', 'Busy.')
      return spec.duties.map(duty => ({ key: duty.key, input: duty }))
    },
    async perform (task, job, signal) {
      const call = countUp(journal.calls, task._id)
      try {
        await conductOf(site, { duty: task.input, call, signal })
      } catch (error) {
        countUp(journal.throws, task._id)
        throw error
      }
      const value = resultValue(task.input.key, job._id)
      try {
        await site.results.insert({ _id: `res_${value.slice(0, 32)}`, taskId: task._id, value })
      } catch (error) {
        countUp(journal.throws, task._id)
        throw error
      }
    },
    async finish (job) {
      journal.finishes.push(job._id)
    }
  }
}

async function conductOf (
  { clock, crash }: Site, { duty, call, signal }: { duty: Duty, call: number, signal: AbortSignal }
): Promise<void> {
  const { conduct, ms } = duty
  // A fifth of all calls end at once; the rest take their time.
  if (ms % 5 !== 0) await pause(clock, conduct === 'long' ? 7_000 + 2 * ms : ms)
  if (conduct === 'busy' || (conduct === 'busy-once' && call === 1)) {
    throw new Problem('upstream-unavailable', 'Busy.')
  }
  if (conduct === 'bug-once' && call === 1) throw new TypeError('A bug')
  if (conduct === 'bad') throw new Problem('paper-damaged', 'This never works.')
  if (conduct === 'poison' || (conduct === 'crash-once' && call === 1)) {
    crash()
    await new Promise<never>(() => {})
  }
  if (conduct === 'patient') {
    await pause(clock, 9_000)
    signal.throwIfAborted()
  }
}

function countUp (counts: Map<string, number>, key: string): number {
  const count = (counts.get(key) ?? 0) + 1
  counts.set(key, count)
  return count
}
