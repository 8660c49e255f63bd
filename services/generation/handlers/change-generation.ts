/** Stops a generation, or has done again what failed. */
import type { Generation } from '../../../shared/contracts/generation.ts'
import { Problem } from '../../../shared/errors/problem.ts'
import { getGeneration, getJob } from './get-generation.ts'
import type { Parts } from './parts.ts'

/** What was made stays; a generation that has ended stays as it is. */
export async function cancelGeneration (parts: Parts, generationId: string): Promise<Generation> {
  await getJob(parts, generationId)
  await parts.jobs.cancel(generationId)
  return await getGeneration(parts, generationId)
}

/** @throws Problem conflict when nothing failed */
export async function retryGeneration (parts: Parts, generationId: string): Promise<Generation> {
  await getJob(parts, generationId)
  if (await parts.jobs.retry(generationId) === 0) {
    const { state } = await parts.jobs.view(generationId)
    throw new Problem('conflict', `Generation ${generationId} is ${state}: there is nothing to do again.`)
  }
  return await getGeneration(parts, generationId)
}
