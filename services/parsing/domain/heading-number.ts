/** Numbers of headings: "2.1", "IV.", "B.", "Appendix A", "2 |", "제1장", "가." and the text behind. */

/** Square and triangular marks that some publishers set before a heading. */
const ornament = /^[\u25A0-\u25FF\u2756\u2757\u2776\u2588\u2759\u2022]\s*/

const forms = [
  // 1, 1., 2.1, 2-1, 3.1.2; "1 |" in one family of layouts; "§ 2".
  '(?:\u00A7 ?)?(\\d{1,2}(?:[.-]\\d{1,2}){0,4})(?:[.):\uFF0E]|\\.?\\s*\\|)?',
  '([IVX]{1,5}(?:\\.\\d{1,2}){0,2})(?:[.):]|\\s*\\|)',
  '([IVX]{1,5}(?:\\.[IVX]{1,4}){1,3})[.)]?',
  '([A-H](?:\\.\\d{1,2}){1,3})[.):]?',
  '([A-H])(?:[.):]|\\s*\\|)',
  '([\u2160-\u216B])\\s?[.)]?',
  '\uC81C ?(\\d{1,2}) ?[\uC7A5\uC808]',
  '([\uAC00\uB098\uB2E4\uB77C\uB9C8\uBC14\uC0AC\uC544])[.)]',
  '(?:Appendix|APPENDIX|Annex|ANNEX) ([A-Z0-9]{1,2})(?:\\s*[.:|\u2014\u2013-]|(?=\\s))'
]
const numbered = new RegExp(`^(?:${forms.join('|')})\\s+(?=\\S)`)
/** A bare figure before a word in lower case counts things: "5 mg", "3 of". */
const punctuated = /[.):|\uFF0E]\s+$/

/**
 * Splits "2.1 Model" into number and title; the number is empty when there is none.
 *
 * @param text of the heading's lines, joined
 */
export function splitNumber (text: string): { number: string, title: string } {
  const plain = text.replace(ornament, '')
  const match = numbered.exec(plain)
  if (match === null) return { number: '', title: plain }
  const number = match.slice(1).find(part => part !== undefined) ?? ''
  const title = plain.slice(match[0].length)
  if (!/^["'\u201C(]?[\p{L}]/u.test(title)) return { number: '', title: plain }
  const counts = /^\d+$/.test(number) && /^\p{Ll}{2}/u.test(title) && !punctuated.test(match[0])
  return counts ? { number: '', title: plain } : { number, title }
}

/** What a number is made of; numbers of one form count one level (or, dotted, one family). */
export type NumberForm = 'roman' | 'letter' | 'arabic' | 'hangul' | 'none'

export function formOf (number: string): NumberForm {
  if (number === '') return 'none'
  if (/^\d/.test(number)) return 'arabic'
  if (/^[IVX]+(?:\.|$)|^[\u2160-\u216B]$/.test(number)) return 'roman'
  if (/^[A-Z]/.test(number)) return 'letter'
  return 'hangul'
}

/** Parts of a dotted number: 3 for "2.1.4"; 0 of none. */
export function partsOf (number: string): number {
  return number === '' ? 0 : number.split(/[.-]/).filter(part => part !== '').length
}
