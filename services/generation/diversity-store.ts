/**
 * What the end of a generation found of each paper: which drafts become items, and how diverse its items
 * are. One document, written before the items: an end that is cut off and begins again chooses the same.
 */
import type { Doc, Store } from '../../shared/store/store.ts'
import type { PaperDiversity } from '../../shared/text/diversity/compare.ts'
import { keyOf, wholePaper, type Slot } from './slot.ts'

interface DiversityDoc extends Doc {
  key: string
  generationId: string
  value: PaperDiversity
  chosen?: string[]
}

type Paper = Omit<Slot, 'placeIndex'>
const keyOfPaper = (paper: Paper) => keyOf({ ...paper, placeIndex: wholePaper }, 0)

/** As many papers as a generation may have. */
const papersMax = 200

export async function diversityStore (store: Store) {
  const diversities = await store.collection<DiversityDoc>('diversities', [{ keys: ['generationId', 'key'] }])
  return {
    /** Ids of the drafts that an earlier end chose; undefined where none did. */
    async findChosen (paper: Paper): Promise<string[] | undefined> {
      return (await diversities.find(keyOfPaper(paper)))?.chosen
    },
    /** In the place of what an earlier end found. */
    async saveDiversity (paper: Paper, value: PaperDiversity, chosen: string[] = []): Promise<void> {
      const key = keyOfPaper(paper)
      if (await diversities.insert({ _id: key, key, generationId: paper.generationId, value, chosen })) return
      await diversities.update(key, {}, { $set: { value, chosen } })
    },
    /** In the order of the papers. */
    async listDiversities (generationId: string): Promise<PaperDiversity[]> {
      const found = await diversities.findMany({ generationId }, { sort: { key: 1 }, limit: papersMax })
      return found.map(({ value }) => value)
    }
  }
}
