/** Numbers of a claim, replaced by others of the paper. */
import { factsIn, type Fact } from '../../../shared/text/facts.ts'
import { wordsOf } from '../../../shared/text/tokens.ts'
import { withoutTrivia } from '../../../shared/text/trivial-facts.ts'
import type { Foil, Stock } from './foil.ts'
import { measuredIn } from './measured.ts'
import { aside } from './opening.ts'

const bounded = /(?:more|less|fewer|greater|higher|lower|larger|smaller|longer|shorter|better) than(?: or equal to)?(?: a| an| the)?$|(?:over|above|below|under|within|beyond|least|most|up to|maximum of|minimum of|exceed\p{L}*|around|approximately|about|roughly|nearly|almost|between|ca\.|than|type|grade|stage|step|level|phase|case|day|class|experiment|p|version|no\.|or|[<>≤≥~≈±×/^–-])$/iu
/** "A very high sensitivity of 80%": the word would contradict another value. */
const judged = /\b(?:high|low|large|small|strong|weak|great|good|poor|excellent|short|long)(?:er|est)? \p{L}+ (?:of|at)$/u
/** What is so at one temperature may be so at another too. */
const circumstance = /\b(?:at|after|for|during|under|in|within|until|with|between)$/u
const relating = /\b(?:than|more|less|higher|lower|increas\p{Ll}*|decreas\p{Ll}*|similar|identical|same|different|indicat\p{Ll}+|becomes?|became|shows? no)\b/u
const approximate = /(?:around|approximately|about|roughly|nearly|almost|ca\.)$/iu

export function numberFoils (claim: string, { values }: Stock): Foil[] {
  const numbers = measuredIn(withoutTrivia(claim))
  // What is not so at one value need not be so at another.
  if (factsIn(claim).some(({ kind }) => kind === 'negation')) return []
  const fit = numbers.filter(fact => editable(claim, fact))
  // What was found is asked rather than a condition ("At 50 °C, ...", "... with 5 papers").
  const found = fit.filter(fact => !aside(claim, fact) && !conditional(claim, fact))
  return (found.length > 0 ? found : fit).flatMap(fact => {
    const { kind, text, start, end, value, unit } = fact
    if (value === undefined || unit === undefined) return []
    const decimals = decimalsOf(text)
    return [...candidatesFor(unit, values)]
      .filter(([digits, other]) => decimalsOf(digits) === decimals && plausible(value, other))
      .filter(([digits]) => digits.includes(',') === (value >= 1000 && text.includes(',')))
      .filter(([, other]) => numbers.every(({ value }) => value !== other))
      .filter(([, other]) => keepsOrder(fact, other, numbers))
      .map(([digits, other]): Foil => ({
        kind: kind === 'percentage' ? 'percentage' : 'number',
        text: claim.slice(0, start) + digits + claim.slice(end),
        from: text,
        to: digits,
        sign: 0,
        larger: other > value
      }))
  })
}

/** "With 5 papers", "at an ICC of 0.1": another value of it might do as well. */
function conditional (claim: string, { start }: Fact): boolean {
  return /\b(?:at|with|for|under|after|within|during)(?: (?:an?|the))?(?: [\p{L}-]+){0,3}(?: of)? $/u
    .test(claim.slice(Math.max(0, start - 50), start))
}

const someValues = 3

/** Values of the same unit; where the paper has few of them, of what else it counts and measures. */
function candidatesFor (unit: string, values: Stock['values']): ReadonlyMap<string, number> {
  const own = values.get(unit) ?? new Map<string, number>()
  if (own.size > someValues) return own
  return new Map([...own, ...[...values].flatMap(([other, found]) => other === '%' ? [] : [...found])])
}

const counts = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten']

/** "Three layers" may become "four layers"; "the three layers" names them, and stays. */
export function countFoils (claim: string): Foil[] {
  const words = wordsOf(claim)
  return words.flatMap(({ text, start, end }, i) => {
    const count = counts.indexOf(text)
    const before = words[i - 1]?.text ?? ''
    const next = words[i + 1]?.text ?? ''
    const definite = /^(?:the|these|those|all|both|other|first|last|least|most|than|and|or|to|one|only|its|their|of|up|authors')$/iu
    if (count < 1 || i === 0 || definite.test(before) || !/\p{Ll}{3}s$/u.test(next)) return []
    return [count - 2, count - 1, count + 1, count + 2].flatMap((other): Foil[] => {
      const to = counts[other]
      if (to === undefined || other < 1 || words.some(({ text }) => text === to)) return []
      const changed = claim.slice(0, start) + to + claim.slice(end)
      return [{ kind: 'number', text: changed, from: text, to, sign: 0, larger: other > count }]
    })
  })
}

/** A bound ("over 80 %") may hold for a wrong value too; a bare whole number mostly names something. */
function editable (claim: string, { text, start, end, unit, value }: Fact): boolean {
  if (/\b(?:fig(?:ure)?s?|tables?|eqs?|refs?|sections?|panels?|steps?|hypothes[ei]s|studies|study|groups?|models?|chapters?)\.?\s?$/iu.test(claim.slice(Math.max(0, start - 14), start))) return false
  const before = claim.slice(Math.max(0, start - 24), start).trimEnd()
  const after = claim.slice(end, end + 14)
  if (/\bbetween\b/u.test(claim.slice(Math.max(0, start - 30), start))) return false
  // "For 12 and 20 years": the second is as much a circumstance as the first.
  const lead = before.replace(/ [\d.]+ (?:and|or)$/u, '')
  if (judged.test(before) || (circumstance.test(lead) && relating.test(claim))) return false
  if (bounded.test(before) && !approximate.test(before)) return false
  if (/^\s?(?:[–±×/^<>≤≥~≈:=-]|to \d|or |out of|of (?:the )?\d|-|th\b|st\b|nd\b|rd\b)/u.test(after)) return false
  if (/\p{L}$|[=(]$/u.test(claim.slice(Math.max(0, start - 1), start))) return false
  if (/^\s?%?\s?(?:confidence|CI\b|credib|HPD|levels?\b|intervals?\b|quantile|percentile|limits?\b)/iu.test(after)) return false
  if (value === undefined || value === 0) return false
  if (value >= 1900 && value <= 2100 && Number.isInteger(value)) return false
  return unit !== '' || /[.]\d/u.test(text)
}

/** Clearly another value, and yet of the same size. */
function plausible (value: number, other: number): boolean {
  const ratio = other / value
  return ratio > 0.3 && ratio < 3.4 && Math.abs(ratio - 1) >= 0.15
}

/** "From 5 to 9" must not become "from 12 to 9": the sentence alone would give it away. */
function keepsOrder ({ value, unit, start }: Fact, other: number, numbers: readonly Fact[]): boolean {
  const alike = (another: string) => another === unit || another === '' || unit === ''
  return numbers.every(fact => fact.start === start || !alike(fact.unit ?? '') || fact.value === undefined ||
    Math.sign(fact.value - (value ?? 0)) === Math.sign(fact.value - other))
}

function decimalsOf (digits: string): number {
  return /[.](\d+)$/u.exec(digits)?.[1]?.length ?? 0
}
