/** The services before this one, as reviewing asks them. */
import type { Call } from '../../shared/clients/call.ts'
import { parsingClient, type ParsingClient } from '../../shared/clients/parsing.ts'
import type { Generation } from '../../shared/contracts/generation.ts'
import type { Item } from '../../shared/contracts/item.ts'
import type { Page } from '../../shared/contracts/page.ts'

export interface Peers {
  generation: {
    getGeneration: (generationId: string) => Promise<Generation>
    listItems: (asked: { generationId: string, cursor?: string, limit: number }) => Promise<Page<Item>>
  }
  parsing: Pick<ParsingClient, 'getDocument' | 'getFigureImage'>
}

export function peersOf (call: Call): Peers {
  return {
    generation: {
      getGeneration: async id => await call.json('generation', `/v1/generations/${id}`),
      listItems: async asked => await call.json('generation', '/v1/items', { query: { ...asked } })
    },
    parsing: parsingClient(call)
  }
}
