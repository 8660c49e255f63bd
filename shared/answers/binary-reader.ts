/** Reads yes and no, in the words that mean them. */
import { isDeniedAfter, type Found, type Reader } from './read.ts'

/** Index 0 is Yes, 1 is No, as in every binary item. */
const words = [
  ['yes', 'true', 'correct', '예', '네', '그렇다', '그렇습니다', '참', '맞다', '맞습니다', '옳다', '옳습니다', 'ja', 'oui', 'sí', 'sim', '是', '是的', 'はい'],
  ['no', 'false', 'incorrect', '아니오', '아니요', '아뇨', '아니다', '아닙니다', '거짓', '틀리다', '틀립니다', '틀렸다', '틀렸습니다', '그렇지 않다', '그렇지 않습니다', '옳지 않다', '옳지 않습니다', '맞지 않다', '맞지 않습니다', 'nein', 'non', '否', '不是', 'いいえ']
]
const initials = ['y', 'n']
const indexOf = new Map([...words, ...initials].flatMap((list, index) =>
  [...list].map(word => [word, index % 2] as const)))
const longestFirst = words.flat().sort((a, b) => b.length - a.length || (a < b ? -1 : 1))
const word = new RegExp(`(?:["'([{<:]| (?=\\S)){0,5}(${longestFirst.join('|')})(?!'?\\p{L}|[\\p{N}_])`, 'iuy')
const particled = /(?:["'([{<:]| (?=\S)){0,5}(예|네|아니오|아니요|참|거짓)(?=입니다|이다|요)/uy
/** Y and N are answers where nothing follows them; elsewhere they are initials and quantities. */
const initial = /(?:["'([{<:]| (?=\S)){0,5}([YN])(?=["')\]}]{0,3} ?[.!]?(?:\n|$))/uy
/** "No evidence", "no longer", "No. 3": the no belongs to what follows. */
const notAnAnswer = /^\. ?\d|^ (?!(?:it|this|that|these|those|they|he|she|we|you|i|there|the|and|or|but|so|as|not|because|since|if|in|on|at|for|from|by|with|due|based|according)\b)\p{L}/iu
const joint = /["')\]}]{0,2} ?(?:,? ?(?:and|or)|[/&]) ?/iy

const comma = /["')\]}]{0,2}, /y
const clauseEnd = /^["')\]}]{0,3}(?:[.!,;]|\n|$)/

function wordAt (text: string, at: number): Found | null {
  for (const pattern of [word, particled, initial]) {
    pattern.lastIndex = at
    const match = pattern.exec(text)
    if (match === null) continue
    const to = at + match[0].length
    if (/^no$/i.test(match[1]!) && notAnAnswer.test(text.slice(to, to + 20))) return null
    return { index: indexOf.get(match[1]!.toLowerCase())!, from: to - match[1]!.length, to }
  }
  return null
}

/** The other answer of "yes and no", or of "yes, no" where nothing follows. */
function nextWord (text: string, at: number): Found | null {
  for (const [between, whole] of [[joint, false], [comma, true]] as const) {
    between.lastIndex = at
    const length = between.exec(text)?.[0].length
    const next = length === undefined ? null : wordAt(text, at + length)
    if (next !== null && (!whole || clauseEnd.test(text.slice(next.to, next.to + 5)))) return next
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
  const next = nextWord(text, found.to)
  return next !== null && next.index !== found.index
    ? { ...found, index: null, reason: 'multiple' }
    : found
}
