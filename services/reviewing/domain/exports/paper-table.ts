/** The papers of a benchmark as a table: what a question needs that its item does not hold. */
import type { Source } from '../../../../shared/contracts/benchmark.ts'
import type { Document } from '../../../../shared/contracts/document.ts'
import { contentOf } from '../../../../shared/text/content.ts'
import type { Column } from './table.ts'

export interface PaperRow { document: Document, source: Source | undefined, canary: string }

export const paperColumns: ReadonlyArray<Column<PaperRow>> = [
  { name: 'paperId', type: 'string', of: ({ document }) => document.paperId },
  { name: 'documentHash', type: 'string', of: ({ document }) => document.documentHash },
  { name: 'title', type: 'string', of: ({ document }) => document.title },
  { name: 'language', type: 'string', of: ({ document }) => document.language },
  { name: 'licence', type: 'string', of: ({ source }) => source?.licence ?? 'unknown' },
  { name: 'abstract', type: 'string', of: ({ document }) => document.abstract?.text ?? null },
  { name: 'text', type: 'string', of: ({ document }) => contentOf(document, { mode: 'full' }).text },
  { name: 'canary', type: 'string', of: ({ canary }) => canary }
]
