/**
 * A paper may be read in several ways: by another engine, with text recognition, as another format, by
 * another version of the parser. Each reading has a job and a document of its own; none changes another.
 */
import type { PaperFormat } from '../../../shared/contracts/paper.ts'
import { lifeIdOf, type Life } from './life.ts'

export interface Reading {
  /** `own`, or the name of an external engine that is asked as well. */
  engine: string
  /** Whether the text of a scan may be recognised. */
  ocr: boolean
  /** Of our parser when the reading was asked for. */
  version: string
}

export const ownEngine = 'own'

/** Equal for equal readings, for example `own.1`, `grobid+ocr.1`; safe in ids. */
export function readingKey ({ engine, ocr, version }: Reading, format: PaperFormat): string {
  // Only these two are the caller's to say; the others are in the bytes.
  const declared = format === 'markdown' || format === 'text' ? [format] : []
  return `${[engine, ...declared, ...ocr ? ['ocr'] : []].join('+')}.${version}`
}

/** The id of the job that reads a life of a paper in one way, and of what became of it. */
export function readingIdOf (life: Life, key: string): string {
  return `${lifeIdOf(life)}@${key}`
}

/** Whether a parser of version `own` must leave the reading to a newer one, of another replica. */
export function isNewer ({ version }: Reading, own: string): boolean {
  return Number(version) > Number(own)
}
