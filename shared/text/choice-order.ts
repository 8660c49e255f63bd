/** In which order the choices of an item may be shown without changing what they say. */
import { inHashOrder } from '../contracts/hash.ts'

/** Says something of the choices that stand before it, and so must stand behind them. */
const ofThoseAbove = [
  /\b(?:all|none|any|both|neither|each|some|two|three) of (?:the|these|those) (?:above|others?|choices|options|answers|statements|listed|previous|preceding)\b/iu,
  /^(?:all|none|both|neither) of (?:these|those)[.!]?$/iu,
  /\b(?:all|none|neither|both) (?:the )?above\b/iu,
  /^(?:all|none|both|neither)(?: are)?(?: of them)?(?: (?:correct|right|true|wrong|false|apply))?[.!]?$/iu,
  /위(?:의)? ?(?:보기|것|내용|항목|선택지|모두|모든|전부|[두세네둘셋넷])|(?:모두|전부) ?(?:정답|맞|옳|틀|해당|아니|아님)|(?:정답|해당(?: ?사항)?|답) ?없음/u,
  /(?:상기|앞의|이상의?) ?(?:보기|것|내용|항목|선택지|모두|모든|전부|[두세네둘셋넷])|^(?:모두|전부|(?:모두|둘|셋|넷) 다)[.]?$/u,
  /以上(?:の|都|均|皆|全|すべて|いずれ)|上[記述](?:の|都|均|皆|全|所有|すべて|いずれ)|(?:すべて|全て|いずれも)(?:正し|誤|当てはま)|該当なし|^(?:すべて|全て|全部|都对|都不对)[。.]?$/u,
  /\b(?:alle|keine|keiner|keines) (?:der )?(?:oben|genannten|obigen|antworten?)|\b(?:toutes|aucune) (?:ces|de ces|les)|\b(?:todas|todos|ninguna|ninguno)\b.{0,20}\b(?:anteriores|correct[ao]s?)\b/iu,
  /(?:كل|جميع|أي|شيء) ?(?:ما|مما|من)? ?(?:سبق|ذكر|تقدم)|جميع الإجابات/u
]

const joined = String.raw`(?: ?[,、،;&/+~] ?| (?:and|or|nor|und|oder|noch|et|ou|ni|y|o|e) | ?(?:와|과|및|또는|하고|と|や|和|与|與|及|و) ?)+`
/** Beside one label alone. */
const before = '(?:[Oo]nly|[Jj]ust|[Nn]ot|[Ee]xcept(?: for)?|[Bb]ut|[Ss]ame as|[Bb]oth|[Nn]either|[Ee]ither|(?:[Oo]ption|[Cc]hoice|[Aa]nswer|[Ss]tatement)s?)'

/** Names other choices by their letter or number: "Both A and C", "①만", "1번과 2번". */
const byLabel = [
  new RegExp(String.raw`(?<![\p{L}\p{N}])\(?[A-H][.)]?${joined}\(?[A-H]\)?(?![\p{L}\p{N}])`, 'u'),
  new RegExp(String.raw`(?<![\p{L}\p{N}])\([a-h]\)${joined}\([a-h]\)`, 'u'),
  new RegExp(String.raw`\b${before} \(?[A-H]\)?(?![\p{L}\p{N}])|\b${before} \([a-h]\)|(?<![\p{L}\p{N}])\(?[A-H]\)? only\b`, 'u'),
  /[①-⑳]/u,
  /\d번 ?(?:,|와|과|및) ?\d번/u,
  /^(?:both )?(?:of )?the (?:first|last|previous|other) (?:two|three|four|ones?)[.]?$/iu
]

/** The same in signs that may as well count, or name what the question lists: then every choice has them. */
const byCommonSign = [
  new RegExp(String.raw`^(?:${before} )?\(?(\d{1,2}|[a-h]|[IVX]{1,4}|[가나다라마]|[ㄱ-ㅎ])[.)]?(?:${joined}\(?(?:\d{1,2}|[a-h]|[IVX]{1,4}|[가나다라마]|[ㄱ-ㅎ])\)?)+(?: ?(?:only|모두|만|둘 다).{0,12})?[.]?$`, 'u'),
  /(?:\b(?:options?|choices?|answers?|statements?)|보기|선택지) ?\(?\d{1,2}\)?(?!\d)/iu,
  /\d번(?:만|이|은|을|도|$)/u
]

function namesOthers (choices: readonly string[]): boolean {
  if (choices.some(choice => byLabel.some(pattern => pattern.test(choice)))) return true
  const naming = choices.filter(choice => byCommonSign.some(pattern => pattern.test(choice.trim())))
  return naming.length > 0 && naming.length < choices.length
}

const ofChoice = [
  /[①-⑳]|\d번(?!\p{L})|\d번(?:이|은|을|만|과|와|의)/u,
  /(?:정답|답|보기|선택지)(?:은|는)? ?:? ?\(?(?:\d|[A-H])\)?(?![\p{L}\p{N}.])/u,
  /\b(?:[Oo]ption|[Cc]hoice|[Aa]nswer)s?(?: is| are)?:? ?\(?[A-H1-9]\)?(?![\p{L}\p{N}]|\.\d)/u,
  /(?:^|[.;] )\(?[A-H]\)? (?:is|are)\b/u
]

/** Whether a text beside the choices calls one by its number or letter, which holds in their order only. */
export function namesChoice (text: string): boolean {
  return ofChoice.some(pattern => pattern.test(text))
}

/**
 * @param choices  as in the benchmark
 * @param seed     of this item's order
 * @returns        order[i] is the place in `choices` of the i-th one shown. Those at the end that speak of
 *                 the ones above stay there; where one stands elsewhere, or names others by their letter,
 *                 any other order would change what is asked, and the order is as written
 */
export function choiceOrder (choices: readonly string[], seed: string): number[] {
  const written = [...choices.keys()]
  if (namesOthers(choices)) return written
  const anchored = choices.map(choice => ofThoseAbove.some(pattern => pattern.test(choice.trim())))
  const free = anchored.includes(true) ? anchored.indexOf(true) : choices.length
  if (anchored.slice(free).includes(false)) return written
  return [...inHashOrder(written.slice(0, free), index => `${seed}/${index}`), ...written.slice(free)]
}
