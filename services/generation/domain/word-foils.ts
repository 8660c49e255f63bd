/** Words that turn a claim round, replaced by their opposites. */
import { factsIn, numbersIn, type Fact } from '../../../shared/text/facts.ts'
import { comparatives, contrasts, directions, evenContrasts } from '../../../shared/text/opposites.ts'
import { wordsOf } from '../../../shared/text/tokens.ts'
import type { Foil } from './foil.ts'
import { aside } from './opening.ts'

/** Words that describe rather than claim unless something follows that makes them a claim. */
const claiming = /^(?:\s(?:by|from|to|with|in|at|as|after|during|significantly|linearly|monotonically|gradually|steadily|rapidly|slightly|markedly|the|than|correlated|associated|when|until|for|over|values?|levels?|rates?|accuracy|performance|expression|activity|number|amount|concentrations?|mean|average)\b)/u

export function oppositeFoils (claim: string): Foil[] {
  const turning = factsIn(claim).filter(({ kind }) => kind === 'direction' || kind === 'comparative')
  const numbers = numbersIn(claim)
  // With values to compare, the sentence would contradict itself.
  const units = numbers.map(({ unit }) => unit)
  if (turning.length > 2 || new Set(units).size < units.length) return []
  if (/\b(?:correlat|proportion|relationship|depend)/u.test(claim)) return []
  return turning.flatMap(fact => aside(claim, fact) ? [] : turned(claim, fact))
}

function turned (claim: string, only: Fact): Foil[] {
  if (/^-|^\S/u.test(claim.slice(only.end).replace(/^[,.]/u, ' ')) || claim[only.start - 1] === '-') return []
  const word = only.text
  if (/^(?:loss|gain)(?:es|s)?$/u.test(word)) return []
  const opposite = (only.kind === 'direction' ? directions : comparatives).get(word)
  if (opposite === undefined || !claims(claim, only)) return []
  const text = claim.slice(0, only.start) + opposite.word + claim.slice(only.end)
  return [{ kind: only.kind === 'direction' ? 'direction' : 'comparative', text: withArticle(text, only.start), from: word, to: opposite.word, sign: opposite.sign }]
}

function claims (claim: string, { text, start, end, kind }: Fact): boolean {
  const before = claim.slice(Math.max(0, start - 14), start)
  const after = claim.slice(end)
  if (kind === 'direction' && /^(?:in|de)creases$|^(?:rises|falls|grows|shrinks|improves|worsens)$/u.test(text) && /^(?:,|$)/u.test(after)) return true
  if (kind === 'direction') return claiming.test(after) && !/\b(?:false|true|of|no|the)\s$/u.test(before)
  if (/\bto\s$/u.test(before)) return false
  if (/(?:st|most|least|worst|best|imum|imal)$/u.test(text)) {
    return /\bthe\s$/u.test(before) && /^ \p{Ll}{3}/u.test(after)
  }
  if (/^(?:high|low|upper|above|below)$/u.test(text)) return false
  if (/^ than\b/u.test(after) && /\d/u.test(after.slice(0, 14))) return false
  const compared = /\b(?:than|compared|relative to|with respect to|in comparison)\b/u.test(after)
  return compared || (!/^(?:more|less)$/u.test(text) && !/\b(?:the|of)\s$/u.test(before) && /^ \p{Ll}{3}/u.test(after))
}

/** One word for its counterpart, where the claim has no other of the kind. */
export function contrastFoils (claim: string): Foil[] {
  const words = wordsOf(claim)
  const turning = factsIn(claim).filter(({ kind }) => kind !== 'entity' && kind !== 'number')
  return words.flatMap(({ text: from, start, end }, i) => {
    const even = evenContrasts.get(from)
    const opposite = even ?? contrasts.get(from)
    if (opposite === undefined || turning.length > 0 || aside(claim, { start, end })) return []
    if (words.some(({ text }, at) => at !== i && (text === opposite.word || text === from))) return []
    if (/[-/]$/u.test(claim.slice(0, start)) || /^[-/]|^ (?:blot|light)/u.test(claim.slice(end)) || !fitsContrast(claim, { from, start, end })) return []
    const text = withArticle(claim.slice(0, start) + opposite.word + claim.slice(end), start)
    return [{ kind: 'contrast', text, from, to: opposite.word, sign: even === undefined ? opposite.sign : 0 }]
  })
}

interface Word { from: string, start: number, end: number }

const gradable = /^(?:large|small|long|short|high|low|strong|weak|wide|narrow|thick|thin|simple|complex|linear|nonlinear|rapid|fast|slow)$/u

/** Words that are a contrast in some surroundings only. */
function fitsContrast (claim: string, { from, start, end }: Word): boolean {
  const before = claim.slice(Math.max(0, start - 20), start)
  const after = claim.slice(end, end + 20)
  if (from === 'with') return /\b(?:cells?|samples?|groups?|models?|patients|mice|experiments?|networks?|methods?|systems?)\s$/u.test(before)
  if (from === 'similar' || from === 'different') return /\b(?:is|are|was|were|very|a|an)\s$/u.test(before) && !/^ (?:\p{Ll}+s\b)/u.test(after)
  if (/^(?:day|night)$/u.test(from)) return !/\d\s?$|\b(?:per|each|every|a)\s$/u.test(before) && !/^ \d/u.test(after)
  if (from === 'significant') return !/\bstatistically\s$/u.test(before)
  if (/^(?:light|dark)$/u.test(from)) return /^ (?:grey|gray|blue|green|red|brown)/u.test(after)
  if (/^(?:above|below|before|after)$/u.test(from)) return !/^ (?:\d|this|that|which|only|all)/u.test(after) && /^ \p{L}/u.test(after)
  if (/^(?:North|South|East|West)$/u.test(from)) return /^ (?:Africa|America|Asia|Europe|China|India|Pacific|Atlantic)/u.test(after)
  if (gradable.test(from)) {
    return /\b(?:is|are|was|were|a|an|has|have|had|shows?|exhibits?|very|relatively|with|to)\s$/u.test(before) && !/^ (?:number|amount|as|scale|term|order|range|number|part|set|and)\b/u.test(after)
  }
  return true
}

/** "A" or "an", whichever the word at `start` asks for. */
export function withArticle (text: string, start: number): string {
  const vowel = /^[aeio]/u.test(text.slice(start))
  const before = text.slice(0, start).replace(/\b([Aa])n? $/u, vowel ? '$1n ' : '$1 ')
  return before + text.slice(start)
}
