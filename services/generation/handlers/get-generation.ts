/** Generations as they stand, always counted anew from the store. */
import type { Generation } from '../../../shared/contracts/generation.ts'
import { jobReader, type JobReader } from '../../../shared/tasks/job-reader.ts'
import type { GenerationSpec, Parts } from './parts.ts'

export function generationReader ({ jobs, store }: Pick<Parts, 'jobs' | 'store'>): JobReader<GenerationSpec, Generation> {
  return jobReader({
    name: 'generation',
    jobs,
    async viewOf ({ _id, spec }) {
      // The state first: a generation seen as ended then has all its items counted.
      const view = await jobs.view(_id)
      const [itemCount, rejectionCount] = await Promise.all([
        store.countItems(_id), store.countRejections(_id)
      ])
      const hasEnded = view.state !== 'queued' && view.state !== 'running'
      const outcome = spec.recipe.strategy === 'model'
        ? { outcome: hasEnded ? await store.findOutcome(_id) : null }
        : {}
      const heldBack = view.state === 'failed' ? await store.listHeldBack(_id) : []
      const held = heldBack.length > 0 ? { heldBack: heldBack.map(index => spec.paperIds[index] ?? '') } : {}
      return { id: _id, ...spec, itemCount, rejectionCount, ...held, ...outcome, ...view }
    }
  })
}
