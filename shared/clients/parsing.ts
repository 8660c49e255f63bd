/** What other services ask of parsing. */
import type { Document } from '../contracts/document.ts'
import type { Paper } from '../contracts/paper.ts'
import type { Content, ContentMode } from '../text/content.ts'
import type { Call } from './call.ts'

export interface ContentQuery {
  mode: ContentMode
  documentHash?: string
  maxTokens?: number
  sectionId?: string
  figureId?: string
  query?: string
  /** Separated by commas. */
  paragraphIds?: string
}

/** `documentHash` names a version; without it the newest is answered. */
export function parsingClient (call: Call) {
  const of = (paperId: string) => `/v1/papers/${encodeURIComponent(paperId)}`
  return {
    /** @throws Problem paper-not-found, paper-deleted */
    getPaper: async (paperId: string) => await call.json<Paper>('parsing', of(paperId)),

    /** Waits for the end of parsing, 60 s at most. */
    waitForPaper: async (paperId: string, seconds: number) =>
      await call.json<Paper>('parsing', of(paperId), { query: { wait: seconds }, timeoutMs: (seconds + 30) * 1_000 }),

    /** @throws Problem not-finished, paper-deleted, or why the paper could not be parsed */
    getDocument: async (paperId: string, documentHash?: string) =>
      await call.json<Document>('parsing', `${of(paperId)}/document`, { query: { documentHash } }),

    getContent: async (paperId: string, query: ContentQuery) =>
      await call.json<Content & { documentHash: string }>('parsing', `${of(paperId)}/content`, { query: { ...query } }),

    /** PNG. @throws Problem figure-not-found */
    getFigureImage: async (paperId: string, figureId: string, documentHash?: string) =>
      await call.bytes('parsing', `${of(paperId)}/figures/${encodeURIComponent(figureId)}/image`, { query: { documentHash } }),

    /** PNG. @throws Problem page-not-found */
    getPageImage: async (paperId: string, page: number, dpi: number) =>
      await call.bytes('parsing', `${of(paperId)}/pages/${page}/image`, { query: { dpi } })
  }
}

export type ParsingClient = ReturnType<typeof parsingClient>
