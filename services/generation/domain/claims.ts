/** Turns a sentence of a paper into a claim that can stand in a question, or says why it cannot. */
import { singular, wordsOf } from '../../../shared/text/tokens.ts'
import { claimWordsMin, faultOf, look } from './sentence-rules.ts'

/**
 * `text` has no final stop and opens in lower case where that is safe; a `phrase` has no verb and
 * says what a figure shows.
 */
export interface Claim { text: string, panel?: string, phrase?: true }
export type ClaimOrFault = { claim: Claim } | { fault: string }

const verbs = 'show|shows|showed|illustrate|illustrates|demonstrate|demonstrates|demonstrated|indicate|indicates|indicated|reveal|reveals|revealed|confirm|confirms|confirmed|find|found|observe|observed|see|note|noted|report|reported|conclude|concluded'
const figureWord = '(?:Figures?|[Ff]igs?\\.?|FIGURES?|FIGS?\\.?|Supplementary|Tables?|Tab\\.|Eqs?\\.?|Equations?|Sections?|Sect?\\.|Appendix|Additional)'
const mention = `${figureWord}\\s?[^(),;]{1,40}`

/** Applied in order, once each; every quantifier is bounded or over a class its neighbour excludes. */
const rewrites: ReadonlyArray<readonly [RegExp, string]> = [
  [/\s+/gu, ' '],
  // Raised numbers of references that lost their raising.
  [/(?<=\p{Ll}{2}\)?)\.\d{1,3}(?:[,–-]\d{1,3}){0,6}$/u, '.'],
  [/,?[†‡](?= |\.|$)/gu, ''],
  [/(?:\s|(?<!\b\p{L}))\[\d{1,4}(?:\s?[,–-]\s?\d{1,4}){0,10}\]/gu, ''],
  [new RegExp(`\\s?[([](?:see |see also |cf\\. |e\\.g\\.,? |also |as shown in |data not shown[^)]{0,20})?${figureWord}[^()]{0,60}[)\\]]`, 'gu'), ''],
  [/\s?\([^()]{0,80}(?:et al\.?|\b(?:19|20)\d\d[a-z]?)[^()]{0,200}\)/gu, ''],
  [/\s?\((?:\d\d ?% |[pPnNrR]\d? ?[<=>≤]|CI|HPD|mean|±)[^()]{0,70}\)/gu, ''],
  [/\s?\((?:the |see )?(?:left|right|top|bottom|middle|upper|lower|inset)[^()]{0,30}\)/giu, ''],
  [new RegExp(`\\s?\\((?:[^()]{0,30}[ -])?(?:${look}|open|filled)(?:[ -][^()]{0,30})?\\)`, 'giu'), ''],
  [/,? as (?:is |are |was |were |can be )?(?:\p{L}{3,15}ly )?(?:shown|seen|illustrated|depicted|presented|indicated|displayed|demonstrated|reported) (?:in|by) (?:Figures?|Figs?\.?) ?\d{1,3} ?\(?[A-Za-z]?\)?(?=\.$)/u, ''],
  [/^(?:However|Moreover|Furthermore|Therefore|Thus|Hence|In addition|Additionally|Interestingly|Notably|Finally|Overall|In contrast|By contrast|Conversely|Similarly|As expected|Consequently|Indeed|Specifically|In particular|For example|For instance|On the other hand|Surprisingly|Importantly|As a result|Remarkably|Clearly|Nevertheless|In general|Accordingly|Meanwhile|In summary|In fact|Nonetheless|Still|Unfortunately|Particularly|More importantly|Most importantly|Taken together|Together|Collectively|Altogether|Of note|At the same time|By comparison|For comparison|In the present study|In this (?:study|paper|work|figure)|Again),? /u, ''],
  [new RegExp(`^(?:As|as) (?:can be |is |we can |was |also )?(?:${verbs}|shown|seen|depicted|presented|displayed|expected) (?:in|by|from) ${mention},\\s?`, 'u'), ''],
  [new RegExp(`^(?:In|From|in|from) ${mention},? (?:we|it|one) (?:can be|can|is|was|are)? ?(?:clearly )?(?:${verbs}|seen|shown|clear|evident|apparent) that `, 'u'), ''],
  [new RegExp(`^(?:Figures?|Figs?\\.?) ?[^;.]{1,16}? (?:also |clearly )?(?:${verbs}) that `, 'u'), ''],
  [new RegExp(`^(?:We|we) (?:also |can |further |then )?(?:${verbs}) that `, 'u'), ''],
  [new RegExp(`^(?:It|it) (?:can be|is|was|has been|should be) (?:also |clearly )?(?:${verbs}|seen|shown|clear|evident|apparent|interesting to note|worth noting)(?: from [^,]{1,40})? that `, 'u'), ''],
  [new RegExp(`^(?:(?:The|Our|These|the|our|these) )?(?:results|data|findings|experiments|analysis) (?:also |clearly )?(?:${verbs}) that `, 'iu'), ''],
  [/^(?:Note|Notice|note) that,? /u, ''],
  [/\b(?:W|w)e\b/gu, 'the authors'],
  [/\b(?:O|o)ur\b/gu, "the authors'"],
  // What the authors read into it, or add to it, is left to them: the claim stands without.
  [/, (?:suggesting|indicating|implying|possibly|probably|likely|presumably|perhaps|which (?:suggests|indicates|implies|may|might|could|is likely|seems)|thus|thereby|hence|therefore) [^.]{5,300}(?=\.$)/u, ''],
  [/,? however,/gu, ''],
  [/\b(?:also|thus|therefore|hence) /gu, ''],
  [/ ,/gu, ','],
  [/ {2,}/gu, ' ']
]

