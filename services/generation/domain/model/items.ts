/** Items from drafts that were accepted. */
import type { Document } from '../../../../shared/contracts/document.ts'
import { idOf } from '../../../../shared/contracts/hash.ts'
import type { Item } from '../../../../shared/contracts/item.ts'
import type { Place } from '../plan.ts'
import type { Drafting } from './drafting.ts'
import type { Writer } from './writer.ts'

/** Changes whenever the same replies would give other items. */
export const modelStrategyVersion = '5'

export interface Origin extends Pick<Document, 'paperId' | 'documentHash'> {
  generationId: string
  place: Place
  writer: Pick<Writer, 'name' | 'kind'>
  language: string
}

/** Numbered in the order they were accepted, members of a pair one after the other. */
export function itemsOf ({ accepted, asks }: Drafting, origin: Origin): Item[] {
  const { generationId, paperId, documentHash, place, writer, language } = origin
  const at = { generationId, paperId, place: place.id, writer: writer.name }
  let index = 0
  return accepted.filter(({ ask }) => asks[ask]?.interim !== true).flatMap(({ draft, call, ask }, number) => {
    const { leftOut = [], slices = {} } = asks[ask] ?? {}
    const pairId = draft.length < 2 ? undefined : idOf('item', { ...at, pair: number })
    return draft.map(item => ({
      id: idOf('item', { ...at, kind: writer.kind, index: index++ }),
      kind: writer.kind,
      source: { paperId, documentHash },
      place: place.id,
      figureIds: place.aspect === 'figure' ? [place.id] : [],
      ...pairId !== undefined && { pairId },
      language,
      ...item,
      slices: { ...slices, ...item.slices },
      provenance: {
        strategy: 'model',
        strategyVersion: modelStrategyVersion,
        ...call,
        rule: writer.name,
        ...leftOut.length > 0 && { leftOut: [...leftOut] }
      }
    }))
  })
}
