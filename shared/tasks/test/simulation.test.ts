import t from 'tap'
import type { Collection, Doc, Store } from '../../store/store.ts'
import { Problem } from '../../errors/problem.ts'
import type { Sabotage } from '../../testing/task-cluster.ts'
import { runHistory, type History } from '../../testing/task-history.ts'

const seeds = process.env.VIVA_SIM_SEED === undefined
  ? Array.from({ length: 1_000 }, (_, seed) => seed)
  : [Number(process.env.VIVA_SIM_SEED)]

t.test('work survives whatever happens to workers, store and bus', async t => {
  const histories: History[] = []
  for (const seed of seeds) {
    const history = await runHistory(seed)
    histories.push(history)
    if (history.violations.length === 0) continue
    t.fail(`History ${seed} went wrong; VIVA_SIM_SEED=${seed} repeats it alone`, { violations: history.violations })
  }
  const sum = (key: keyof History['tally']): number =>
    histories.reduce((total, { tally }) => total + tally[key], 0)
  t.equal(histories.length, seeds.length)
  if (seeds.length === 1) return
  t.comment(`${sum('jobs')} jobs, ${sum('tasks')} tasks, ${sum('kills')} kills, ${sum('pauses')} pauses, ${sum('lost')} attempts lost`)
  t.ok(sum('kills') > 2_000, 'processes were killed')
  t.ok(sum('pauses') > 500 && sum('stops') > 200, 'processes were paused and stopped')
  t.ok(sum('lost') > 2_000, 'attempts were lost and taken over')
  t.ok(sum('done') > 8_000 && sum('dead') > 500, 'most tasks ended well, some as dead letters')
})

t.test('the same seed is the same history', async t => {
  t.same(await runHistory(77), await runHistory(77))
})

/** What each kind of broken worker does wrong, and the seed that told. */
const sabotages: Record<string, Sabotage> = {
  'closes the claim before the result is written': {
    kind: kind => ({
      ...kind,
      async perform (task, job, signal) {
        void kind.perform(task, job, signal).catch(() => {})
      }
    })
  },
  'steals without waiting for the lease': { worker: { leaseMs: 0 } },
  'takes every other process for dead': {
    worker: { identity: { process: 'p', incarnation: 'i', isGone: () => true } }
  },
  'never beats': { worker: { heartbeatMs: 1e9 } },
  'never sweeps': { worker: { sweepMs: 1e9 } },
  'claims what is claimed already': { store: onCollection('claims', claims => ({
    ...claims,
    async insert (doc) {
      if (await claims.insert(doc)) return true
      await claims.delete(doc._id)
      return await claims.insert(doc)
    }
  })) },
  'closes claims it does not hold any more': { store: onCollection('claims', claims => ({
    ...claims,
    update: async (id, _guard, update) => await claims.update(id, {}, update)
  })) },
  'settles a job whatever has happened since it looked': { store: onCollection('jobs-duty', jobs => ({
    ...jobs,
    update: async (id, _guard, update) => await jobs.update(id, {}, update)
  })) },
  'acknowledges a job that it has not stored': { store: onCollection('jobs-duty', jobs => ({
    ...jobs,
    insert: async doc => await jobs.insert(doc).catch(() => true)
  })) },
  'takes a failed read for an empty one': { store: onCollection('tasks', tasks => ({
    ...tasks,
    findMany: async (filter, options) => await tasks.findMany(filter, options).catch(() => [])
  })) },
  'tries what cannot succeed for ever': {
    kind: kind => ({
      ...kind,
      perform: async (task, job, signal) => {
        await kind.perform(task, job, signal)
        throw new Problem('internal', 'Done, and says it is not.')
      }
    })
  }
}

function onCollection (
  wanted: string, wrap: (collection: Collection<Doc>) => Collection<Doc>
): (store: Store) => Store {
  return store => ({
    ...store,
    async collection<T extends Doc> (name: string) {
      const collection = await store.collection<T>(name)
      // Wrapped the same whatever the documents are.
      return name === wanted ? wrap(collection as never) as never : collection
    }
  })
}

t.test('a history tells when a worker', async t => {
  if (process.env.VIVA_SIM_SEED !== undefined) return
  for (const [wrong, sabotage] of Object.entries(sabotages)) {
    let told: string | undefined
    let seed = 0
    for (; seed < 100 && told === undefined; seed++) told = (await runHistory(seed, sabotage)).violations[0]
    t.ok(told, `${wrong} (within ${seed}: ${told})`)
  }
})
