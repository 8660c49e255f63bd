/** Bytes as text: what they are in is declared or told by them, and what cannot be read is refused. */
import { isUtf8 } from 'node:buffer'
import type { ImportOptions } from '../../../../shared/contracts/bank.ts'
import { Problem } from '../../../../shared/errors/problem.ts'

const labels = { 'utf-8': 'utf-8', 'utf-16': 'utf-16le', 'euc-kr': 'euc-kr' } as const

/**
 * Text without a byte order mark. EUC-KR is read with the letters Windows adds to it (code page 949).
 *
 * @throws Problem bank-damaged
 */
export function textOf (bytes: Buffer, encoding: ImportOptions['encoding']): string {
  const label = markedLabel(bytes) ?? (encoding === undefined ? toldLabel(bytes) : labels[encoding])
  try {
    return new TextDecoder(label, { fatal: true }).decode(bytes)
  } catch (cause) {
    throw new Problem('bank-damaged', `The file cannot be read as ${label}${encoding === undefined ? '' : ', which was declared'}; save it as UTF-8, or declare options.encoding (utf-8, utf-16 or euc-kr).`, { cause })
  }
}

function markedLabel (bytes: Buffer): string | undefined {
  if (bytes[0] === 0xFF && bytes[1] === 0xFE) return 'utf-16le'
  if (bytes[0] === 0xFE && bytes[1] === 0xFF) return 'utf-16be'
  return bytes[0] === 0xEF && bytes[1] === 0xBB && bytes[2] === 0xBF ? 'utf-8' : undefined
}

/** Any bytes can be read as many encodings; of those here only Korean text is likely to be no UTF-8. */
function toldLabel (bytes: Buffer): string {
  return isUtf8(bytes) ? 'utf-8' : 'euc-kr'
}
