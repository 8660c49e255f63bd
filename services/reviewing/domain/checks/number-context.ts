/**
 * Whether a number stands where the evidence has it, with the unit it has there. That it stands
 * somewhere in the evidence is too little: the fault hardest to see is a number of another place.
 */
import { isUnitSymbol, numbersIn, type Fact } from '../../../../shared/text/facts.ts'
import { withoutCitationMarks } from '../../../../shared/text/squash.ts'
import { splitSentences } from '../../../../shared/text/sentences.ts'
import { wordsOf } from '../../../../shared/text/tokens.ts'

/** Words compared on either side. */
const reach = 4
/** So many words more must speak for another number, or a free wording would be called a fault. */
const marginMin = 3
/** A claim has fewer, and so have its quotes. */
const claimedMax = 200
const evidenceMax = 2000

/** A number and the words around it, the nearest first; numbers among them are "#". */
interface Placed { fact: Fact, before: string[], after: string[] }

/** What is wrong with the first number that has another place or unit; null if none has. */
export function misplacedNumber (claim: string, quotes: readonly string[]): string | null {
  const stated = quotes.flatMap(placedNumbers).slice(0, evidenceMax)
  const symbols = new Set(stated.map(({ fact }) => fact.unit ?? '').filter(isUnitSymbol))
  for (const one of placedNumbers(claim).slice(0, claimedMax)) {
    const same = stated.filter(({ fact }) => fact.value === one.fact.value)
    const fault = unitFault(one, same, symbols) ?? placeFault(one, { same, stated })
    if (fault !== null) return fault
  }
  return null
}

/** Another symbol than the evidence has; where the evidence has none, the unit may stand in a heading. */
function unitFault ({ fact }: Placed, same: readonly Placed[], symbols: ReadonlySet<string>): string | null {
  const unit = fact.unit ?? ''
  if (!isUnitSymbol(unit) || symbols.size === 0 || same.length === 0) return null
  const fits = same.some(({ fact: { unit: other = '' } }) => other === unit || !isUnitSymbol(other))
  if (fits && symbols.has(unit)) return null
  const found = fits ? [...symbols] : same.map(({ fact }) => fact.unit!)
  return `The unit of ${fact.text} ${unit} is not that of the evidence: ${[...new Set(found)].slice(0, 3).join(', ')}.`
}

function placeFault (
  one: Placed, { same, stated }: { same: readonly Placed[], stated: readonly Placed[] }
): string | null {
  if (same.length === 0) return null
  const own = Math.max(...same.map(other => likeness(one, other)))
  if (own >= 2 * reach - marginMin) return null
  const other = stated.find(each => likeness(one, each) >= own + marginMin)
  return other === undefined
    ? null
    : `Where it says ${one.fact.text}, the evidence says ${other.fact.text}.`
}

/** Words in a row that both have on the left and on the right of the number, 0 to 8. */
function likeness (a: Placed, b: Placed): number {
  return commonStart(a.before, b.before) + commonStart(a.after, b.after)
}

function commonStart (a: readonly string[], b: readonly string[]): number {
  let length = 0
  while (length < a.length && a[length] === b[length]) length++
  return length
}

/** An answer may leave sentences out, so that words of the next sentence tell nothing. */
function placedNumbers (text: string): Placed[] {
  return splitSentences(withoutCitationMarks(text)).flatMap(({ text }) => placedIn(text))
}

function placedIn (plain: string): Placed[] {
  const words = wordsOf(plain)
  let at = 0
  return numbersIn(plain).map(fact => {
    while (at < words.length && words[at]!.end <= fact.start) at++
    let next = at
    while (next < words.length && words[next]!.start < fact.end) next++
    const shown = (from: number, to: number) => words.slice(Math.max(0, from), to)
      .map(({ text }) => /^[\d.,]+$/.test(text) ? '#' : text.toLowerCase())
    return { fact, before: shown(at - reach, at).reverse(), after: shown(next, next + reach) }
  })
}
