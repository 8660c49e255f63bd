/** Why a sentence cannot be asked about: each rule is data, and the first that fires is the reason. */
import { lostExponent } from '../../../shared/text/powers.ts'
import { wordsOf } from '../../../shared/text/tokens.ts'

export const claimWordsMin = 7
export const claimWordsMax = 34

interface Rule { reason: string, pattern: RegExp }

/** How a thing is drawn. */
export const look = '(?:red|blue|green|black|orange|purple|yellow|gr[ea]y|magenta|cyan|brown|pink|white|violet|solid|dashed|dotted|circles?|squares?|triangles?|diamonds?|crosses|asterisks?)'
const drawn = `(?:${look}|dots?|bars?|symbols?|arrows?|arrowheads?|stars?|shading|shaded|colou?r(?:s|ed)?|boxe?s?|whiskers?|markers?|panels?|plots?|inset|numbers|letters|lines?|histograms?|axis|axes)`
const denotes = '(?:are|is|denotes?|represents?|indicates?|marks?|stands? for|illustrates?|symboli[sz]es?|depicts?|corresponds? to|refers? to|(?:left|right|top|bottom|upper|lower) \\p{Ll}+ shows?)'

/** Patterns meet one cleaned sentence (no citations, no reference to figures in brackets). */
const rules: readonly Rule[] = [
  { reason: 'not-a-sentence', pattern: /^[^\p{Lu}\p{Ll}\d"“]|[^.]$/u },
  { reason: 'not-a-sentence', pattern: /\b(?:as|in|by|of|the|a|an|and|or|from|to|with|for|\p{Ll}+ically)\.$/u },
  { reason: 'not-a-sentence', pattern: /, (?:shown|seen|as) (?:as|by|in|from) /u },
  { reason: 'dangling-reference', pattern: /^(?:(?!During)\p{L}+ing|Based|Given|Compared|According|Due|Depending) |\b(?:the|at the) same (?:model|method|way|approach|data|procedure|setting|reason)/u },
  { reason: 'not-a-sentence', pattern: /^(?:[Ee]\.g|[Ii]\.e)\.|[!]/u },
  // What a symbol stands for is a legend, read off rather than understood.
  { reason: 'legend', pattern: new RegExp(`^(?:\\S+ ){0,4}${drawn} (?:\\S+ ){0,4}?${denotes}(?= )|^(?:\\S+ ){0,3}(?:left|right|top|bottom|middle|upper|lower) (?:panels?|plots?|rows?|images?) `, 'iu') },
  { reason: 'legend', pattern: new RegExp(`\\b(?:shown|drawn|plotted|marked|highlighted|colou?red|depicted|labell?ed|indicated|denoted|represented) (?:in|by|with|as) (?:an? |the )?(?:light |dark |deep )?${look}\\b`, 'iu') },
  { reason: 'dangling-reference', pattern: /\bthe (?:two|three|four|five|six)(?= (?:is|are|was|were|has|have|had|do|does|did)\b|[,.])/u },
  { reason: 'meta', pattern: /^(?:In \p{L}+ \p{L}+, )?[Tt]he authors (?:present|performed?|describe|discuss|summari[sz]e|focus|consider|review|report results)\b/u },
  { reason: 'broken-text', pattern: /\b(?:of|in|to|and|for|on|by|with|from|at)the\b/u },
  // Words that have lost a ligature: "(fi)rst", "(fi)gure", "(fl)uid".
  { reason: 'broken-text', pattern: /\b(?:rst|gures?|elds?|nally|nite|lms?|uids?|uorescen\p{Ll}+|signi cant\p{Ll}*|speci c\p{Ll}*)\b/u },
  { reason: 'dangling-reference', pattern: /\b(?:half|twice|times) as (?:much|many|long|large|high|wide|often)\b(?! as\b)/u },
  { reason: 'legend', pattern: /\bax[ei]s\b/u },
  { reason: 'procedure', pattern: /\b(?:was|were|is|are) (?:\p{Ll}+ly )?(?:performed|carried out|conducted|investigated|examined|evaluated|studied|introduced|placed|housed|kept|incubated|recruited)\b/u },
  { reason: 'dangling-reference', pattern: /\bthen\b|^(?:at|after|for|in|under|with|during|before|when|from|on|among|within|because|since|although|while|as|by|due) [^,]{1,120}, (?:it|they|its|their)\b/iu },
  { reason: 'question', pattern: /\?/u },
  { reason: 'list-or-clause-mark', pattern: /[:;•]|\s[–—]\s|\.\s?\.|\n/u },
  { reason: 'panel-list', pattern: /\((?:[a-hA-H]|i{1,3}|iv|[A-H]\s?[,–-]\s?[A-H])\)/u },
  { reason: 'points-elsewhere', pattern: /\b(?:Tables?|Tab\.|Eqs?\.|Equations?|Sections?|Sect?\.|Appendix|Supplementary|Additional file|Algorithms?|Theorem|Lemma|Refs?\.|Supplemental|Chapter|Movie|Video)(?:\s|$)/u },
  { reason: 'dangling-reference', pattern: /\b(?:this|these|those(?! (?:of|with|in|for|from|without|obtained|measured|on)\b)|such(?! as\b)|here|hereby|herein|aforementioned|above-mentioned|former|latter|previous|previously|following|instead|likewise|again|otherwise|similarly|the others?|the rest|so(?! (?:that|as)\b))\b/iu },
  { reason: 'dangling-reference', pattern: /^(?:\S+ ){0,5}they\b|\b(?:it|them|he|she|him|her|his)\b/iu },
  { reason: 'dangling-reference', pattern: /^(?:\S+ ){0,2}(?:its|their|his|her)\b/iu },
  { reason: 'dangling-reference', pattern: /\b(?:mentioned|described|discussed|noted|defined|shown|given|listed) (?:above|below|earlier|before|later|next)\b|^(?:The )?(?:first|second|third|last|other|both|one|others|then|but|and|or|yet|because|also|which|where|whereas)\b/iu },
  { reason: 'first-person', pattern: /\b(?:I|me|my|us|ours|myself|ourselves)\b/u },
  { reason: 'hedged', pattern: /\b(?:may|might|could|likely|unlikely|probably|possibly|perhaps|seems?|seemed|appears?|appeared|suggest(?:s|ed|ing)?|presumably|apparently|would|should|will|potentially|expected|if|hypothes\p{L}+|assum\p{L}+|believe\p{L}*|tends?)\b/iu },
  { reason: 'about-other-work', pattern: /\b(?:already|elsewhere|literature|et al|authors of|(?:has|have) been (?:\p{Ll}+ )?(?:shown|demonstrated|reported|suggested|proposed|associated|used|described))\b/u },
  { reason: 'address', pattern: /https?:|www\.|@|doi/iu },
  { reason: 'broken-text', pattern: /[\uFFFD\uE000-\uF8FF\u{1D400}-\u{1D7FF}\u2200-\u22FF\u0370-\u0379]|[=∝∼{}|\\^_$¼½¾¶§†‡�]|\p{Ll}{4,}\d{1,3}(?:[\s,.)]|$)|\b\d+\p{Ll}{4,}|\s\p{L}\s\p{L}\s\p{L}\s|\.\p{Lu}\p{Ll}|\p{Ll}\p{Lu}\p{Ll}{3,}|\p{L}- \p{L}|\S{31,}|[a-z]\.[a-z]{3,}|\b(?:g|kg|mg|mL|ml|L|cm|m|mol|h|s|K) 1(?:\s|[.,]|$)|[.,;][.,;]|\(\s|\s\)|\(\)|\s[.,]|\p{Ll}\p{Nd}\.|\s['"]\s|\[|\]/u },
  { reason: 'broken-text', pattern: /\b\d{1,3}\s\d{1,3}\s\d|\b\p{Ll}\b(?<!\ba)\s\p{Ll}\b(?<!\ba)|(?:^|\s)[,.)]/u },
  { reason: 'meta', pattern: /\b(?:this|the) (?:section|paper|figure|table|caption|article|manuscript|panel)\b|\b(?:is|are|was|were|,) (?:shown|presented|illustrated|depicted|given|summari[sz]ed|listed|plotted|displayed|reported) (?:in|as|by) (?:Fig|the)|\b(?:reprinted|reproduced|adapted|courtesy|copyright|permission)\b/iu }
]

const auxiliaries = 'is|are|was|were|has|have|had|can|cannot|does|did|do|will'
const present = 'shows|exhibits|represents|denotes|contains|consists|provides|yields|reaches|achieves|remains|becomes|occurs|increases|decreases|corresponds|indicates|includes|requires|produces|leads|results|depends|follows|uses|lies|falls|rises|grows|outperforms|improves|reduces|differs|varies|ranges|exceeds|gives|makes|takes|tends|comes|displays|presents|covers|marks|starts|ends|drops|converges|performs|hinders|helps|prevents|protects|blocks|inhibits|promotes|induces|controls|drives|limits|captures|detects|defines|determines|separates|divides|combines|applies|predicts|computes|learns|encodes|maps|selects|splits|highlights|depicts|plots|stabili[sz]es|saturates|peaks|reveals|demonstrates|illustrates|confirms|agrees|matches|suffers|introduces|obtains|generates|connects|links|carries|receives|sends|stores|holds|appears|belongs|extends|spans|refers|means|acts|serves|works|operates|runs|moves|changes|has|plays|affects|causes|allows|enables|forms|supports|describes|compares'
const past = 'tested|helped|showed|became|began|rose|fell|grew|remained|reached|occurred|differed|exceeded|resulted|led|gave|took|came|underwent|lay|exhibited|displayed|achieved|performed|produced|yielded|improved|dropped|ranged|contained|outperformed|received|consisted|indicated|revealed|caused|required|had|made|enhanced|induced|inhibited|promoted|suppressed|formed|failed|tended|needed|followed|corresponded|agreed|matched|scored|ranked|selected|identified|detected|obtained|generated|measured|estimated|computed|calculated'
const plural = 'show|exhibit|indicate|correspond|represent|contain|provide|have|differ|remain|occur|depend|require|lead|yield|agree|support|form|present|demonstrate|illustrate|confirm|increase|decrease|reach|achieve|produce|include|consist|improve|outperform|play|cause|allow|share|appear|follow|describe|display|mark|denote|reveal|perform|use|suffer|converge|vary|grow|rise|fall'
const finite = new RegExp(`\\b(?:${auxiliaries}|${present}|${past})\\b`, 'iu')
const pluralFinite = new RegExp(`\\p{Ll}s (?:\\p{Ll}{3,15}ly )?(?:${plural})\\b`, 'u')
const intransitive = /\b(?:increased|decreased|declined|improved|changed|varied|developed|converged|reduced|peaked|started|ended|appeared|disappeared|recovered|accumulated|persisted) (?:from|by|to|with|in|at|significantly|after|as|for|until|when|and|gradually|slightly|rapidly|linearly|markedly|monotonically|over|during|the)\b/iu
/** "The interval misses the truth". */
const transitive = /\p{Ll}{3}s (?:the|an?|all|no|only|its|both) \p{L}/u
/** A verb that belongs to a relative clause does not make a sentence. */
const relative = new RegExp(`\\b(?:which|that|who|whose \\p{L}+|where|when|while|as|if) (?:the )?(?:\\p{Ll}+ )?(?:${auxiliaries}|${present}|${past})\\b`, 'giu')

/** The reason why the cleaned sentence is unfit, or undefined. */
export function faultOf (sentence: string): string | undefined {
  const words = wordsOf(sentence)
  if (words.length < claimWordsMin) return 'too-short'
  if (words.length > claimWordsMax || sentence.length > 400) return 'too-long'
  if (lostExponent(sentence) !== undefined) return 'exponent-uncertain'
  const broken = rules.find(({ pattern }) => pattern.test(sentence))
  if (broken !== undefined) return broken.reason
  if (!balanced(sentence)) return 'unbalanced-brackets'
  if (/\bboth\b/iu.test(sentence) && !/\band\b/u.test(sentence)) return 'dangling-reference'
  const letters = sentence.replaceAll(/[^\p{L}\s]/gu, '').length
  if (letters / sentence.length < 0.75) return 'mostly-symbols'
  const main = sentence.replaceAll(relative, ' ')
  if (spliced(main)) return 'comma-splice'
  if (![finite, pluralFinite, intransitive, transitive].some(pattern => pattern.test(main))) return 'no-finite-verb'
  return undefined
}

/** Whether there is a verb at all, a participle that closes a group of words counted. */
export function hasVerb (text: string): boolean {
  return [finite, pluralFinite, intransitive, transitive, /\bwe \p{L}|\p{L} \p{Ll}{2,}ed (?!by\b)\p{L}/iu].some(pattern => pattern.test(text))
}

/** Two sentences with no more than a comma between them. */
function spliced (main: string): boolean {
  const [, one = '', other = ''] = /^([^,]{10,200}), ((?:the|it|they|there|each|no) [^,]{5,200})/u.exec(main) ?? []
  if (/^(?:at|after|for|in|under|with|without|during|before|when|from|on|among|within|because|since|although|though|while|whereas|as|by|due|if|once|until|to|unlike|like|despite|whether|where|over|between|of) /iu.test(one)) return false
  return finite.test(one) && finite.test(other)
}

function balanced (text: string): boolean {
  let depth = 0
  for (const character of text) {
    if (character === '(') depth++
    if (character === ')' && --depth < 0) return false
  }
  return depth === 0 && (text.match(/["“”]/gu)?.length ?? 0) % 2 === 0
}
