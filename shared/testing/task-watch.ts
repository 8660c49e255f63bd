/** Watches every change of the store for what must never happen, in any history. */
import type { Doc } from '../store/store.ts'
import { openTaskStates, type Claim, type JobDoc } from '../tasks/records.ts'
import type { Task } from '../tasks/tasks.ts'
import type { Change } from './faulty-store.ts'
import type { SimulatedNode } from './virtual-time.ts'

const lossesMax = 5

export interface Watch {
  see: (change: Change) => void
  /** Claims ever made for a task, and how many of them were lost. */
  claimsOf: (taskId: string) => { made: number, lost: number }
  violations: string[]
}

export interface WatchOptions {
  now: () => number
  documents: Map<string, Map<string, Doc>>
  leaseMs: number
  /** The fastest clock among the nodes, relative to true time. */
  rateMax: number
  /** No call of the store fails or comes late. */
  storeIsSound: boolean
}

interface Beat { node: SimulatedNode, changedAt: number }

export function createWatch (options: WatchOptions): Watch {
  const { now, documents } = options
  const beats = new Map<string, Beat>()
  const counts = new Map<string, { made: number, lost: number }>()
  const violations: string[] = []

  function demand (holds: boolean, what: string): void {
    if (!holds) violations.push(`${Math.round(now())} ms: ${what}`)
  }

  function seeClaim (node: SimulatedNode, before: Claim | undefined, after: Claim): void {
    const [taskId = ''] = after._id.split('#')
    const count = counts.get(taskId) ?? { made: 0, lost: 0 }
    counts.set(taskId, count)
    if (before === undefined) {
      count.made += 1
      demand(openClaims(taskId) === 1, `${taskId} is claimed twice at once`)
    } else {
      demand(before.state === 'open', `${after._id} changes from ${before.state} to ${after.state}`)
      demand(before.holder === after.holder, `${after._id} changes hands`)
    }
    if (before === undefined || before.beat !== after.beat) {
      beats.set(after._id, { node, changedAt: now() })
    }
    if (after.state === 'lost') {
      count.lost += 1
      seeLoss(after)
    }
    if (after.state === 'done') seeDone(taskId, after)
  }

  function openClaims (taskId: string): number {
    return [...documents.get('claims')?.values() ?? []]
      .filter(({ _id }) => _id.startsWith(`${taskId}#`))
      .filter(claim => (claim as Claim).state === 'open').length
  }

  function seeLoss ({ _id }: Claim): void {
    const { node, changedAt } = beats.get(_id) as Beat
    if (!node.isAlive()) return
    const silentMs = now() - changedAt
    demand(silentMs >= options.leaseMs / options.rateMax, `${_id} is taken from a live worker after ${silentMs} ms`)
    const awake = node.awakeSince()
    const unhindered = options.storeIsSound && awake !== undefined && awake <= changedAt
    demand(!unhindered, `${_id} is taken from a worker that could beat`)
  }

  function seeDone (taskId: string, { _id }: Claim): void {
    const task = documents.get('tasks')?.get(taskId) as Task | undefined
    if (task?.stage !== 'work') return
    const results = [...documents.get('results')?.values() ?? []] as Array<Doc & { taskId: string }>
    const written = results.filter(result => result.taskId === taskId).length
    demand(written === 1, `${_id} is closed as done with ${written} results`)
  }

  const { seeTask, seeJob } = watchStates(documents, demand)

  return {
    violations,
    claimsOf: taskId => counts.get(taskId) ?? { made: 0, lost: 0 },
    see ({ collection, node, before, after }) {
      if (after === undefined) return
      if (collection === 'claims') seeClaim(node, before as Claim | undefined, after as Claim)
      if (collection === 'tasks') seeTask(after as Task)
      if (collection === 'jobs-duty') seeJob(before as JobDoc | undefined, after as JobDoc)
    }
  }
}

/** What tasks and jobs may say of themselves, given their claims and each other. */
function watchStates (documents: WatchOptions['documents'], demand: (holds: boolean, what: string) => void) {
  function seeTask (after: Task): void {
    const { _id, state, attempt, failures, attemptsMax, losses } = after
    demand(failures <= attemptsMax && losses <= lossesMax, `${_id} is tried too often`)
    const claim = documents.get('claims')?.get(`${_id}#${attempt}`) as Claim | undefined
    if (state === 'done') demand(claim?.state === 'done', `${_id} is done and its claim ${claim?.state}`)
    const job = documents.get('jobs-duty')?.get(after.jobId) as JobDoc | undefined
    const isLeaving = job === undefined || job.phase === 'deleting'
    if (state === 'running' && !isLeaving) demand(claim !== undefined, `${_id} runs without a claim`)
  }

  function seeJob (before: JobDoc | undefined, after: JobDoc): void {
    if (before === undefined || before.phase === after.phase) return
    if (after.phase !== 'settled' && after.phase !== 'finishing') return
    const tasks = [...documents.get('tasks')?.values() ?? []] as Task[]
    const open = tasks.filter(({ jobId, stage, state }) =>
      jobId === after._id && stage !== 'finish' && openTaskStates.includes(state))
    demand(open.length === 0, `${after._id} is ${after.phase} with ${open.length} open tasks`)
  }

  return { seeTask, seeJob }
}
