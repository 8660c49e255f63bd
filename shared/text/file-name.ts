/** Names of uploaded files: shown to people, never used as a path. */

const lengthMax = 255

/**
 * The last part of the path in NFC, without control, formatting (bidi) and unpaired characters; at most 255
 * code points, its extension kept; `unnamed` when nothing is left.
 */
export function displayName (uploaded: string, unnamed: string): string {
  const [base = ''] = uploaded.normalize('NFC').split(/[\\/]/u).slice(-1)
  const shown = Array.from(base.replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu, '').trim())
  const name = shown.length <= lengthMax ? shown : [...shown.slice(0, lengthMax - 4), ...shown.slice(-4)]
  const text = name.join('')
  return /^\.*$/u.test(text) ? unnamed : text
}

/** For Content-Disposition (RFC 6266): an ASCII name for old readers, the full one for others. */
export function attachmentHeader (fileName: string): string {
  const plain = fileName.replaceAll(/[^\w. ()-]/gu, '_')
  const full = encodeURIComponent(fileName).replaceAll(/['()*]/gu, character => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
  return `attachment; filename="${plain}"; filename*=UTF-8''${full}`
}
