/**
 * Tells reviewing that a generation has ended, until reviewing says that it knows. The bus may lose
 * a message, at a crash above all, and generation asks nothing of the services after it: so the
 * end is a document here, told again until POST …/acknowledge marks it.
 */
import type { Bus } from '../../../shared/bus/bus.ts'
import type { GenerationStore } from '../store.ts'

export interface AnnounceParts { bus: Bus, store: GenerationStore }

/** Nothing is to be told of a generation whose recipe wants no reviewing. */
export async function announceEnd (
  { bus, store }: AnnounceParts, generationId: string, { review }: { review: unknown }
): Promise<void> {
  if (review === false) return
  await store.announce(generationId)
  await bus.publish('generation.finished', { generationId })
}

export async function announceAgain ({ bus, store }: AnnounceParts): Promise<void> {
  for (const generationId of await store.listUnacknowledged()) {
    await bus.publish('generation.finished', { generationId })
  }
}
