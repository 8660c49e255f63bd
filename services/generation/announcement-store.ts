/** Whose end is still to be told: see handlers/announce.ts. */
import type { Doc, Store } from '../../shared/store/store.ts'

/**
 * The end of a generation with so many items; told again until whoever listens has acknowledged it.
 * One that is retried ends with more, which is news again.
 */
interface Announcement extends Doc { acknowledged: boolean, itemCount: number }

const announcementsMax = 1000

export async function announcementStore (store: Store) {
  const announcements = await store.collection<Announcement>('announcements', [{ keys: ['acknowledged'] }])
  return {
    async saveAnnouncement (generationId: string, itemCount: number): Promise<void> {
      const news = { acknowledged: false, itemCount }
      if (await announcements.insert({ _id: generationId, ...news })) return
      await announcements.update(generationId, { itemCount: { $ne: itemCount } }, { $set: news })
    },
    /** Nothing for an end with other items: its news is still on the way. */
    acknowledge: async (generationId: string, itemCount: number) => {
      await announcements.update(generationId, { itemCount }, { $set: { acknowledged: true } })
    },
    async listUnacknowledged (): Promise<string[]> {
      const found = await announcements.findMany({ acknowledged: false }, { limit: announcementsMax })
      return found.map(({ _id }) => _id)
    }
  }
}
