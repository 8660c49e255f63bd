/** Replies that are JSON under another coat: as a text of JSON, or in HTML entities. */
import { Unreadable, type Note } from './notes.ts'
import { readValue, scanOf } from './reader.ts'

const entities: Record<string, string> = { quot: '"', amp: '&', lt: '<', gt: '>', apos: "'", '#34': '"', '#39': "'", '#x27': "'", '#x22': '"' }
const entity = /&(quot|amp|lt|gt|apos|#34|#39|#x27|#x22);/g

export interface Decoded { text: string, step: Note['step'] }

/**
 * @param bare  the text without blanks and fence around it
 * @param texts whether the schema allows a text at the top
 * @returns     null when the reply wears no coat
 * @throws      Unreadable when it wears one that cannot be taken off
 */
export function decoded (bare: string, texts: boolean): Decoded | null {
  if (/^[[{\s]{0,20}&(?:quot|#34|#x22);/.test(bare)) return { text: fromHtml(bare), step: 'html-escaped' }
  if (/^(?:[[{\s]|\\n|\\t){0,20}\\"/.test(bare)) return { text: fromText(`"${bare}"`), step: 'double-encoded' }
  if (bare.startsWith('"') && !texts && /^"\s{0,20}(?:\\n|\\t|\\r| ){0,20}[[{]/.test(bare)) {
    return { text: fromText(bare), step: 'double-encoded' }
  }
  return null
}

function fromHtml (bare: string): string {
  // What is not escaped beside what is: then nobody knows how often it was.
  if (/[<>]/.test(bare) && /&(?:amp|lt|gt);/.test(bare)) throw new Unreadable('escape-invalid', 0)
  return bare.replace(entity, (_, name: string) => entities[name]!)
}

function fromText (bare: string): string {
  const scan = scanOf(bare, new Set())
  const text = readValue(scan, 'root')
  if (scan.at < bare.length || typeof text !== 'string') throw new Unreadable('text-continues', scan.at)
  return text
}
