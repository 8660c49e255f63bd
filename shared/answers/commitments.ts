/** The phrases by which a reply commits to an answer. This table is what an auditor reads. */
import { isDeniedCommitment, isDeniedVerdict, isSupposed, type Found, type Reader } from './read.ts'

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
const link = '(?::|=|->|→|⇒|[-–—](?= )|(?:is|was|would be|should be|must be|will be|has to be|remains|can only be)(?!\\p{L}))'
const adverb = '(?: (?:therefore|thus|then|indeed|clearly|definitely|most likely|probably))?:?'
const bareLabel = '[(\\[]?(?:[A-T]|\\d{1,2}(?=번|[ 이가은는을를]|[)\\]])|[가나다라마바사아자차카타파하ㄱ-ㅎ](?=번|[)\\]]))[)\\]]?'
// Not the second of two: "A or B is right" is right about neither.
const alone = '(?<!(?:[A-T]|번|\\d|[)\\]])(?:과|와| ?및| ?또는| ?혹은| ?,| and| or| nor| ?&) ?)'
// "The answer to a similar question was A" is about another one.
const ofThis = '(?:to|for|of|here)(?! (?:an?|another|other|some|similar|the (?:other|previous|last|first|second))\\b)'

const everywhere: Rule[] = [
  { id: 'boxed', pattern: /\\boxed\{ ?/gi },
  { id: 'answer-tag', pattern: /<(?:(?:final[_ ]?)?answer|final)>[ \n]?/gi },
  {
    id: 'anchor-en',
    pattern: new RegExp(`(?<!\\p{L})${answer}(?: ?\\([^()\\n]{1,40}\\))?(?: ${ofThis}(?: [^\\n.:?]{1,60}?)?)?["']? ?${link}${adverb} ?`, 'giu')
  },
  { id: 'anchor-ko', pattern: /(?<![가-힣])(?:최종 ?|올바른 ?|맞는 ?)?(?:정답|답안|해답|답변|답|결론|선택)(?: ?번호)?(?!이다|이야|이에요|이며|이고|입니다|임)["']?(?:은|는|이|을)? ?[:=]? ?(?:다음과 같(?:다|습니다)[.:]? ?)?/giu },
  { id: 'right-one-ko', pattern: /(?<!지 않은 ?)(?<![가-힣])(?:옳은|맞는|적절한|올바른|알맞은|적합한|해당하는|정확한) ?(?:것|보기|선택지|설명|문장)(?:은|는) ?:? ?/gu },
  { id: 'anchor-cjk', pattern: /(?:答案|答え|解答|正解|正答|答)["']?(?:应该是|是|为|為|は|选|選)? ?[:=]? ?/giu },
  {
    id: 'anchor-eu',
    pattern: /(?<!\p{L})(?:antwort|antwoord|réponse|respuesta|resposta|risposta|svar|odpowiedź|ответ|cevap|jawaban)(?: \p{L}{1,12})? ?(?::|ist|lautet|est|es|è|é)(?!\p{L}) ?/giu
  },
  {
    id: 'json-key',
    pattern: /["'](?:\p{L}{1,12}_)?(?:choice|option|label|letter|pick|selection|prediction|verdict|선택지?|보기|번호)["'] ?: ?/giu
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
    pattern: new RegExp(`(?<![\\p{L}\\p{N}'])${alone}${bareLabel} (?:is|was|must be|has to be|would be)(?: (?:the|clearly|most|indeed|thus|therefore|only)){0,3} (?:correct|right|best|answer)(?!\\p{L})`, 'gu'),
    before: true
  },
  {
    id: 'verdict-cjk',
    pattern: /(?<![\p{Script=Latin}\p{N}])[A-T](?:项|項|选项|選項)?(?:が|は|是|为|為)?(?:正しい|正解|正确|正確|答案|答え)/gu,
    before: true
  },
  {
    id: 'verdict-ko',
    pattern: new RegExp(`(?<![\\p{L}\\p{N}])${alone}${bareLabel}번?(?: ?(?:보기|선택지|문항))?(?:이|가|은|는|을|를)?:? ?(?:정답|답이|답입|답으로|맞|옳|올바|고르|선택|택)(?!이? ?아|(?:르|하)?지 ?(?:않|못|말)|[^.,!?\\n]{0,15}(?:수(?:는|가)? 없|안 ?[된됩되]|아니))`, 'gu'),
    before: true
  },
  {
    id: 'opinion-ko',
    pattern: new RegExp(`(?<![\\p{L}\\p{N}])${bareLabel}번?(?:이라고|라고) (?:생각|보|본|봅|판단)`, 'gu'),
    before: true
  },
  {
    id: 'opinion-en',
    pattern: /(?<!\p{L})(?:my (?:best )?guess(?: is|:)|(?:i|we)(?:'d| would)? guess|(?:i|we)(?:'d| would) say|(?:i|we) (?:think|believe)(?: it(?:'s| is))?) (?:option )?/giu,
    terminal: true
  },
  {
    id: 'it-is',
    pattern: /(?<=^|[.!?,;\n] ?)(?:it|this|that)(?:'s| is| must be| has to be)(?: (?:clearly|therefore|thus))? (?=[("'[]?[A-T][)"'\]]?(?:[.!;,]|\n|$))/giu
  },
  { id: 'leaves', pattern: /(?<!\p{L})(?:leaves|leaving)(?: us with| only)? /giu, terminal: true },
  { id: 'therefore-ko', pattern: /(?<=\p{L})(?:므로|때문에|니까|으니),? ?/gu, terminal: true },
  { id: 'contrast-ko', pattern: /아니라,? ?/gu, terminal: true },
  { id: 'contrast-again', pattern: /(?<![\p{L}\p{N}])(?:아니,|아니다,|no,|wait,|actually,?) /giu, terminal: true },
  { id: 'contrast-en', pattern: /(?<!\p{L})(?<!\b(?:anything|everything|all|any|none) )but (?:rather |instead )?/giu, terminal: true }
]

const ofStatements: Rule[] = [{
  id: 'statement',
  pattern: /(?<!\p{L})(?:statement|claim|assertion|proposition)(?: is| was) (?:therefore |thus |indeed |clearly )?(?=(?:true|false|correct|incorrect)(?! (?:only|if|unless|provided)(?!\p{L})))/giu
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
      // "Not A but B": what the words before deny is what "but" turns away from.
      const isDenied = rule.before === true ? isDeniedVerdict : isDeniedCommitment
      if (!rule.id.startsWith('contrast') && isDenied(text, match.index)) continue
      if (match[0].includes('would be') && isSupposed(text, match.index)) continue
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
  return /^["')\]}]{0,3}(?: ?번)? ?(?:입니다|이다|임)?(?:[.!,;。]|\n|$)/.test(text.slice(to, to + 12))
}
