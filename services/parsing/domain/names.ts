/** Lists of personal names: "Ada Lovelace,{1} Charles Babbage{2,*} and J. K. Rowling". */
import { cleanText } from './clean-text.ts'

/** A name with the marks that tie it to addresses: `["1", "*"]`. */
export interface MarkedName { name: string, marks: string[] }

export const institution = /universi|institu|\bdepart?ment|\bdept\b|laborator|\bschool\b|\bcollege\b|facult|\bcent(?:er|re)s?\b|hospital|academy|division|\binc\.|\bltd\b|gmbh|\bstreet\b|\bavenue\b|\broad\b|\bp\.?\s?o\.? box|@|https?:|\bdoi\b|\breceived\b|\baccepted\b|\bpublished\b|copyright|correspond|\babstract\b|\bkeywords?\b|\bdated\b|\uB300\uD559|\uD559\uACFC|\uC5F0\uAD6C|\uD559\uBD80/i

const degree = /^(?:ph\.?\s?d\.?|m\.?d\.?|m\.?p\.?h\.?|m\.?sc?\.?|b\.?sc?\.?|m\.?b\.?a\.?|m\.?a\.?|b\.?a\.?|rn|do|dds|dmd|dr\.?p\.?h\.?|sc\.?d\.?|m\.?b\.?b\.?s\.?|mb|bchir|mbchb|frcp\w*|pharm\.?d\.?|mhs\w?|dphil|ed\.?d\.?|mph\w*|facs|facc|jr\.?|sr\.?|iii?|prof\.?|dr\.?|(?:student |senior |life )?member|fellow|ieee|(?:student |senior |life )?(?:member|fellow) ?,? ?ieee|id|orcid\w*)$/i

const dated = /\b(?:jan|feb|mar|apr|may|june?|july?|aug|sep|oct|nov|dec)\w{0,6}\.? \d{1,4}\b|\b\d{1,2}\.? (?:jan|feb|mar|apr|may|june?|july?|aug|sep|oct|nov|dec)/i

/** @param text marks of addresses in braces */
export function readMarkedNames (text: string): MarkedName[] {
  if (dated.test(text)) return []
  const plain = cleanText(text).replace(/^by\s+/i, '').replace(/\((?:[^(){}]{1,30})\)/g, ' ')
    // The envelope behind an author one may write to.
    .replace(/\{([^{}]*)\(\}\s*\p{L}?\s*\{\)[^{}]*\}/gu, '{$1}')
    .replace(/(?<=[\p{L}.}])\s?([\d*\u2020\u2021\u00A7\u00B6\u2016#\u2217\u25CB\u2726]{1,6}(?:,[\d*\u2020\u2021\u00A7\u00B6\u2016#\u2217a-z]{1,3}(?![\p{L}]))*)/gu, '{$1}')
    .replace(/\{[^{}]*\}/g, marks => marks.replace(/[,;|&]/g, ' '))
  if (institution.test(plain.replace(/\{[^{}]*\}/g, ' '))) return []
  const parts = plain.split(/[;,|\u00B7\u2022&\u318D\u2024\u3001]|\s(?:and|und)\s|^and\s|(?<=\})(?=\s*[^\s{,])/u)
  const names: MarkedName[] = []
  let others = 0
  for (const part of parts) {
    const marks = [...part.matchAll(/\{([^{}]*)\}/g)].flatMap(match => splitMarks(match[1]!))
    const name = nameOf(part)
    if (name === '' || degree.test(name)) {
      names.at(-1)?.marks.push(...marks)
    } else if (isName(name)) names.push({ name, marks })
    else others++
  }
  return names.length > 0 && others <= 0.25 * names.length ? names : []
}

function nameOf (part: string): string {
  return part.replace(/\{[^{}]*\}/g, ' ').replace(/\s+/g, ' ').trim()
    .replace(/^(?:and|dr\.?|prof\.?|professor|mrs?\.?|ms\.?)\s+/i, '').replace(/\s+(?:ph\.?d\.?|m\.?d\.?)$/i, '')
    .replace(/^[^\p{L}]+/u, '').replace(/[^\p{L}.)]+$/u, '')
}

function splitMarks (text: string): string[] {
  return text.replace(/[()\s]/g, ',').split(',').flatMap(mark =>
    /^[a-z]{2,4}$/.test(mark) ? [...mark] : mark.match(/\d{1,3}|\p{L}+|[^\p{L}\d]/gu) ?? [])
}

/** Names of a line such as "Ada Lovelace, Charles Babbage and J. K. Rowling", none if it is no list. */
export function readNames (text: string): string[] {
  return readMarkedNames(text).map(({ name }) => name)
}

const particle = /^(?:d[aeiou]s?|del|della|dell[ae]|di|van|von|der|den|het|la|le|les|ten|ter|bin|ibn|al|el|y|e|zu|zur|af|av|st|san|'t)$/iu

function isName (part: string): boolean {
  const dense = part.replace(/\s/g, '')
  if (/^[\uAC00-\uD7AF]{2,4}$/.test(dense)) return true
  if (/^[\u4E00-\u9FFF\u3040-\u30FF]{2,6}$/.test(dense)) return true
  const words = part.split(' ')
  if (words.length < 2 || words.length > 8 || part.length > 60) return false
  return words.every(word => particle.test(word) || /^\p{Lu}[\p{L}\p{M}'\u2019.\u2010\u2011-]*$/u.test(word)) &&
    words.filter(word => /^\p{Lu}/u.test(word)).length >= 2 && /\p{L}{2}/u.test(part)
}
