/**
 * Tells reviewing that a generation has ended, until reviewing says that it knows. The bus may lose
 * a message, at a crash above all, and generation asks nothing of the services after it: so the
 * end is a document here, told again until POST …/acknowledge marks it.
 */
import type { Bus } from '../../../shared/bus/bus.ts'
import { mayRetry } from '../../../shared/errors/problem.ts'
import type { GenerationStore } from '../store.ts'

export interface AnnounceParts { bus: Bus, store: GenerationStore }

/** Nothing is to be told of a generation whose recipe wants no reviewing. */
export async function announceEnd (
  { bus, store }: AnnounceParts, generationId: string, { review }: { review: unknown }
): Promise<void> {
  if (review === false) return
  await store.saveAnnouncement(generationId, await store.countItems(generationId))
  await tell(bus, generationId)
}

export async function announceAgain ({ bus, store }: AnnounceParts): Promise<void> {
  for (const generationId of await store.listUnacknowledged()) {
    if (!await tell(bus, generationId)) return
  }
}

/** Whether the bus took it; while it is away the generation ends all the same, and is told of later. */
async function tell (bus: Bus, generationId: string): Promise<boolean> {
  try {
    await bus.publish('generation.finished', { generationId })
    return true
  } catch (cause) {
    if (mayRetry(cause)) return false
    throw cause
  }
}
