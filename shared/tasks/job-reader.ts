/** Long work as its service shows it: found, listed, waited for, cancelled, retried. */
import { isId, type IdKind } from '../contracts/hash.ts'
import type { JobState, JobView } from '../contracts/job.ts'
import type { Page, PageRequest } from '../contracts/page.ts'
import { Problem } from '../errors/problem.ts'
import type { Filter } from '../store/store.ts'
import type { JobRecord, Jobs } from './tasks.ts'

export type LongWork = Extract<IdKind,
  'paper' | 'generation' | 'bankImport' | 'curation' | 'reviewing' | 'run' | 'partialInputBaseline' | 'judgement'>

/** As paths and problems write it. */
export const writtenName = {
  paper: 'paper',
  generation: 'generation',
  bankImport: 'import',
  curation: 'curation',
  reviewing: 'reviewing',
  run: 'run',
  partialInputBaseline: 'partial-input-baseline',
  judgement: 'judgement'
} as const satisfies Record<LongWork, string>

/** Of jobs, what is asked here. */
export type ReadJobs<J> = Omit<Jobs<J>, 'open' | 'admit' | 'delete' | 'deadInputs'>

export interface ReaderOptions<J, V extends JobView> {
  name: LongWork
  jobs: ReadJobs<J>
  /** What is shown of a job, state and progress included. */
  viewOf: (job: JobRecord<J>) => Promise<V>
  /** Throws the Problem of an id that is more than unknown, for example deleted. */
  mustBe?: (id: string) => Promise<unknown>
}

/** `where`: by paths of the kind's `listedBy`. */
export interface JobsWanted { where?: Filter, state?: JobState }

/** The phases of a state, which is counted from the tasks: of these, some are in it. */
const phasesOf: Record<JobState, Filter> = {
  queued: { phase: { $in: ['planning', 'retrying', 'working'] } },
  running: { phase: { $in: ['working', 'finishing'] } },
  succeeded: { phase: 'settled', cancelled: false },
  failed: { phase: 'settled', cancelled: false },
  cancelled: { phase: 'settled', cancelled: true }
}
/** Jobs whose tasks are counted for one page. */
const lookedAtMax = 400

export interface JobReader<J, V> {
  /** @throws Problem `<name>-not-found` */
  job: (id: string) => Promise<JobRecord<J>>
  /** @param waitSeconds how long to wait for its end, 0 to 60 */
  get: (id: string, waitSeconds?: number) => Promise<V>
  /** In ascending id. Where a state is asked for, a page may have fewer than its limit before the last. */
  list: (asked: PageRequest & JobsWanted) => Promise<Page<V>>
  /** What was made stays; nothing for a job that has ended, unless it holds something back. */
  cancel: (id: string) => Promise<V>
  /** Does again what failed or was cancelled. @throws Problem conflict when there is nothing */
  retry: (id: string) => Promise<V>
}

export function jobReader<J, V extends JobView> (options: ReaderOptions<J, V>): JobReader<J, V> {
  const { name, jobs, viewOf, mustBe } = options
  const written = writtenName[name]

  async function job (id: string): Promise<JobRecord<J>> {
    await mustBe?.(id)
    const found = await jobs.find(id)
    if (found !== undefined) return found
    throw new Problem(`${written}-not-found`, `There is no ${written} ${id}; GET /v1/${written}s lists those there are.`)
  }

  async function get (id: string, waitSeconds = 0): Promise<V> {
    const found = await job(id)
    if (waitSeconds > 0) await jobs.wait(id, waitSeconds * 1000)
    return await viewOf(found)
  }

  return {
    job,
    get,
    async list ({ cursor, limit, where, state }) {
      if (cursor !== undefined && !isId(name, cursor)) {
        throw new Problem('invalid-cursor', 'Pass nextCursor of the page before, unchanged, or leave the cursor out.')
      }
      const wanted = { ...where, ...state !== undefined && phasesOf[state] }
      const items: V[] = []
      let after = cursor
      for (let lookedAt = 0; ;) {
        const some = limit - items.length
        const found = await jobs.list({ limit: some + 1, where: wanted, ...after !== undefined && { after } })
        const shown = found.slice(0, some)
        const views = await Promise.all(shown.map(async each => await viewOf(each).catch(undefinedWhenGone)))
        const fits = (view: V) => state === undefined || view.state === state
        items.push(...views.filter(view => view !== undefined).filter(fits))
        if (found.length <= some) return { items, nextCursor: null }
        after = shown.at(-1)!._id
        lookedAt += shown.length
        const enough = state === undefined || items.length === limit || lookedAt >= lookedAtMax
        if (enough) return { items, nextCursor: after }
      }
    },
    async cancel (id) {
      await job(id)
      await jobs.cancel(id)
      return await get(id)
    },
    async retry (id) {
      await job(id)
      if (await jobs.retry(id) === 0) {
        const { state } = await jobs.view(id)
        throw new Problem('conflict', `The ${written} ${id} is ${state}: there is nothing to do again.`)
      }
      return await get(id)
    }
  }
}

/** Deleted since the jobs were read: it is not listed. */
function undefinedWhenGone (cause: unknown): undefined {
  if (cause instanceof Problem && ['paper-deleted', 'not-found'].includes(cause.kind)) return undefined
  throw cause
}
