/** The phrases by which a reply commits to an answer. This table is what an auditor reads. */
import { isDeniedCommitment, type Found, type Reader } from './read.ts'

export interface Rule {
  id: string
  /** Where it matches, the answer starts: behind the match, or at it if `before`. */
  pattern: RegExp
  before?: boolean
  /** So short a phrase that the answer must end its clause. */
  terminal?: boolean
}

const answer = '(?:answer|ans|conclusion|solution|verdict|' +
  '(?:correct|right|best|final) (?:option|choice|letter|one|statement)|my choice)'
const link = '(?::|=|->|→|⇒|(?:is|was|would be|should be|must be|will be|has to be|remains)(?!\\p{L}))'
const adverb = '(?: (?:therefore|thus|then|indeed|clearly|definitely|most likely|probably))?:?'
const bareLabel = '[(\\[]?(?:[A-T]|\\d{1,2}(?=번| |[)\\]])|[가나다라마바사아자차카타파하ㄱ-ㅎ](?=번|[)\\]]))[)\\]]?'

const everywhere: Rule[] = [
  { id: 'boxed', pattern: /\\boxed\{ ?/gi },
  { id: 'answer-tag', pattern: /<answer> ?/gi },
  {
    id: 'anchor-en',
    pattern: new RegExp(`(?<!\\p{L})${answer}(?: (?:to|for|of|here)(?: [^\\n.:?]{1,60}?)?)?["']? ?${link}${adverb} ?`, 'giu')
  },
  { id: 'anchor-ko', pattern: /(?<![가-힣])(?:최종 ?|올바른 ?|맞는 ?)?(?:정답|답안|해답|답변|답|결론|선택)(?!이다|이야|이에요|이며|이고|입니다|임)["']?(?:은|는|이|을)? ?[:=]? ?/giu },
  { id: 'anchor-cjk', pattern: /(?:答案|答え|解答|正解|正答|答)["']?(?:应该是|是|为|為|は|选|選)? ?[:=]? ?/giu },
  {
    id: 'anchor-eu',
    pattern: /(?<!\p{L})(?:antwort|réponse|respuesta|resposta|risposta)(?: \p{L}{1,12})? ?(?::|ist|lautet|est|es|è|é)(?!\p{L}) ?/giu
  },
  {
    id: 'therefore',
    pattern: /(?<!\p{L})(?:therefore|thus|hence|so|따라서|그러므로|그래서|因此|所以)[,:]? (?:(?:it|that|this)(?:'s| is| must be| has to be) )?/giu,
    terminal: true
  }
]

const ofChoices: Rule[] = [
  { id: 'choose', pattern: /(?<!\p{L})(?:choose|chose|pick|picked|select|selected|go with|going with|opt for|选择|选) ?/giu },
  {
    id: 'verdict-en',
    pattern: new RegExp(`(?<![\\p{L}\\p{N}'])${bareLabel} (?:is|was|must be|has to be|would be)(?: (?:the|clearly|most|indeed|thus)){0,2} (?:correct|right|best|answer)(?!\\p{L})`, 'gu'),
    before: true
  },
  {
    id: 'verdict-ko',
    pattern: new RegExp(`(?<![\\p{L}\\p{N}])${bareLabel}번?(?:이|가|은|는|을|를)? ?(?:정답|답이|답입|답으로|맞|옳|올바|고르|선택|택)(?!이? ?아)`, 'gu'),
    before: true
  },
  { id: 'leaves', pattern: /(?<!\p{L})(?:leaves|leaving)(?: us with| only)? /giu, terminal: true },
  { id: 'contrast-ko', pattern: /아니라,? ?/gu, terminal: true },
  { id: 'contrast-en', pattern: /(?<!\p{L})but (?:rather |instead )?/giu, terminal: true }
]

const ofStatements: Rule[] = [{
  id: 'statement',
  pattern: /(?<!\p{L})(?:statement|claim|assertion|proposition)(?: is| was) (?:therefore |thus |indeed |clearly )?(?=true|false)/giu
}]

export const rules = {
  choice: [...everywhere, ...ofChoices],
  binary: [...everywhere, ...ofStatements]
}

/** After "the answer is": that there is none. Takes an earlier commitment back. */
const withheld = /^["' ]{0,3}(?:(?:i|we) )?(?:do not|don't|can't|cannot|unsure|not sure|uncertain|unknown|unclear|none\b|no answer|n\/a|undetermined|모르|모름|알 수 없|없음|없습니다)/i

export interface Commitment extends Found { rule: string }

/** All commitments of a text, in the order of their place; readers are tried in turn. */
export function commitmentsOf (
  text: string, list: readonly Rule[], readers: readonly Reader[]
): Commitment[] {
  const found = new Map<number, Commitment>()
  for (const rule of list) {
    for (const match of text.matchAll(rule.pattern)) {
      const at = rule.before === true ? match.index : match.index + match[0].length
      if (isDeniedCommitment(text, match.index)) continue
      const one = commitmentAt(text, at, { rule, readers })
      if (one !== null && !found.has(one.from)) found.set(one.from, { ...one, rule: rule.id })
    }
  }
  return [...found.values()].sort((a, b) => a.from - b.from)
}

interface Reading { rule: Rule, readers: readonly Reader[] }

function commitmentAt (text: string, at: number, { rule, readers }: Reading): Found | null {
  const [texts, ...labels] = readers
  const named = texts!(text, at)
  if (named !== null) return rule.terminal !== true || endsClause(text, named.to) ? named : null
  const anchored = rule.id.startsWith('anchor') || rule.id === 'boxed'
  if (anchored && withheld.test(text.slice(at, at + 30))) {
    return { index: null, reason: 'unparsed', from: at, to: Math.min(text.length, at + 1) }
  }
  for (const read of labels) {
    const one = read(text, at)
    if (one !== null && (rule.terminal !== true || endsClause(text, one.to))) return one
  }
  return null
}

function endsClause (text: string, to: number): boolean {
  return /^["')\]}]{0,3} ?(?:입니다|이다|임)?(?:[.!,;。]|\n|$)/.test(text.slice(to, to + 12))
}
