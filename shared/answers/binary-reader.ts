/** Reads yes and no, in the words that mean them. */
import { isDeniedAfter, type Found, type Reader } from './read.ts'

/** Index 0 is Yes, 1 is No, as in every binary item. */
const words = [
  ['yes', 'true', '예', '네', '그렇다', '그렇습니다', '참', '맞다', '맞습니다', 'ja', 'oui', 'sí', 'sim', '是', '是的', 'はい'],
  ['no', 'false', '아니오', '아니요', '아뇨', '아니다', '아닙니다', '거짓', '틀리다', 'nein', 'non', '否', '不是', 'いいえ']
]
const indexOf = new Map(words.flatMap((list, index) => list.map(word => [word, index] as const)))
const longestFirst = [...indexOf.keys()].sort((a, b) => b.length - a.length || (a < b ? -1 : 1))
const word = new RegExp(`(?:["'([{<:]| (?=\\S)){0,5}(${longestFirst.join('|')})(?![\\p{L}\\p{N}_'])`, 'iuy')
const particled = /(?:["'([{<:]| (?=\S)){0,5}(예|네|아니오|아니요|참|거짓)(?=입니다|이다|요)/uy
const joint = /["')\]}]{0,2} ?(?:,? ?(?:and|or)|[/&]) ?/iy

function wordAt (text: string, at: number): Found | null {
  for (const pattern of [word, particled]) {
    pattern.lastIndex = at
    const match = pattern.exec(text)
    if (match === null) continue
    const to = at + match[0].length
    return { index: indexOf.get(match[1]!.toLowerCase())!, from: to - match[1]!.length, to }
  }
  return null
}

/** Reads a yes or no that starts at a place. "Yes and no" is neither. */
export const yesNoReader: Reader = (text, at) => {
  const found = wordAt(text, at)
  if (found === null || /^["')\]}]{0,3} ?\?/.test(text.slice(found.to, found.to + 6))) return null
  // "No, it is not" does not take the no back.
  const paused = /^["')\]}]{0,3}[,.]/.test(text.slice(found.to, found.to + 4))
  if (!paused && isDeniedAfter(text, found.to)) return null
  joint.lastIndex = found.to
  const between = joint.exec(text)?.[0]
  const next = between === undefined ? null : wordAt(text, found.to + between.length)
  return next !== null && next.index !== found.index
    ? { ...found, index: null, reason: 'multiple' }
    : found
}
