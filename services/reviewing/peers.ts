/** What reviewing asks of the services before it. */
import type { Document } from '../../shared/contracts/document.ts'
import type { Generation } from '../../shared/contracts/generation.ts'
import type { Item } from '../../shared/contracts/item.ts'
import type { Page } from '../../shared/contracts/page.ts'

export interface Peers {
  generation: {
    getGeneration: (generationId: string) => Promise<Generation>
    listItems: (asked: { generationId: string, cursor?: string, limit: number }) => Promise<Page<Item>>
  }
  /** Both name the version: a paper that is parsed anew keeps the documents it had. */
  parsing: {
    getDocument: (paperId: string, documentHash: string) => Promise<Document>
    getFigureImage: (paperId: string, figureId: string, documentHash: string) => Promise<Uint8Array>
  }
}
