/** What reads one format. Pure but for time: bytes in, outline out; nothing outside the file is touched. */
import type { PaperFormat } from '../../../shared/contracts/paper.ts'
import type { Outline } from './outline.ts'

export interface Read {
  outline: Outline
  /** Bytes of a file inside the archive, by the name that the source calls it. */
  fileOf?: (href: string) => Uint8Array | undefined
  /** What an archive holds, when that is not what it was taken for. */
  format?: PaperFormat
}

/** @throws Problem paper-damaged, paper-too-complex, not-a-paper */
export type Reader = (bytes: Uint8Array) => Read | Promise<Read>
