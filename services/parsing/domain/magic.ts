/** The format of a file, by its first bytes; what it is called or declared as counts for nothing. */

/** Readers accept a PDF whose header stands anywhere in here (ISO 32000-1, annex H). */
export const magicBytes = 1_024

/** @param start at least the first `magicBytes` of the file, if it has so many */
export function formatOf (start: Uint8Array): 'pdf' | undefined {
  return Buffer.from(start.subarray(0, magicBytes)).includes('%PDF-', 0, 'latin1') ? 'pdf' : undefined
}
