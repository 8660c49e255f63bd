/** What in a text a person should look at. Details never repeat what was found. */
import type { RowNote } from '../../../../shared/contracts/bank.ts'
import { note } from './bank.ts'

const personal: Array<{ what: string, form: RegExp, holds?: (found: string) => boolean }> = [
  { what: 'an e-mail address', form: /[\w.+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,5}/g },
  { what: 'a Korean resident number', form: /(?<!\d)\d{6}-[1-8]\d{6}(?!\d)/g, holds: isBirthDate },
  { what: 'a telephone number', form: /(?<![\d.-])(?:\+\d{1,3}[ -]?\(?\d{1,4}\)?(?:[ -]?\d{2,4}){2,3}|01[016789][ -]\d{3,4}[ -]\d{4}|0(?:2|[3-6]\d)-\d{3,4}-\d{4}|\(\d{3}\) ?\d{3}-\d{4})(?![\d-])/g },
  { what: 'a card number', form: /(?<!\d)\d{4}[ -]\d{4}[ -]\d{4}[ -]\d{4}(?!\d)/g, holds: isLuhn }
]

export function suspicions (text: string, field: string): RowNote[] {
  const notes: RowNote[] = []
  for (const { what, form, holds = () => true } of personal) {
    if (Array.from(text.matchAll(form)).some(([found]) => holds(found))) notes.push(note('pii-suspected', field, `It has what looks like ${what}.`))
  }
  if (/^\s*(?:=\s*[A-Za-z_.]{1,40}\s*[(|!]|[@+-]\s*[A-Za-z_.]{1,40}\s*[(|])/.test(text)) {
    notes.push(note('formula-text', field, 'It begins like a formula of a spreadsheet. It is kept as text; nothing ran.'))
  }
  return [...notes, ...latexFaults(text, field)]
}

/** Commands that read, write or run where a TeX system sees them. */
const unsafe = /\\(?:input|include|includegraphics|write(?:18)?|openin|openout|read|immediate|catcode|csname|def|let|href|url|usepackage)(?![A-Za-z])/

function latexFaults (text: string, field: string): RowNote[] {
  if (!/\\[A-Za-z]/.test(text)) return []
  const notes: RowNote[] = []
  if (unsafe.test(text)) notes.push(note('latex-command', field, 'It has a LaTeX command that is more than a formula. It is kept as text; nothing ran.'))
  const bare = text.replace(/\\\\|\\[{}$]/g, '')
  const dollars = bare.split('$').length - 1
  let depth = 0
  let least = 0
  for (const character of bare) {
    if (character === '{') depth++
    else if (character === '}') least = Math.min(least, --depth)
  }
  if (depth !== 0 || least < 0 || dollars % 2 !== 0) notes.push(note('latex-unbalanced', field, 'Braces or dollar signs of its LaTeX do not pair.'))
  return notes
}

function isBirthDate (found: string): boolean {
  const month = Number(found.slice(2, 4))
  const day = Number(found.slice(4, 6))
  return month >= 1 && month <= 12 && day >= 1 && day <= 31
}

function isLuhn (found: string): boolean {
  const digits = found.replace(/\D/g, '')
  let sum = 0
  for (let at = 0; at < digits.length; at++) {
    const digit = Number(digits[digits.length - 1 - at])
    const twice = at % 2 === 1 ? digit * 2 : digit
    sum += twice > 9 ? twice - 9 : twice
  }
  return sum % 10 === 0
}
