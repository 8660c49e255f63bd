/** What reviewing does unasked: a generation that has finished is reviewed. */
import type { Bus } from '../../shared/bus/bus.ts'
import { openReviewingUnasked, type OpenParts } from './handlers/open-reviewing.ts'

export async function consumers (bus: Bus, parts: OpenParts): Promise<void> {
  await bus.consume('generation.finished', {
    durable: 'reviewing',
    concurrency: 1,
    // The news may overtake the generation's own state, or generation may just restart.
    deliveriesMax: 10
  }, async ({ generationId }) => { await openReviewingUnasked(parts, generationId) })
}
