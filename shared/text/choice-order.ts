/** In which order the choices of an item may be shown without changing what they say. */
import { inHashOrder } from '../contracts/hash.ts'

/** Says something of the choices that stand before it, and so must stand behind them. */
const ofThoseAbove = [
  /\b(?:all|none|any|both|neither|each|some|two|three) of (?:the|these|those) (?:above|others?|choices|options|answers|statements|listed|previous|preceding)\b/iu,
  /^(?:all|none|both|neither) of (?:these|those)[.!]?$/iu,
  /\b(?:all|none|neither|both) (?:the )?above\b/iu,
  /^(?:all|none|both|neither)(?: are)?(?: of them)?(?: (?:correct|right|true|wrong|false|apply))?[.!]?$/iu,
  /위(?:의)? ?(?:보기|것|내용|항목|선택지|모두|모든)|모두 ?(?:정답|맞|옳|틀|해당)|정답 ?없음|해당 ?없음|답 ?없음/u,
  /以上(?:の|都|均|皆|全|すべて|いずれ)/u,
  /\b(?:alle|keine|keiner|keines) der (?:oben|genannten|obigen)|\b(?:toutes|aucune) (?:ces|de ces|les)|\b(?:todas|ninguna) (?:las|de las) anteriores/iu
]

/** Names other choices by their letter or number: "Both A and C", "①, ③", "1번과 2번". */
const byLabel = [
  /(?<![\p{L}\p{N}])\(?[A-H]\)?(?: ?,| ?&| ?\/| and| or| und| et| y|와|과| 및)+ ?\(?[A-H]\)?(?![\p{L}\p{N}])/u,
  /[①-⑳].{0,5}[①-⑳]/u,
  /\d번 ?(?:,|와|과|및) ?\d번/u
]

/**
 * @param choices  as in the benchmark
 * @param seed     of this item's order
 * @returns        order[i] is the place in `choices` of the i-th one shown. Those at the end that speak of
 *                 the ones above stay there; where one stands elsewhere, or names others by their letter,
 *                 any other order would change what is asked, and the order is as written
 */
export function choiceOrder (choices: readonly string[], seed: string): number[] {
  const written = [...choices.keys()]
  if (choices.some(choice => byLabel.some(pattern => pattern.test(choice)))) return written
  const anchored = choices.map(choice => ofThoseAbove.some(pattern => pattern.test(choice.trim())))
  const free = anchored.includes(true) ? anchored.indexOf(true) : choices.length
  if (anchored.slice(free).includes(false)) return written
  return [...inHashOrder(written.slice(0, free), index => `${seed}/${index}`), ...written.slice(free)]
}
