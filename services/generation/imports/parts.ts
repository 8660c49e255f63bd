/** What handlers of imports work with. */
import type { Blobs } from '../../../shared/blobs/blobs.ts'
import type { ParsingClient } from '../../../shared/clients/parsing.ts'
import type { Container, ImportOptions } from '../../../shared/contracts/bank.ts'
import type { Jobs } from '../../../shared/tasks/tasks.ts'
import type { GenerationStore } from '../store.ts'
import type { BankStore } from './bank-store.ts'
import type { BankThread } from './bank-thread.ts'

export interface ImportSpec {
  fileName: string
  /** sha256 of the bytes, which is the id of their blob; of an exam the hash of its document. */
  contentHash: string
  container: Container
  options: ImportOptions
  /** Of an exam that parsing read. */
  paperId: string | null
}

export interface ImportParts {
  jobs: Jobs<ImportSpec>
  banks: BankStore
  items: Pick<GenerationStore, 'insertBankItems' | 'listItems'>
  blobs: Blobs
  parsing: Pick<ParsingClient, 'getPaper' | 'getDocument' | 'getFigureImage' | 'getPageImage'>
  thread: BankThread
}
