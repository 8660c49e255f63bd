/** Tasks that nobody will try again unless told to, of all kinds. */
import { problemBody } from '../errors/problem-body.ts'
import { Problem } from '../errors/problem.ts'
import type { Core } from './core.ts'
import { retryTasks } from './retry.ts'
import { stages } from './records.ts'
import type { DeadLetter, Task } from './tasks.ts'

const listMax = 10_000

export async function listDeadLetters (
  core: Core, { after, limit }: { after?: string, limit: number }
): Promise<DeadLetter[]> {
  const rest = after === undefined ? {} : { _id: { $gt: after } }
  const options = { sort: { _id: 1 }, limit: Math.min(limit, listMax) } as const
  // By kind and stage, as the index has them; together they hold at least the first `limit`.
  const found: Task[] = []
  for (const kind of core.kinds.keys()) {
    for (const stage of stages) {
      found.push(...await core.tasks.findMany({ kind, state: 'dead', stage, ...rest }, options))
    }
  }
  const tasks = found.sort((a, b) => a._id < b._id ? -1 : 1).slice(0, options.limit)
  return tasks.map(({ _id, kind, jobId, attempt, problem }) =>
    ({ id: _id, kind, jobId, attempts: attempt, problem: problem ?? unknownProblem() }))
}

function unknownProblem () {
  return problemBody(new Problem('internal', 'Why this task is dead was not recorded; see the log.'))
}

export async function retryDeadLetter (core: Core, id: string): Promise<void> {
  const task = await core.tasks.find(id)
  const parts = task?.state === 'dead' ? core.kinds.get(task.kind) : undefined
  if (task === undefined || parts === undefined || !await retryTasks(core, parts, task)) {
    throw new Problem('dead-letter-not-found', `There is no dead letter ${id}.`)
  }
}
