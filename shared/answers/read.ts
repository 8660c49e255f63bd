/** What a reader finds at one place of a reply: an option, or why none can be taken from it. */
export interface Found {
  /** 0-based; null where the reply commits to something that is no single option. */
  index: number | null
  reason?: 'multiple' | 'out-of-range' | 'unparsed'
  /** UTF-16 offsets into the view's text, half-open. */
  from: number
  to: number
}

/**
 * Reads an answer that starts at `at`, or finds none there. `loose`: the surroundings say nothing,
 * so that a bare number or syllable is not enough.
 */
export type Reader = (text: string, at: number) => Found | null

/** Up to here a pattern may look back or ahead for words that turn a mention around. */
const reach = 60

const deniedAfter = new RegExp('^["\')\\]}]{0,3}(?: ?번)?(?:' + [
  ' ?(?:is|are|was|were|would be|seems|looks|can be|must be)? ?(?:clearly |also |both |all )?' +
    '(?:not\\b|n\'t|wrong|incorrect|false\\b|eliminated|excluded|ruled out|implausible|untrue)',
  ' ?(?:isn|aren|wasn|can|couldn|won|doesn)\'?t\\b', ' ?cannot\\b', ' ?does not\\b',
  ' ?(?:이|가|은|는|도|을|를)? ?(?:아니|아닙|아닌|틀|오답|제외|배제|거짓|(?:옳|맞|올바르|적절하|정확하|알맞)지 ?(?:않|못))',
  '(?:이라|라|다)?고 ?(?:할|볼|말할) 수(?:는|가)? 없', ' ?일 수(?:도|는)? (?:있|없)',
  '(?:을|를) ?(?:고르|선택하|택하)(?:면 안|지 ?(?:않|못|말))', ', which (?:is|was) (?:wrong|incorrect|not)\\b', '(?:不是|不对|错|ではな|じゃな)'
].join('|') + ')', 'i')

const denial = [
  '\\bnot\\b', 'n\'t\\b', '\\bnever\\b', '\\bneither\\b', '\\bnor\\b', '\\bcannot\\b',
  '\\bexcept\\b', '\\brather than\\b', '\\binstead of\\b', '\\bunlike\\b', '\\bno\\b',
  '\\b(?:eliminat|exclud|rul|reject|discard)(?:e|es|ed|ing)\\b', '\\bwrong\\b', '\\bincorrect\\b',
  '제외', '오답', '틀린', '不是'
].join('|')
const deniedBefore = new RegExp(`(?:${denial})[^.;:!?\\n]*$`, 'i')
const deniedClause = new RegExp(`(?:${denial})[^,.;:!?\\n]*$`, 'i')
const deniedList = /\b(?:eliminated|excluded|ruled out|wrong|incorrect)(?: \w{1,12})?: ?[^\n]*$/i

const supposed = /\b(?:if|had|were)\b[^.;:!?\n]*$/i

/** Whether the words right after a mention take it back ("A is wrong", "A가 아니라"). */
export function isDeniedAfter (text: string, to: number): boolean {
  return deniedAfter.test(text.slice(to, to + reach))
}

/** Whether the words before a mention exclude it ("not A", "Eliminated: (A), (C)"). */
export function isDeniedBefore (text: string, from: number): boolean {
  const before = text.slice(Math.max(0, from - reach), from)
  const contrast = Math.max(before.lastIndexOf('아니라'), before.toLowerCase().lastIndexOf(' but '))
  const own = contrast < 0 ? before : before.slice(contrast + 3)
  return deniedBefore.test(own) || deniedList.test(own)
}

/** Whether a commitment hangs on a condition that does not hold ("If it were red, the answer would be A"). */
export function isSupposed (text: string, from: number): boolean {
  return supposed.test(text.slice(Math.max(0, from - reach), from))
}

/** Whether the clause that leads to a commitment denies it ("I don't think the answer is"). */
export function isDeniedCommitment (text: string, from: number): boolean {
  return deniedClause.test(text.slice(Math.max(0, from - reach), from))
}

/** The same of a verdict, which "and" parts from the one before ("A is wrong and B is correct"). */
export function isDeniedVerdict (text: string, from: number): boolean {
  const before = text.slice(Math.max(0, from - reach), from)
  return deniedClause.test(before.slice(Math.max(0, before.lastIndexOf(' and '), before.lastIndexOf(' while '))))
}
