/** What Markdown and plain text have in common: bytes to text, names of sections, reference lists. */
import type { DraftReference } from '../domain/references.ts'
import type { Outline } from './outline.ts'

/** By a byte order mark, else UTF-8, else Windows-1252; lines end with a line feed. */
export function decodeText (bytes: Uint8Array): string {
  const [a, b] = bytes
  const utf16 = a === 0xFE && b === 0xFF ? 'utf-16be' : a === 0xFF && b === 0xFE ? 'utf-16le' : undefined
  const text = utf16 !== undefined
    ? new TextDecoder(utf16).decode(bytes)
    : utf8(bytes) ?? new TextDecoder('windows-1252').decode(bytes)
  return text.replaceAll(/\r\n?|\u2028|\u2029/gu, '\n')
}

function utf8 (bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

export function isAbstractTitle (title: string): boolean {
  return /^(?:abstract|summary|요\s?약|초\s?록|zusammenfassung|résumé|resumen|摘\s?要)[\s.:]*$/iu.test(title)
}

const label = /^\s*(?:\[([\w+.-]{1,20})\]|\((\d{1,4})\)|(\d{1,4})[.)])\s+(?=\S)/u

/** An entry of a reference list, its label apart. */
export function readReference (text: string): DraftReference {
  const match = label.exec(text)
  const rest = match === null ? text : text.slice(match[0].length)
  const years = [...rest.matchAll(/(?<!\d)(1[89]\d\d|20\d\d)(?![\d-])/gu)].map(([found]) => Number(found))
  const year = years.find(value => value <= 2100)
  const doi = /\b10\.\d{4,9}\/[^\s"<>]{1,200}[^\s"<>.,;)]/u.exec(rest)?.[0]
  return {
    label: match?.[1] ?? match?.[2] ?? match?.[3] ?? '',
    text: rest,
    ...(year !== undefined && { year }),
    ...(doi !== undefined && { doi })
  }
}

export function isReferenceLabel (text: string): boolean {
  return label.test(text)
}

/** Levels from 1, none left out: the shallowest heading is 1 and each at most one below the one it is in. */
export function closeLevels (sections: Outline['sections']): void {
  const open: number[] = []
  for (const section of sections) {
    while (open.length > 0 && open.at(-1)! >= section.level) open.pop()
    open.push(section.level)
    section.level = open.length
  }
}
