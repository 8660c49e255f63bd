/** Reads option labels and option texts. */
import { isDeniedAfter, isDeniedBefore, type Found, type Reader } from './read.ts'
import { normalForm } from './view.ts'

const latin = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
const syllables = '가나다라마바사아자차카타파하'
const letters = 'ㄱㄴㄷㄹㅁㅂㅅㅇㅈㅊㅋㅌㅍㅎ'

const lead = /(?:["'([{<:#]|[-•–] | (?=\S)){0,5}(?:(?:option|choice|letter|number|no\.|nr\.|answer|selected|selection|선택지|보기|번호)(?::? |(?=\())["'([{]{0,2})?/iy
const label = new RegExp(`[A-Za-z]|\\d{1,2}|[${syllables}]|[ㄱ-ㅎ]`, 'y')
const joint = /["')\]}]{0,3}(?: ?번)? ?(?:,? ?(?:and\/or|and|or|및|또는|혹은)|[,/&+]|와|과) ?/iy
const ended = /^["')\]}]{0,3} ?(?:[.,;:!)\]}。|-]|\n|$)/
const numberEnded = /^["')\]}]{0,3}(?: ?번| ?(?:입니다|이다|임|예요|이에요|です|号)| (?:is|was|would be|must be)\b|[이가은는을를] ?(?:정답|답|맞|옳|올|선|고|택)|[):\]}]| ?(?:[.,;!。](?!\d)|\n|$))/
const syllableEnded = /^(?:["')\]}]| ?(?:번|입니다|이다)|[.,;!。]|\n|$)/
const continued = /^(?:'\p{L}|[\p{Script=Latin}\p{N}_%\p{Script=Greek}\p{Script=Cyrillic}])/u
const afterArticle = /^ (?!(?:because|since|as|is|was|and|or|but|due|for|which|based|given|it|over|rather|instead)\b)\p{L}/u

interface Label { index: number, from: number, to: number, bracketed: boolean }

/** The reader of the options' labels, for an item with these choices. */
export function labelReader (choices: readonly string[]): Reader {
  const texts = choices.map(comparable)
  return (text, at) => {
    const first = labelAt(text, at)
    if (first === null || /^["')\]}]{0,3} ?\?/.test(text.slice(first.to, first.to + 6))) return null
    if (isDeniedAfter(text, first.to)) return null
    const found: Found = { index: first.index, from: first.from, to: first.to }
    if (first.index >= choices.length) return { ...found, index: null, reason: 'out-of-range' }
    const joined = joinedLabel(text, first)
    if (joined === 'denied') return null
    const named = textAfter(text, first.to, texts)
    const conflict = (joined !== null && joined.index !== first.index) ||
      (named !== null && named !== first.index)
    return conflict ? { ...found, index: null, reason: 'multiple' } : found
  }
}

/** Whether a label there stands in brackets, hence cannot be an article, a pronoun or a number. */
export function isBracketed (text: string, at: number): boolean {
  return labelAt(text, at)?.bracketed === true
}

function labelAt (text: string, at: number): Label | null {
  lead.lastIndex = at
  const start = at + (lead.exec(text)?.[0].length ?? 0)
  label.lastIndex = start
  const sign = label.exec(text)?.[0]
  if (sign === undefined) return null
  const to = start + sign.length
  const bracketed = /[([{]$/.test(text.slice(at, start)) && /^["']?[)\]}]/.test(text.slice(to, to + 2))
  const after = text.slice(to, to + 30)
  if (!endsLabel(sign, after, bracketed)) return null
  return { index: indexOf(sign), from: start, to, bracketed }
}

function endsLabel (sign: string, after: string, bracketed: boolean): boolean {
  if (bracketed) return true
  if (/\d/.test(sign)) return numberEnded.test(after)
  if (!/[A-Za-z]/.test(sign)) return syllableEnded.test(after)
  // A particle may follow without a blank (B입니다), a letter or an apostrophe may not (Don't, I'm).
  if (continued.test(after)) return false
  if (/[a-z]/.test(sign)) return ended.test(after)
  return !((sign === 'A' || sign === 'I') && afterArticle.test(after))
}

function indexOf (sign: string): number {
  if (/\d/.test(sign)) return Number(sign) === 0 ? Infinity : Number(sign) - 1
  return Math.max(latin.indexOf(sign.toUpperCase()), syllables.indexOf(sign), letters.indexOf(sign))
}

/** The label that "and" or a comma joins to a first one; "denied" where both are ("A and C are wrong"). */
function joinedLabel (text: string, first: Label): Label | 'denied' | null {
  joint.lastIndex = first.to
  const between = joint.exec(text)?.[0]
  if (between === undefined) return null
  const next = labelAt(text, first.to + between.length)
  if (next === null) return null
  // "B, C being wrong" names B alone.
  const isDenied = isDeniedAfter(text, next.to) || text.startsWith(' being', next.to)
  if (isDenied) return between.trim() === ',' ? null : 'denied'
  // "B, a green pear": a small letter is a second label only where the first was one too.
  const small = (one: Label) => /[a-z]/.test(text[one.from]!)
  return small(next) === small(first) ? next : null
}

/** Case and outer punctuation do not tell options apart, nor does an article. */
function comparable (text: string): string {
  return normalForm(text).toLowerCase().replace(/[.。]$/, '')
}

/** The option whose text follows a label ("B) green pear"); the longest one. */
function textAfter (text: string, to: number, texts: readonly string[]): number | null {
  const skipped = /^["')\]}]{0,3} ?[.,:)-]? ?/.exec(text.slice(to, to + 8))![0].length
  return optionAt(text, to + skipped, texts)?.index ?? null
}

function optionAt (text: string, at: number, texts: readonly string[]): Found | null {
  let best: Found | null = null
  for (const [index, option] of texts.entries()) {
    const to = at + option.length
    if (option === '' || to <= (best?.to ?? at)) continue
    if (text.slice(at, to).toLowerCase() !== option || !isEdge(text, to)) continue
    best = { index, from: at, to }
  }
  return best
}

/** No letter or digit continues the word; Hangul may (a particle). */
function isEdge (text: string, to: number): boolean {
  const after = text.slice(to, to + 2)
  if (/^[.,]\d/.test(after)) return false
  return !/^[\p{Script=Latin}\p{N}\p{Script=Greek}\p{Script=Cyrillic}]/u.test(after) ||
    !/[\p{Script=Latin}\p{N}\p{Script=Greek}\p{Script=Cyrillic}]/u.test(text[to - 1] ?? ' ')
}

/** A circled number is a label even where an option is that number; options may be circled themselves. */
const boxedNumber = /^["' ]{0,2}\[\d{1,2}\]/

/**
 * The reader of the options' own texts at a place that says "the answer is". An option whose text
 * is the letter of an option ("B", "(B)", "Option B") is read by its letter alone, which is what
 * the prompt asks for; its text would be the letter of another one.
 */
export function optionTextReader (choices: readonly string[]): Reader {
  return readerOfTexts(textsApartFromLetters(choices))
}

/** The same behind a label, where a text can be nothing but a text ("A. B"). */
export function labelledTextReader (choices: readonly string[]): Reader {
  return readerOfTexts(choices.map(comparable))
}

/** Comparable texts, empty where one reads as the letter of an option there is. */
function textsApartFromLetters (choices: readonly string[]): string[] {
  return choices.map(comparable).map(text => {
    const read = labelAt(text, 0)
    const isLetter = read !== null && read.index < choices.length && /[a-z]/.test(text[read.from]!) &&
      /^["')\]}:]{0,3}$/.test(text.slice(read.to))
    return isLetter ? '' : text
  })
}

/** "2번" is the second option, whichever has the text "2". */
const ordinal = /^["')\]}]{0,3} ?번/

function readerOfTexts (texts: readonly string[]): Reader {
  const areBoxed = texts.some(text => boxedNumber.test(text))
  return (text, at) => {
    if (!areBoxed && boxedNumber.test(text.slice(at, at + 6))) return null
    const skipped = /^["'([{ ]{0,3}(?:(?:the|an?) )?/i.exec(text.slice(at, at + 12))![0].length
    const found = optionAt(text, at + skipped, texts) ?? optionAt(text, at, texts)
    if (found === null || isDeniedAfter(text, found.to)) return null
    const counts = /^\d{1,2}$/.test(texts[found.index!]!) && ordinal.test(text.slice(found.to, found.to + 6))
    return counts ? null : found
  }
}

/** Options as short as these occur by chance. */
const mentionCharsMin = 3

/** Every mention of an option's text that is not taken back; inside a longer option's, none. */
export function optionMentions (text: string, choices: readonly string[]): Found[] {
  const texts = textsApartFromLetters(choices)
  const lower = text.toLowerCase()
  // Lower-casing may change lengths (İ); then offsets would lie.
  if (lower.length !== text.length) return []
  const found = new Map<number, Found>()
  for (const option of new Set(texts)) {
    if (option.length < mentionCharsMin || /^[\d.,% -]+$/.test(option)) continue
    for (let at = lower.indexOf(option); at >= 0; at = lower.indexOf(option, at + option.length)) {
      const one = isStart(text, at) ? optionAt(text, at, texts) : null
      if (one !== null) found.set(at, one)
    }
  }
  let reached = 0
  return [...found.values()].sort((a, b) => a.from - b.from).filter(({ from, to }) => {
    const covered = to <= reached
    reached = Math.max(reached, to)
    return !covered && !isDeniedAfter(text, to) && !isDeniedBefore(text, from)
  })
}

function isStart (text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - 2), at)
  return !/[\p{L}\p{N}]$/u.test(before) || /[가-힣\u3040-\u9fff]/.test(text[at]!)
}
