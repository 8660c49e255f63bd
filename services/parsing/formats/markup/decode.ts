/** Bytes of mark-up to text, by the encoding they have rather than the one they claim. */
import type { Document } from '../../../../shared/contracts/document.ts'
import { Problem } from '../../../../shared/errors/problem.ts'
import { encodingOf } from '../../domain/markup-start.ts'

export interface Decoded { text: string, warnings: Document['warnings'] }

/**
 * UTF-16 by its mark or its zero bytes; else what the file declares, UTF-8 when it says nothing. Bytes
 * that are no UTF-8 are read as Windows-1252, with a warning.
 *
 * @throws Problem paper-damaged for an encoding that is not known (UTF-7 is none, for safety)
 * @see    WHATWG Encoding Standard
 */
export function decodeMarkup (bytes: Uint8Array): Decoded {
  const declared = encodingOf(bytes)
  const inUtf16 = declared?.startsWith('utf-16') === true
  // What could be read as ASCII to find the declaration is no UTF-16, whatever the declaration says.
  const label = inUtf16 && !bytes.subarray(0, 4).some(byte => byte === 0 || byte >= 0xFE) ? 'utf-8' : declared ?? 'utf-8'
  if (label === 'utf-8' || label === 'utf8') {
    try {
      return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), warnings: [] }
    } catch {
      return {
        text: new TextDecoder('windows-1252').decode(bytes),
        warnings: [{ code: 'wrong-encoding', detail: 'The file is not in UTF-8 as it should be; it was read as Windows-1252, so letters outside ASCII may be wrong.' }]
      }
    }
  }
  return { text: decoderOf(label).decode(bytes), warnings: [] }
}

function decoderOf (label: string): TextDecoder {
  try {
    return new TextDecoder(label)
  } catch {
    throw new Problem('paper-damaged', `The file declares the encoding "${label.slice(0, 40)}", which is not read here; save it as UTF-8 and upload that.`)
  }
}
