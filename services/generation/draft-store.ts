/**
 * What a model wrote, place by place, until the end of the generation chooses among the drafts of a
 * paper; and what the generation came to. One document holds all of a place and writer, so that a
 * crash leaves all of it or nothing.
 */
import type { Outcome } from '../../shared/contracts/generation.ts'
import type { Item } from '../../shared/contracts/item.ts'
import type { Doc, Store } from '../../shared/store/store.ts'
import { keyOf, type Slot } from './slot.ts'

interface DraftsDoc extends Doc, Slot { key: string, items: Item[], tally: Outcome }
interface OutcomeDoc extends Doc { outcome: Outcome }
interface HeldBackDoc extends Doc { paperIndexes: number[] }

export type Drafts = Pick<DraftsDoc, 'placeIndex' | 'items' | 'tally'>

/** Of one paper: more places and writers than any paper has. */
const draftsMax = 10_000

export async function draftStore (store: Store) {
  const drafts = await store.collection<DraftsDoc>('drafts', [{ keys: ['generationId', 'paperIndex', 'key'] }])
  const outcomes = await store.collection<OutcomeDoc>('outcomes')
  const heldBack = await store.collection<HeldBackDoc>('held-back')
  return {
    hasDrafts: async (slot: Slot): Promise<boolean> => await drafts.find(keyOf(slot, 0)) !== undefined,
    async insertDrafts (slot: Slot, made: { items: Item[], tally: Outcome }): Promise<void> {
      await drafts.insert({ _id: keyOf(slot, 0), key: keyOf(slot, 0), ...slot, ...made })
    },
    /** Of one paper, in the order of its places. */
    async listDrafts (generationId: string, paperIndex: number): Promise<Drafts[]> {
      return await drafts.findMany({ generationId, paperIndex }, { sort: { key: 1 }, limit: draftsMax })
    },
    async saveOutcome (generationId: string, outcome: Outcome): Promise<void> {
      if (await outcomes.insert({ _id: generationId, outcome })) return
      await outcomes.update(generationId, {}, { $set: { outcome } })
    },
    /** Papers that the end of a generation left for a retry or a cancel, as its last end found them. */
    async saveHeldBack (generationId: string, paperIndexes: readonly number[]): Promise<void> {
      const found = { paperIndexes: [...paperIndexes].sort((a, b) => a - b) }
      if (await heldBack.insert({ _id: generationId, ...found })) return
      await heldBack.update(generationId, {}, { $set: found })
    },
    listHeldBack: async (generationId: string): Promise<number[]> =>
      (await heldBack.find(generationId))?.paperIndexes ?? [],
    findOutcome: async (generationId: string): Promise<Outcome | null> =>
      (await outcomes.find(generationId))?.outcome ?? null
  }
}
