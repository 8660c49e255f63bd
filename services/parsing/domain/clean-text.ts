/** Characters as the Document contract wants them, and lines joined into running text. */

const ligatures: Record<string, string> = {
  ﬀ: 'ff',
  ﬁ: 'fi',
  ﬂ: 'fl',
  ﬃ: 'ffi',
  ﬄ: 'ffl',
  ﬅ: 'st',
  ﬆ: 'st'
}

/** NFC, ligatures expanded, invisible and control characters gone, one space for any white space. */
export function cleanText (text: string): string {
  return text
    .replace(/[\uFB00-\uFB06]/g, ligature => ligatures[ligature]!)
    // eslint-disable-next-line no-control-regex -- fonts without names leave control codes
    .replace(/[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u00AD\u200B-\u200F\u202A-\u202E\u2060-\u206F\uFEFF\uFFF0-\uFFFF]/g, '')
    .replace(/[\uE000-\uF8FF]|\uDB40[\uDC00-\uDC7F]/g, '')
    .replace(/\p{Cs}/gu, '')
    .replace(/\s+/g, ' ')
    .normalize('NFC')
    .trim()
}

const cjk = /[\u1100-\u11FF\u2E80-\u9FFF\uAC00-\uD7AF\uF900-\uFAFF\uFF00-\uFFEF]/u

export interface TextLine { text: string, hyphen: boolean }

/**
 * Running text of lines. A hyphen at a line end goes when the word continues in lower case, unless
 * `words` (lower case, of the whole paper) shows that the compound is written with one.
 */
export function joinLines (lines: readonly TextLine[], words: ReadonlyMap<string, number>): string {
  let text = ''
  for (const line of lines) {
    const next = line.text.trim()
    if (next === '') continue
    if (text === '') text = next
    else if (/[\p{L}\p{N}][-\u2010]$/u.test(text)) text = joinHyphen(text, next, words)
    else if (/[\u2013\u2014/]$/.test(text) && !/\s.$/.test(text)) text += next
    else if (cjk.test(text.slice(-1)) && cjk.test(next.slice(0, 1))) text += cjkGap(text, next) + next
    else text += ` ${next}`
  }
  return cleanText(text)
}

function joinHyphen (text: string, next: string, words: ReadonlyMap<string, number>): string {
  const left = /[\p{L}\p{N}-]+$/u.exec(text.slice(-60, -1))?.[0] ?? ''
  const right = /^[\p{L}\p{N}]+/u.exec(next)?.[0] ?? ''
  if (!/^\p{Ll}/u.test(right)) return text + next
  if (/\d$/.test(left)) return text + next
  const joined = words.get((left + right).toLowerCase()) ?? 0
  const kept = words.get(`${left}-${right}`.toLowerCase()) ?? 0
  return kept > joined ? text + next : text.slice(0, -1) + next
}

/** Korean keeps spaces between words but breaks lines anywhere; Chinese and Japanese have none. */
function cjkGap (text: string, next: string): string {
  const korean = /[\uAC00-\uD7AF]$/u.test(text) && /^[\uAC00-\uD7AF]/u.test(next)
  return korean && /[.?!)\u201D]$/u.test(text) ? ' ' : ''
}

/** How often each word occurs inside lines, hyphenated compounds included. */
export function countWords (lines: readonly TextLine[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { text } of lines) {
    // The last word of a line may be half a word.
    const words = text.toLowerCase().match(/[\p{L}\p{N}]+(?:-[\p{L}\p{N}]+)*/gu) ?? []
    for (const word of words.slice(0, -1)) counts.set(word, (counts.get(word) ?? 0) + 1)
  }
  return counts
}

/** Lower-case letters and digits only: what two settings of one heading share. */
export function bareText (text: string): string {
  return text.normalize('NFKC').toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
}

/** "A B S T R A C T" as "ABSTRACT"; other text unchanged. */
export function closeLetterSpacing (text: string): string {
  const letters = text.trim().split(' ')
  const spaced = letters.length >= 4 && letters.every(letter => /^[\p{L}:.]{1,2}$/u.test(letter))
  return spaced ? letters.join('') : text
}
