/**
 * Which names of an archive's entries are taken. Nothing is ever written under such a name: names
 * only serve to look files up, so a refused one loses a file and nothing else.
 */

const nameBytesMax = 255
/** Controls, and marks that make a name look like another (Unicode Standard Annex 9). */
// eslint-disable-next-line no-control-regex -- refused are exactly these
const unprintable = /[\u0000-\u001F\u007F-\u009F\u200B-\u200F\u202A-\u202E\u2060-\u206F\uFEFF]/u

export type NameVerdict =
  | { taken: true, name: string }
  /** `why` undefined: of no interest to anyone, such as what macOS adds. */
  | { taken: false, why: string | undefined }

/** @param raw as the archive has it; back slashes separate as slashes do */
export function checkName (raw: string): NameVerdict {
  if (unprintable.test(raw)) return refuse('has control or direction marks in its name')
  if (/^[\\/]/u.test(raw) || /^[A-Za-z]:/u.test(raw)) return refuse('has an absolute name')
  const parts = raw.replaceAll('\\', '/').split('/').filter(part => part !== '' && part !== '.')
  if (parts.some(part => part === '..' || /^(?:\.|%2e){2}$/iu.test(part) || /%2f|%5c|%00/iu.test(part))) {
    return refuse('has a name that leads out of the archive')
  }
  if (parts.length === 0 || parts[0] === '__MACOSX' || parts.at(-1)!.startsWith('._')) {
    return { taken: false, why: undefined }
  }
  const name = parts.join('/').normalize('NFC')
  if (parts.some(part => Buffer.byteLength(part) > nameBytesMax) || name.length > 4 * nameBytesMax) {
    return refuse('has too long a name')
  }
  return { taken: true, name }
}

function refuse (why: string): NameVerdict {
  return { taken: false, why }
}

/** Names that differ in case alone are one file on some machines; here the first is taken. */
export function foldedName (name: string): string {
  return name.normalize('NFC').toLowerCase()
}
