/** Workers broken on purpose: a history that does not tell them from a right one proves nothing. */
import { Problem } from '../errors/problem.ts'
import type { Collection, Doc, Store } from '../store/store.ts'
import type { Sabotage } from './task-cluster.ts'

/** By what the broken worker does wrong. */
export const sabotages: Record<string, Sabotage> = {
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
    isGone: () => true
  },
  'never beats': { worker: { heartbeatMs: 1e9 } },
  'never sweeps': { worker: { sweepMs: 1e9 } },
  'claims what is claimed already': {
    store: onCollection('claims', claims => ({
      ...claims,
      async insert (doc) {
        if (await claims.insert(doc)) return true
        await claims.delete(doc._id)
        return await claims.insert(doc)
      }
    }))
  },
  'closes claims it does not hold any more': {
    store: onCollection('claims', claims => ({
      ...claims,
      update: async (id, _guard, update) => await claims.update(id, {}, update)
    }))
  },
  'acknowledges a job that it has not stored': {
    store: onCollection('jobs-duty', jobs => ({
      ...jobs,
      insert: async doc => await jobs.insert(doc).catch(() => true)
    }))
  },
  'takes a failed read for an empty one': {
    store: onCollection('tasks', tasks => ({
      ...tasks,
      findMany: async (filter, options) => await tasks.findMany(filter, options).catch(() => [])
    }))
  },
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
