/**
 * A reply as the rules read it: reasoning gone, characters in one form, Markdown and LaTeX
 * wrappers off, runs of blanks as one; with the way back to the raw reply.
 *
 * Runs of blanks are short here, so the patterns that read it cannot backtrack far.
 */
import { codePointsIn } from '../text/code-points.ts'
import { withoutReasoning, type Stretch } from './reasoning.ts'

export interface View {
  text: string
  /** For each UTF-16 unit of `text`: the code points of the raw reply it stands for. */
  starts: Int32Array
  ends: Int32Array
}

/** The wrappers whose braces go with them; \boxed stays, for it says "this is my answer". */
const wrapper = /\\{1,2}(?:text|textbf|textit|textrm|mathrm|mathbf|mathit|mathsf|emph|bf|rm) ?\{?/y
const boxed = /\\{1,2}(?:boxed|fbox|framebox) ?\{/y
const mathMark = /\\{1,2}[()[\]!]|\$/y
/** A blank of LaTeX, and a line break of JSON: no command starts with n and anything but a small letter. */
const writtenBlank = /\\{1,2}(?:([,;: ])|n(?![a-z]))/y
const struck = /~~[^~\n]{1,200}~~/y
/** HTML that shows what it holds; <answer> says something and stays. */
const htmlTag = /<\/?(?:b|i|u|em|strong|mark|code|span|font|sub|sup|(p|div|br|li|ul|ol|pre|h[1-6]|body|html|section))(?: [a-z-]{1,30} ?=[^<>]{0,200})? ?\/?>/iy
const piece = /[\s\S]/uy
/** A character and what combines with it: marks, and Hangul vowels and finals. */
const combined = /\P{M}[\p{M}\u1160-\u11ff]*|\p{M}+/uy

const circled = new Map<string, string>()
function addCircled (first: number, labels: Iterable<string>): void {
  let code = first
  for (const label of labels) circled.set(String.fromCodePoint(code++), `[${label}]`)
}
const numbers = (count: number) => Array.from({ length: count }, (_, i) => String(i + 1))
addCircled(0x2460, numbers(20))
addCircled(0x2776, numbers(10))
addCircled(0x2780, numbers(10))
addCircled(0x278a, numbers(10))
addCircled(0x24b6, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ')
addCircled(0x24d0, 'abcdefghijklmnopqrstuvwxyz')
addCircled(0x3260, 'ㄱㄴㄷㄹㅁㅂㅅㅇㅈㅊㅋㅌㅍㅎ')
addCircled(0x326e, '가나다라마바사아자차카타파하')
addCircled(0x3200, 'ㄱㄴㄷㄹㅁㅂㅅㅇㅈㅊㅋㅌㅍㅎ')

const oneForm = new Map([...circled,
  ['“', '"'], ['”', '"'], ['„', '"'], ['‘', "'"], ['’', "'"], ['‛', "'"], ['‑', '-'],
  ['\u200b', ''], ['\u200c', ''], ['\u200d', ''], ['\u2060', ''], ['\ufeff', ''], ['\u00ad', '']])

/** NFKC, but circled labels as bracketed ones and single Hangul letters as they are. */
export function inOneForm (character: string): string {
  const known = oneForm.get(character)
  if (known !== undefined) return known
  return /^[ㄱ-ㆎ]$/.test(character) ? character : character.normalize('NFKC')
}

/** Text of an option as it would look in a view. */
export function normalForm (text: string): string {
  return viewOf(text, [[0, text.length]]).text.trim()
}

/** The view of a reply, or null if its reasoning never ends. */
export function viewOfReply (reply: string): View | null {
  const stretches = withoutReasoning(reply)
  return stretches === null ? null : viewOf(reply, stretches)
}

function viewOf (raw: string, stretches: readonly Stretch[]): View {
  const out: string[] = []
  const starts: number[] = []
  const ends: number[] = []
  const put = (shown: string, start: number, end: number) => {
    for (const unit of shown.split('')) {
      const blank = /[\n\r\u2028\u2029]/.test(unit) ? '\n' : /\s/.test(unit) ? ' ' : null
      const before = out.at(-1)
      if (blank !== null && (before === ' ' || before === '\n')) {
        if (blank === '\n') out[out.length - 1] = '\n'
        continue
      }
      out.push(blank ?? unit)
      starts.push(start)
      ends.push(end)
    }
  }
  let codePoints = 0
  let done = 0
  for (const [from, to] of stretches) {
    codePoints += codePointsIn(raw, done, from)
    put('\n', codePoints, codePoints)
    for (let at = from; at < to;) {
      const { length, shown } = nextPiece(raw, at)
      const end = codePoints + codePointsIn(raw, at, at + length)
      put(shown, codePoints, end)
      codePoints = end
      at += length
    }
    done = to
  }
  return { text: out.join(''), starts: Int32Array.from(starts), ends: Int32Array.from(ends) }
}

/** The next stretch of raw text that is shown, or hidden, as a whole. */
function nextPiece (raw: string, at: number): { length: number, shown: string } {
  const unit = raw[at]!
  if (unit === '\\' || unit === '$') {
    const box = matchAt(boxed, raw, at)
    if (box !== null) return { length: box.length, shown: '\\boxed{' }
    writtenBlank.lastIndex = at
    const between = writtenBlank.exec(raw)
    if (between !== null) return { length: between[0].length, shown: between[1] === undefined ? '\n' : ' ' }
    const gone = matchAt(wrapper, raw, at) ?? matchAt(mathMark, raw, at)
    if (gone !== null) return { length: gone.length, shown: '' }
  }
  if (unit === '<') {
    htmlTag.lastIndex = at
    const tag = htmlTag.exec(raw)
    if (tag !== null) return { length: tag[0].length, shown: tag[1] === undefined ? '' : '\n' }
  }
  if (unit === '~') {
    const gone = matchAt(struck, raw, at)
    if (gone !== null) return { length: gone.length, shown: '' }
  }
  if (unit === '*' || unit === '`') return { length: 1, shown: '' }
  if (unit === '_' && !isInsideWord(raw, at)) return { length: 1, shown: '' }
  if (unit === '#' || unit === '>') {
    const first = at === 0 || raw[at - 1] === '\n' || raw[at - 1] === '#' || raw[at - 1] === '>'
    return { length: 1, shown: first ? '' : unit }
  }
  if (unit < '\u0080' && !(raw[at + 1]! > '\u02ff')) return { length: 1, shown: unit }
  const whole = matchAt(combined, raw, at) ?? matchAt(piece, raw, at) ?? unit
  return { length: whole.length, shown: inOneForm(whole) }
}

function isInsideWord (raw: string, at: number): boolean {
  return /[\p{L}\p{N}_]/u.test(raw[at - 1] ?? ' ') && /[\p{L}\p{N}_]/u.test(raw[at + 1] ?? ' ')
}

function matchAt (pattern: RegExp, text: string, at: number): string | null {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0] ?? null
}

/** Code points of the raw reply behind `text.slice(from, to)`; half-open. */
export function spanOf (view: View, from: number, to: number): [number, number] {
  return [view.starts[from]!, view.ends[to - 1]!]
}
