/** What must hold at the end of a history, when all is quiet. */
import type { JobView } from '../contracts/job.ts'
import type { Doc } from '../store/store.ts'
import type { JobDoc } from '../tasks/records.ts'
import type { Task } from '../tasks/tasks.ts'
import { resultValue, type Duty, type Journal, type JobSpec, type Result } from './task-duties.ts'
import type { Watch } from './task-watch.ts'

/** What the client asked for, and was told to be so. */
export interface Order {
  id: string
  spec: JobSpec
  opened: boolean
  cancelled: boolean
  retried: number
  deleted: boolean
}

export interface Books {
  orders: readonly Order[]
  documents: Map<string, Map<string, Doc>>
  views: Map<string, JobView>
  journal: Journal
  watch: Watch
}

/** @returns what is wrong, in words; nothing when all is right */
export function audit (books: Books): string[] {
  return books.orders.flatMap(order => {
    const wrong = order.deleted ? auditDeleted(books, order) : auditJob(books, order)
    return wrong.map(what => `${order.id}: ${what}`)
  })
}

function tasksOf ({ documents }: Books, jobId: string): Task[] {
  const tasks = [...documents.get('tasks')?.values() ?? []] as Task[]
  return tasks.filter(task => task.jobId === jobId)
}

function auditDeleted (books: Books, { id }: Order): string[] {
  const left = tasksOf(books, id).length
  const job = books.documents.get('jobs-duty')?.get(id)
  return job === undefined && left === 0 ? [] : [`deleted, but ${left} tasks and a job are left`]
}

function auditJob (books: Books, order: Order): string[] {
  const job = books.documents.get('jobs-duty')?.get(order.id) as JobDoc | undefined
  if (job === undefined) return order.opened ? ['acknowledged and lost'] : []
  if (job.phase !== 'settled') return [`still ${job.phase}`]
  const tasks = tasksOf(books, order.id)
  const work = tasks.filter(({ stage }) => stage === 'work') as Array<Task<Duty>>
  return [
    ...tasks.flatMap(task => auditTask(books, task)),
    ...work.flatMap(task => auditResult(books, task)),
    ...auditPlan(order, { job, tasks, work }),
    ...auditView(books, { job, tasks, work })
  ]
}

interface Work { job: JobDoc, tasks: Task[], work: Array<Task<Duty>> }

function auditTask ({ watch, journal }: Books, task: Task): string[] {
  const { made, lost } = watch.claimsOf(task._id)
  const calls = journal.calls.get(task._id) ?? 0
  const wrong: string[] = []
  if (calls > made) wrong.push(`${task._id} was performed ${calls} times with ${made} claims`)
  if (task.state === 'queued' || task.state === 'running') wrong.push(`${task._id} is ${task.state}`)
  if (task.state === 'dead' && task.problem === null) wrong.push(`${task._id} is dead without a problem`)
  if (task.state === 'dead' && task.stage === 'work') {
    const throws = journal.throws.get(task._id) ?? 0
    const { conduct } = task.input as Duty
    if (conduct !== 'bad' && throws < task.attemptsMax && lost < 5) {
      wrong.push(`${task._id} (${conduct}) is dead after ${throws} throws and ${lost} losses`)
    }
  }
  return wrong
}

function auditResult ({ documents }: Books, task: Task<Duty>): string[] {
  const results = [...documents.get('results')?.values() ?? []] as Result[]
  const own = results.filter(({ taskId }) => taskId === task._id)
  const right = own.every(({ value }) => value === resultValue(task.input.key, task.jobId))
  if (!right || own.length > 1) return [`${task._id} has ${own.length} results, right: ${right}`]
  // A result may be there although its claim was never closed as done: then the task is dead.
  return task.state === 'done' && own.length === 0 ? [`${task._id} is done without a result`] : []
}

function auditPlan ({ spec, cancelled }: Order, { work, tasks }: Work): string[] {
  const plan = tasks.find(({ stage }) => stage === 'plan')
  if (plan === undefined) return ['settled without a plan']
  // Dead after it had written all, or before; the job shows it as failed either way.
  if (plan.state === 'dead') return []
  if (plan.state === 'cancelled') return cancelled ? [] : ['its plan was cancelled by nobody']
  const planned = spec.duties.length
  return work.length === planned ? [] : [`${work.length} of ${planned} tasks`]
}

function auditView ({ views, journal }: Books, { job, tasks, work }: Work): string[] {
  const view = views.get(job._id)
  if (view === undefined) return ['no view']
  const count = (state: string): number => work.filter(task => task.state === state).length
  const dead = tasks.filter(({ state }) => state === 'dead')
  const wrong: string[] = []
  const { done, total, failed } = view.progress
  if (done !== count('done') || failed !== count('dead') || total !== work.length) {
    wrong.push(`shows ${JSON.stringify(view.progress)} for ${work.length} tasks`)
  }
  // Equal ones are shown once, with their number.
  const shown = view.problems.reduce((sum, { count = 1 }) => sum + count, 0)
  if (shown !== dead.length) wrong.push(`shows ${shown} problems of ${dead.length} dead tasks`)
  const expected = job.cancelled ? 'cancelled' : dead.length > 0 ? 'failed' : 'succeeded'
  if (view.state !== expected) wrong.push(`is ${view.state}, not ${expected}`)
  if (expected === 'succeeded' && !journal.finishes.includes(job._id)) wrong.push('never finished')
  return wrong
}
