/** Author names: the lines between title and abstract that are lists of names. */
import { cleanText } from './clean-text.ts'
import type { Line } from './line.ts'

const institution = /universit|institut|department|laborator|school|college|faculty|cent(?:er|re)\b|hospital|academy|division|inc\.|ltd|gmbh|street|avenue|road|\bp\.?\s?o\.? box|@|https?:|\bdoi\b|received|accepted|published|copyright|correspond|\babstract\b|\uB300\uD559|\uD559\uACFC|\uC5F0\uAD6C/i

/** @param lines between the title and the abstract, from the top */
export function findAuthors (lines: readonly Line[]): string[] {
  const names: string[] = []
  for (const [i, line] of lines.entries()) {
    const plain = line.spans.map(span => span.raised ? ' ; ' : span.text).join('')
    const found = readNames(plain)
    if (found.length === 0) {
      if (names.length > 0 && i > 0 && !isSmall(line, lines)) break
      continue
    }
    for (const name of found) if (!names.includes(name)) names.push(name)
  }
  return names.slice(0, 300)
}

function isSmall (line: Line, lines: readonly Line[]): boolean {
  return line.glyphs < 4 || line.size < lines[0]!.size - 3
}

/** Names of a line such as "Ada Lovelace, Charles Babbage and J. K. Rowling", none if it is no list. */
export function readNames (text: string): string[] {
  const plain = cleanText(text).replace(/[*\u2020\u2021\u00A7\u00B6\u2016#\u2217\u26600-9]+/g, ' ')
    .replace(/\((?:[^()]{1,30})\)/g, ' ')
  if (institution.test(plain)) return []
  const parts = plain.split(/\s*(?:,|;|\u00B7|\u2022|\band\b|&|\||\u318D)\s*/).map(part => part.replace(/\s+/g, ' ').trim())
    .filter(part => part.length > 1 && !/^(?:\p{Ll}|PhD|MD|Dr|Prof|Jr|MSc|Member|Fellow|IEEE|Student|Senior)\.?$/u.test(part))
  return parts.length > 0 && parts.every(isName) ? parts : []
}

function isName (part: string): boolean {
  if (/^[\uAC00-\uD7AF]{2,4}$/.test(part.replace(/\s/g, ''))) return true
  const words = part.split(' ')
  if (words.length < 2 || words.length > 5 || part.length > 45) return false
  return words.every(word => /^(?:(?:\p{Lu}[\p{L}'\u2019.\u2010-]*)|d[aeiu]l?|van|von|der|den|la|le|ten|bin|al|y|dos|das|el|di)$/u.test(word)) &&
    words.filter(word => /^\p{Lu}/u.test(word)).length >= 2
}
