/** What other services ask of generation. */
import type { BankImport } from '../contracts/bank.ts'
import type { Curation, CurationFlag } from '../contracts/curation.ts'
import type { GenerationDiversity } from '../contracts/diversity.ts'
import type { Estimate, Generation, GenerationRequest } from '../contracts/generation.ts'
import type { Item, Rejection } from '../contracts/item.ts'
import type { Page, PageRequest } from '../contracts/page.ts'
import type { Call } from './call.ts'

export interface ItemsQuery extends PageRequest {
  generationId?: string
  paperId?: string
  importId?: string
  curationId?: string
  kind?: string
}

export function generationClient (call: Call) {
  const of = (generationId: string) => `/v1/generations/${encodeURIComponent(generationId)}`
  return {
    /** @throws Problem not-finished while a paper is being parsed; what a paper failed with */
    openGeneration: async (request: GenerationRequest) =>
      await call.json<Generation>('generation', '/v1/generations', { method: 'POST', body: request }),

    estimateGeneration: async (request: GenerationRequest) =>
      await call.json<Estimate>('generation', '/v1/generations', { method: 'POST', body: request, query: { dryRun: 'true' } }),

    /** @throws Problem generation-not-found */
    getGeneration: async (generationId: string) => await call.json<Generation>('generation', of(generationId)),

    /** Waits for its end, 60 s at most. */
    waitForGeneration: async (generationId: string, seconds: number) =>
      await call.json<Generation>('generation', of(generationId), { query: { wait: seconds }, timeoutMs: (seconds + 30) * 1_000 }),

    /** Whoever was told of its end, with so many items, says so; until then it is told again. */
    acknowledgeGeneration: async (generationId: string, itemCount: number) => {
      await call.bytes('generation', `${of(generationId)}/acknowledge`, { method: 'POST', body: { itemCount } })
    },

    listRejections: async (generationId: string, page: PageRequest) =>
      await call.json<Page<Rejection>>('generation', `${of(generationId)}/rejections`, { query: { ...page } }),

    /** @throws Problem generation-not-found, not-finished */
    getDiversity: async (generationId: string) =>
      await call.json<GenerationDiversity>('generation', `${of(generationId)}/diversity`),

    listItems: async (asked: ItemsQuery) =>
      await call.json<Page<Item>>('generation', '/v1/items', { query: { ...asked } }),

    /** @throws Problem import-not-found */
    getImport: async (importId: string) =>
      await call.json<BankImport>('generation', `/v1/imports/${encodeURIComponent(importId)}`),

    /** Waits for its end, 60 s at most. */
    waitForImport: async (importId: string, seconds: number) =>
      await call.json<BankImport>('generation', `/v1/imports/${encodeURIComponent(importId)}`, { query: { wait: seconds }, timeoutMs: (seconds + 30) * 1_000 }),

    getCuration: async (curationId: string) =>
      await call.json<Curation>('generation', `/v1/curations/${encodeURIComponent(curationId)}`),

    /** @throws Problem curation-not-found */
    listCurationFlags: async (curationId: string, page: PageRequest) =>
      await call.json<Page<CurationFlag>>('generation', `/v1/curations/${encodeURIComponent(curationId)}/flags`, { query: { ...page } }),

    /** PNG, JPEG, GIF or WebP, as its first bytes say. @throws Problem image-not-found */
    getBankImage: async (imageId: string) =>
      await call.bytes('generation', `/v1/bank-images/${encodeURIComponent(imageId)}`),

    /** @throws Problem item-not-found */
    getItem: async (itemId: string) =>
      await call.json<Item>('generation', `/v1/items/${encodeURIComponent(itemId)}`)
  }
}

export type GenerationClient = ReturnType<typeof generationClient>
