/** What could be said wrongly in a claim: every edit of exactly one fact. */
import { factsIn, numbersIn, type Fact } from '../../../shared/text/facts.ts'
import { comparatives, contrasts, directions, evenContrasts, exclusiveSets } from '../../../shared/text/opposites.ts'
import { wordsOf } from '../../../shared/text/tokens.ts'
import type { Claim } from './claims.ts'

export const editKinds = ['number', 'percentage', 'direction', 'comparative', 'contrast', 'negation', 'entity', 'appearance'] as const
export type EditKind = (typeof editKinds)[number]

/** `false` has `to` where `true` has `from`; `sign` is the balance it weighs on: see pairs.ts. */
export interface Foil {
  kind: EditKind
  text: string
  from: string
  to: string
  sign: -1 | 0 | 1
}

/** What a paper offers to replace with: values by unit, and names that stand side by side. */
export interface Stock {
  values: ReadonlyMap<string, ReadonlyMap<string, number>>
  siblings: ReadonlyMap<string, ReadonlySet<string>>
}

/** All foils of a claim, each kind's best first; `near` is the text around it, a caption say. */
export function foilsOf ({ text: claim, phrase }: Claim, stock: Stock, near: string): Foil[] {
  const shown = [...numberFoils(claim, stock), ...countFoils(claim), ...appearanceFoils(claim, near)]
  if (phrase === true) return [...shown, ...entityFoils(claim, stock, near)]
  return [
    ...shown,
    ...entityFoils(claim, stock),
    ...oppositeFoils(claim),
    ...contrastFoils(claim),
    ...negationFoils(claim)
  ]
}

const bounded = /(?:more|less|fewer|greater|higher|lower|larger|smaller|longer|shorter|better) than(?: or equal to)?(?: a| an| the)?$|(?:over|above|below|under|within|beyond|least|most|to|maximum of|minimum of|exceed\p{L}*|around|approximately|about|roughly|nearly|almost|between|ca\.|than|type|grade|stage|step|level|phase|case|day|class|experiment|p|version|no\.|and|or|[<>≤≥~≈±×/^–-])$/iu
const approximate = /(?:around|approximately|about|roughly|nearly|almost|ca\.)$/iu

function numberFoils (claim: string, { values }: Stock): Foil[] {
  const numbers = numbersIn(claim)
  const fit = numbers.filter(fact => editable(claim, fact))
  // What was found is asked rather than the condition that opens the sentence ("At 50 °C, ...").
  const found = fit.filter(({ start }) => start > openingOf(claim))
  return (found.length > 0 ? found : fit).flatMap(fact => {
    const { kind, text, start, end, value, unit } = fact
    if (value === undefined || unit === undefined) return []
    const decimals = decimalsOf(text)
    return [...values.get(unit) ?? []]
      .filter(([digits, other]) => decimalsOf(digits) === decimals && plausible(value, other))
      .filter(([, other]) => numbers.every(({ value }) => value !== other))
      .filter(([, other]) => keepsOrder(fact, other, numbers))
      .map(([digits]): Foil => ({
        kind: kind === 'percentage' ? 'percentage' : 'number',
        text: claim.slice(0, start) + digits + claim.slice(end),
        from: text,
        to: digits,
        sign: 0
      }))
  })
}

const counts = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten']

