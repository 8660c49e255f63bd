/** Tasks that nobody will try again unless told to, of all kinds. */
import { problemBody } from '../errors/problem-body.ts'
import { Problem } from '../errors/problem.ts'
import type { Core } from './core.ts'
import { retryTasks } from './retry.ts'
import type { DeadLetter } from './tasks.ts'

const listMax = 10_000

export async function listDeadLetters (
  core: Core, { after, limit }: { after?: string, limit: number }
): Promise<DeadLetter[]> {
  const rest = after === undefined ? {} : { _id: { $gt: after } }
  const options = { sort: { _id: 1 }, limit: Math.min(limit, listMax) } as const
  const tasks = await core.tasks.findMany({ state: 'dead', ...rest }, options)
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