/** Words that are safe in lower case wherever they open a sentence. */
const functionWords = new Set(`the a an in on at for with when while all both each some most many only no after before during
under among between by from to as of there if although because two three four five six seven eight nine ten nearly approximately about altogether overall more most less one`.split(/\s+/u))

/** What may follow a main clause without changing it. */
const addition = /, (?:which|whose|whereas|while|where|demonstrating|resulting|leading|making|showing|confirming|revealing|highlighting|yielding|causing|because|since|and (?:the|an?|its?|they|then|no|thus|hence)|due to|owing to|allowing|providing|followed by|as well as|although|but)\b/gu

/**
 * The claims a sentence makes: one for each part that semicolons set apart, each cut at what is
 * only added to it where it would be too long to ask.
 *
 * @param sentence  as it stands in the paper, closed by a full stop
 * @param known     every word that occurs in lower case in the paper: a first word of these may
 *                  lose its capital
 */
export function claimsOf (sentence: string, known: ReadonlySet<string>): ClaimOrFault[] {
  const parts = sentence.split(/;\s/u)
  if (parts.length > 4) return [{ fault: 'list-or-clause-mark' }]
  return parts.flatMap((part, i) => {
    const closed = i < parts.length - 1 ? `${part}.` : part
    const first = claimOf(closed, known, i > 0)
    const added = clausesAdded(closed).map(clause => claimOf(clause, known, true))
    return [first, ...added.filter(result => 'claim' in result)]
  })
}

/** Clauses with a subject of their own, set beside the main one: "..., and the absorbance rose." */
function clausesAdded (sentence: string): string[] {
  const [, clause] = /^[^,]{20,250}, (?:and|while|whereas|but) ((?:the|an?|no) [^,]{30,300}\.)$/u.exec(sentence) ?? []
  return clause === undefined ? [] : [clause]
}

function claimOf (sentence: string, known: ReadonlySet<string>, continues: boolean): ClaimOrFault {
  const opened = continues ? sentence.replace(/^\p{Ll}/u, letter => letter.toUpperCase()) : sentence
  const panel = /^\(?([A-Ha-h])(?:\)|[.:,])\s(?=\p{Lu})/u.exec(opened)
  const text = rewritten(panel === null ? opened : opened.slice(panel[0].length))
  let fault = faultOf(text)
  let claim = text
  if (fault === 'too-long' || fault === 'hedged' || fault === 'dangling-reference' || longWinded(text)) {
    const shorter = shortened(text)
    const again = shorter === undefined ? fault : faultOf(shorter)
    if (shorter !== undefined && again === undefined) {
      claim = shorter
      fault = undefined
    }
  }
  if (fault !== undefined) return { fault }
  const lower = lowerFirst(claim, known).replace(/\.$/u, '')
  return { claim: { text: lower, ...panel?.[1] !== undefined && { panel: panel[1] } } }
}

/** A caption without a verb, as the object of "show". */
export function phraseOf (sentence: string, known: ReadonlySet<string>): Claim | undefined {
  const panel = /^\(?([A-Ha-h])(?:\)|[.:,])\s(?=\p{Lu})/u.exec(sentence)
  const text = rewritten(panel === null ? sentence : sentence.slice(panel[0].length))
  if (faultOf(text) !== 'no-finite-verb' || !/ (?:of|for|between|in|at|with|on) /u.test(text)) return undefined
  const lower = lowerFirst(text, known).replace(/\.$/u, '')
  const determined = /^(?:the|an?|all|each|both|one|two|three|four|five|six|\d+|how|where|when|after|before|in|at|from|for|left|right|top|bottom) /iu.test(lower)
  if (/^(?:how|where|when|after|before|in|at|from|for|left|right|top|bottom) /iu.test(lower)) return undefined
  const named = determined ? lower : `the ${lower}`
  return { text: named, phrase: true, ...panel?.[1] !== undefined && { panel: panel[1] } }
}

function rewritten (sentence: string): string {
  let text = sentence
  for (const [pattern, replacement] of rewrites) text = text.replace(pattern, replacement)
  text = text.trim()
  return text.replace(/^\p{Ll}(?=\p{Ll}* )/u, letter => letter.toUpperCase())
}

const plainWordsMax = 20

/** A question of so many words is hard to read; what is only added to the claim can go. */
function longWinded (text: string): boolean {
  return text.split(' ').length > plainWordsMax
}

/** Cut before the first addition that leaves enough, if there is one. */
function shortened (text: string): string | undefined {
  for (const match of text.matchAll(addition)) {
    if (text.slice(0, match.index).split(' ').length >= claimWordsMin) return `${text.slice(0, match.index)}.`
  }
  return undefined
}

function lowerFirst (text: string, known: ReadonlySet<string>): string {
  const first = wordsOf(text)[0]?.text ?? ''
  const lower = first.toLowerCase()
  const common = functionWords.has(lower) ||
    (lower.length > 2 && (known.has(lower) || known.has(singular(lower))))
  const plain = /^\p{Lu}\p{Ll}*$/u.test(first) && common && !/^(?:figs?|figures?|panels?)$/u.test(lower)
  return plain && text.startsWith(first) ? lower + text.slice(first.length) : text
}
