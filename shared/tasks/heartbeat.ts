/** Tells others that what runs here lives, and learns what should not run on. */
import { interrupt, type Core } from './core.ts'

/** One beat for everything that runs: all updates in one go, which the store commits together. */
export async function beat (core: Core): Promise<void> {
  const claimed = [...core.running.values()].filter(({ claimed }) => claimed)
  await Promise.all(claimed.map(async running => {
    const { claimId, holder } = running
    const alive = await core.claims.update(claimId, { holder, state: 'open' }, { $inc: { beat: 1 } })
    // Closed by ourselves meanwhile is no loss: then it runs no more.
    if (!alive && core.running.get(claimId) === running) interrupt(running, 'lost')
  }))
  await stopCancelled(core)
}

/** Cancelling reaches other processes through the job: each of them reads it here. */
async function stopCancelled (core: Core): Promise<void> {
  const jobIds = new Map([...core.running.values()].map(({ jobId, kind }) => [jobId, kind]))
  await Promise.all([...jobIds].map(async ([jobId, kind]) => {
    const job = await core.kinds.get(kind)?.jobs.find(jobId)
    const stops = job === undefined || job.cancelled || job.phase === 'deleting'
    if (!stops) return
    for (const running of core.running.values()) {
      if (running.jobId === jobId && running.stage !== 'finish') interrupt(running, 'cancelled')
    }
  }))
}
