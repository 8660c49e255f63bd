/** What the service and a parser process say to each other. */
import type { ProblemKind } from '../../../shared/errors/problem.ts'
import type { Document } from '../../../shared/contracts/document.ts'
import type { Domain } from '../../../shared/contracts/domain.ts'
import type { PaperFormat } from '../../../shared/contracts/paper.ts'
import type { Extras, PageView } from '../parser.ts'

/** The domain is guessed where none is given. */
export type PaperToParse = { paperId: string, format: PaperFormat, domain?: Domain } & Extras

export interface Limits { pagesMax: number, wasmBytesMax: number }

export type Request =
  | ({ kind: 'parse', bytes: Uint8Array, limits: Limits } & PaperToParse)
  | { kind: 'render', bytes: Uint8Array, page: number, view: PageView }

export interface Image { id: string, bytes: Uint8Array }

/** What a paper becomes: `json` is the canonical JSON of the document. */
export interface Parsed {
  json: Uint8Array
  summary: Pick<Document, 'documentHash' | 'title' | 'domain' | 'warnings' | 'parser'> & {
    pages: number
    figures: Array<{ figureId: string, imageId: string | null }>
    /** What the file turned out to hold: an archive may be recognised only when it is opened. */
    format: PaperFormat
  }
  images: Image[]
}

/** Images come one by one before the end, so that the parent can stop an endless stream of them. */
export type Reply =
  | { kind: 'ready' }
  | { kind: 'image', image: Image }
  | { kind: 'parsed', json: Uint8Array, summary: Parsed['summary'] }
  | { kind: 'rendered', bytes: Uint8Array }
  | { kind: 'problem', problem: { kind: ProblemKind, detail: string } }
  | { kind: 'bug', stack: string }