/** "Three layers" may become "four layers"; "the three layers" names them, and stays. */
function countFoils (claim: string): Foil[] {
  const words = wordsOf(claim)
  return words.flatMap(({ text, start, end }, i) => {
    const count = counts.indexOf(text)
    const before = words[i - 1]?.text ?? ''
    const next = words[i + 1]?.text ?? ''
    const definite = /^(?:the|these|those|all|both|other|first|last|least|most|than|and|or|to|one|only|its|their|of|up|authors')$/iu
    if (count < 1 || i === 0 || definite.test(before) || !/\p{Ll}{3}s$/u.test(next)) return []
    return [count - 1, count + 1, count + 2].flatMap((other): Foil[] => {
      const to = counts[other]
      if (to === undefined || other < 1 || words.some(({ text }) => text === to)) return []
      return [{ kind: 'number', text: claim.slice(0, start) + to + claim.slice(end), from: text, to, sign: 0 }]
    })
  })
}

/** Length of the circumstance a claim opens with, 0 for none. */
function openingOf (claim: string): number {
  return /^(?:at|after|for|in|under|with|during|before|when|from|on|among|within) [^,]{1,80},/iu.exec(claim)?.[0].length ?? 0
}

/** A bound ("over 80 %") may hold for a wrong value too; a bare whole number mostly names something. */
function editable (claim: string, { text, start, end, unit, value }: Fact): boolean {
  if (/\b(?:fig(?:ure)?s?|tables?|eqs?|refs?|sections?|panels?|steps?|hypothes[ei]s|studies|study|groups?|models?|chapters?)\.?\s?$/iu.test(claim.slice(Math.max(0, start - 14), start))) return false
  const before = claim.slice(Math.max(0, start - 24), start).trimEnd()
  const after = claim.slice(end, end + 14)
  if (bounded.test(before) && !approximate.test(before)) return false
  if (/^\s?(?:[–±×/^<>≤≥~≈:=-]|to \d|or |and \d|out of|of (?:the )?\d|-|th\b|st\b|nd\b|rd\b)/u.test(after)) return false
  if (/\p{L}$|[=(]$/u.test(claim.slice(Math.max(0, start - 1), start))) return false
  if (value === undefined || value === 0 || (value >= 1900 && value <= 2100 && Number.isInteger(value))) return false
  return unit !== '' || /[.]\d/u.test(text)
}

/** Clearly another value, and yet of the same size. */
function plausible (value: number, other: number): boolean {
  const ratio = other / value
  return ratio > 0.3 && ratio < 3.4 && Math.abs(ratio - 1) >= 0.15
}

/** "From 5 to 9" must not become "from 12 to 9": the sentence alone would give it away. */
function keepsOrder ({ value, unit, start }: Fact, other: number, numbers: readonly Fact[]): boolean {
  return numbers.every(fact => fact.start === start || fact.unit !== unit || fact.value === undefined ||
    Math.sign(fact.value - (value ?? 0)) === Math.sign(fact.value - other))
}

function decimalsOf (digits: string): number {
  return /[.](\d+)$/u.exec(digits)?.[1]?.length ?? 0
}

/** Nouns that a colour, a line style or a side describes in a picture. */
const pictured = /^(?:lines?|curves?|dots?|circles?|bars?|symbols?|panels?|arrows?|markers?|points?|shad(?:ing|ed)|areas?|regions?|boxe?s?|triangles?|squares?|diamonds?|columns?|contours?|crosses|histograms?|stands?|side|plots?|axis|solid|dashed|dotted)$/u

function appearanceFoils (claim: string, near: string): Foil[] {
  const words = wordsOf(claim)
  const nearby = new Set(wordsOf(near.toLowerCase()).map(({ text }) => text))
  const present = new Set(words.map(({ text }) => text.toLowerCase()))
  return words.flatMap(({ text, start, end }, i) => {
    const set = exclusiveSets.find(members => members.includes(text))
    if (set === undefined) return []
    const described = words.slice(i + 1, i + 3).some(({ text }) => pictured.test(text)) || pictured.test(text)
    if (!described) return []
    return set.filter(other => other !== text && !present.has(other) && nearby.has(other))
      .map((to): Foil => ({ kind: 'appearance', text: claim.slice(0, start) + to + claim.slice(end), from: text, to, sign: 0 }))
  })
}

/** @param shown  of a caption: all that it names, which may not be put in */
function entityFoils (claim: string, { siblings }: Stock, shown = ''): Foil[] {
  const all = factsIn(claim)
  // Elsewhere the same might hold for the other name too; a value or a comparison is one's own.
  const telling = all.some(({ value, unit }) => value !== undefined && unit !== '') || /\bthan\b/u.test(claim)
  if ((!telling && shown === '') || all.some(({ kind }) => kind === 'negation')) return []
  const facts = all.filter(({ kind }) => kind === 'entity')
  return facts.flatMap(({ text, start, end }) => {
    if (facts.filter(other => other.text === text).length > 1) return []
    if (start > 0 && !/\s\p{Ll}[\p{Ll}-]{0,30}[,)]? $/u.test(` ${claim.slice(0, start)}`.slice(-34))) return []
    if (!/^(?:,? \p{Ll}|[,.]?$)/u.test(claim.slice(end))) return []
    return [...siblings.get(text) ?? []].filter(to => !claim.includes(to) && !shown.includes(to))
      .map((to): Foil => ({ kind: 'entity', text: claim.slice(0, start) + to + claim.slice(end), from: text, to, sign: 0 }))
  })
}

/** Words that describe rather than claim unless something follows that makes them a claim. */
const claiming = /^(?:\s(?:by|from|to|with|in|at|as|after|during|significantly|linearly|monotonically|gradually|steadily|rapidly|slightly|markedly|the|than|correlated|associated|when|until|for|over|values?|levels?|rates?|accuracy|performance|expression|activity|number|amount|concentrations?|mean|average)\b)/u

function oppositeFoils (claim: string): Foil[] {
  const turning = factsIn(claim).filter(({ kind }) => kind === 'direction' || kind === 'comparative')
  const numbers = numbersIn(claim)
  const only = turning[0]
  // With two of them, or with values to compare, the sentence would contradict itself.
  if (turning.length !== 1 || only === undefined || numbers.length > 1) return []
  if (only.start < openingOf(claim) || /\b(?:correlat|proportion|relationship|depend)/u.test(claim)) return []
  if (/^-|^\S/u.test(claim.slice(only.end).replace(/^[,.]/u, ' ')) || claim[only.start - 1] === '-') return []
  const word = only.text
  const opposite = (only.kind === 'direction' ? directions : comparatives).get(word)
  if (opposite === undefined || !claims(claim, only)) return []
  const text = claim.slice(0, only.start) + opposite.word + claim.slice(only.end)
  return [{ kind: only.kind === 'direction' ? 'direction' : 'comparative', text: withArticle(text, only.start), from: word, to: opposite.word, sign: opposite.sign }]
}

function claims (claim: string, { text, start, end, kind }: Fact): boolean {
  const before = claim.slice(Math.max(0, start - 14), start)
  const after = claim.slice(end)
  if (kind === 'direction') return claiming.test(after) && !/\b(?:false|true|of|no|the)\s$/u.test(before)
  if (/(?:st|most|least|worst|best|imum|imal)$/u.test(text)) return /\bthe\s$/u.test(before)
  if (/^(?:high|low|upper|above|below)$/u.test(text)) return false
  if (/^ than\b/u.test(after) && /\d/u.test(after.slice(0, 14))) return false
  const compared = /\b(?:than|compared|relative to|with respect to|in comparison)\b/u.test(after)
  return compared || (!/^(?:more|less)$/u.test(text) && !/\b(?:the|of)\s$/u.test(before) && /^ \p{Ll}{3}/u.test(after))
}

/** One word for its counterpart, where the claim has no other of the kind. */
function contrastFoils (claim: string): Foil[] {
  const words = wordsOf(claim)
  const turning = factsIn(claim).filter(({ kind }) => kind !== 'entity' && kind !== 'number')
  return words.flatMap(({ text: from, start, end }, i) => {
    const even = evenContrasts.get(from)
    const opposite = even ?? contrasts.get(from)
    if (opposite === undefined || turning.length > 0 || start < openingOf(claim)) return []
    if (words.some(({ text }, at) => at !== i && (text === opposite.word || text === from))) return []
    if (claim[start - 1] === '-' || claim[end] === '-' || !fitsContrast(claim, { from, start, end })) return []
    const text = withArticle(claim.slice(0, start) + opposite.word + claim.slice(end), start)
    return [{ kind: 'contrast', text, from, to: opposite.word, sign: even === undefined ? opposite.sign : 0 }]
  })
}

/** Words that are a contrast in some surroundings only. */
function fitsContrast (claim: string, { from, start, end }: { from: string, start: number, end: number }): boolean {
  const before = claim.slice(Math.max(0, start - 20), start)
  const after = claim.slice(end, end + 20)
  if (from === 'with') return /\b(?:cells?|samples?|groups?|models?|patients|mice|experiments?|networks?|methods?|systems?)\s$/u.test(before)
  if (from === 'similar' || from === 'different') return /\b(?:is|are|was|were|very|a|an)\s$/u.test(before) && !/^ (?:\p{Ll}+s\b)/u.test(after)
  if (from === 'significant') return !/\bstatistically\s$/u.test(before)
  if (/^(?:light|dark)$/u.test(from)) return /^ (?:grey|gray|blue|green|red|brown)/u.test(after)
  if (/^(?:above|below|before|after)$/u.test(from)) return !/^ (?:\d|this|that|which|only|all)/u.test(after) && /^ \p{L}/u.test(after)
  if (/^(?:North|South|East|West)$/u.test(from)) return /^ (?:Africa|America|Asia|Europe|China|India|Pacific|Atlantic)/u.test(after)
  if (/^(?:large|small|long|short|high|low|strong|weak|wide|narrow|thick|thin|simple|complex|linear|nonlinear|rapid|fast|slow)$/u.test(from)) {
    return /\b(?:is|are|was|were|a|an|has|have|had|shows?|exhibits?|very|relatively|with|to)\s$/u.test(before) && !/^ (?:number|amount|as|scale|term|order|range|number|part|set|and)\b/u.test(after)
  }
  return true
}

/** "A" or "an", whichever the word at `start` asks for. */
function withArticle (text: string, start: number): string {
  const vowel = /^[aeio]/u.test(text.slice(start))
  const before = text.slice(0, start).replace(/\b([Aa])n? $/u, vowel ? '$1n ' : '$1 ')
  return before + text.slice(start)
}

const auxiliary = /\b(?:is|are|was|were)\b(?! not\b)/gu

/** The one auxiliary of a claim gains or loses its "not". */
function negationFoils (claim: string): Foil[] {
  const negated = Array.from(claim.matchAll(/\b(is|are|was|were) not /gu))
  const others = factsIn(claim).filter(({ kind }) => kind === 'negation').length
  const [first] = negated
  if (first !== undefined) {
    if (negated.length > 1 || others > 1) return []
    const text = claim.replace(first[0], `${first[1]} `)
    return [{ kind: 'negation', text, from: `${first[1]} not`, to: first[1] ?? '', sign: -1 }]
  }
  const plain = Array.from(claim.matchAll(auxiliary))
  const verb = plain[0]
  if (plain.length !== 1 || verb === undefined || others > 0) return []
  if (/\b(?:which|that|who|where|when|while)\b/u.test(claim.slice(0, verb.index))) return []
  const at = verb.index + verb[0].length
  return [{ kind: 'negation', text: `${claim.slice(0, at)} not${claim.slice(at)}`, from: verb[0], to: `${verb[0]} not`, sign: 1 }]
}
