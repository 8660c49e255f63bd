/**
 * Tells reviewing that a generation has ended, until reviewing says that it knows. The bus may lose
 * a message, at a crash above all, and generation asks nothing of the services after it: so the
 * end is a document here, told again until POST …/acknowledge marks it.
 */
import type { Bus } from '../../../shared/bus/bus.ts'
import type { Log } from '../../../shared/tasks/core.ts'
import type { GenerationStore } from '../store.ts'

export interface AnnounceParts { bus: Bus, store: GenerationStore, log: Pick<Log, 'warn'> }

/** Nothing is to be told of a generation whose recipe wants no reviewing. */
export async function announceEnd (
  parts: AnnounceParts, generationId: string, { review }: { review: unknown }
): Promise<void> {
  if (review === false) return
  await parts.store.announce(generationId)
  await tell(parts, generationId)
}

export async function announceAgain (parts: AnnounceParts): Promise<void> {
  for (const generationId of await parts.store.listUnacknowledged()) await tell(parts, generationId)
}

/** A bus that is away must not fail a generation: its end is told again. */
async function tell ({ bus, log }: AnnounceParts, generationId: string): Promise<void> {
  try {
    await bus.publish('generation.finished', { generationId })
  } catch (err) {
    log.warn({ err, generation: generationId }, 'the end of a generation could not be told yet')
  }
}
