/** Small changes that turn a claim into another: of amounts, limits, certainty, groups. */
import { numbersIn } from '../../../shared/text/facts.ts'
import type { Chance } from './chance.ts'
import type { Mutation } from './mutants.ts'

type Change = string | ((found: string) => string | undefined)

/** One of the places that the pattern finds, changed. */
function changing (pattern: RegExp, to: Change): Mutation {
  return (text, { chance }) => {
    const found = Array.from(text.matchAll(pattern)).flatMap(({ index, 0: one }) => {
      const instead = typeof to === 'string' ? to : to(one)
      return instead === undefined || instead === one ? [] : [{ index, one, instead }]
    })
    if (found.length === 0) return null
    const { index, one, instead } = chance.of(found)
    return text.slice(0, index) + instead + text.slice(index + one.length)
  }
}

/** Each word of the table for its other, either way. */
function exchanging (pairs: Record<string, string>, boundary = '\\b'): Mutation {
  const other = new Map(Object.entries(pairs).flatMap(([a, b]) => [[a, b], [b, a]] as const))
  const words = [...other.keys()].sort((a, b) => b.length - a.length)
  return changing(new RegExp(`${boundary}(?:${words.join('|')})${boundary}`, 'gu'), found => other.get(found))
}

const prefixes: Record<string, string> = {
  mg: 'µg', ms: 'µs', mM: 'µM', mL: 'µL', ml: 'µl', nm: 'µm', kPa: 'MPa', GHz: 'MHz', kHz: 'Hz', kW: 'MW', GB: 'MB', meV: 'keV', mV: 'µV'
}

const swapped = /([\p{L}\p{N}-]+)( (?:than(?: (?:in|for|of|the))*|versus|vs\.?|compared (?:with|to)) )([\p{L}\p{N}-]+)/u

export const claimMutations: Record<string, Mutation> = {
  'percentage points for percent': exchanging({ 'percentage points': 'percent', '% points': '%' }, ''),
  'groups swapped': text => {
    const found = swapped.exec(text)
    const [all = '', a = '', between = '', b = ''] = found ?? []
    return found === null || a === b ? null : text.replace(all, () => b + between + a)
  },
  'limit left out': changing(/(?<=\p{L} )(?:only|significantly|slightly|approximately|about|nearly|almost|partially|mainly|usually|often|sometimes|at least|at most|up to) (?=[\p{L}\d])/gu, ''),
  '"not significantly" to "significantly"': changing(/\b(?:not|no) (?=(?:statistically )?significant)/gu, ''),
  'may to does': exchanging({ may: 'does', might: 'will', could: 'can', suggests: 'shows', suggest: 'prove' }),
  'quantity of all': exchanging({ all: 'most', some: 'all', both: 'neither', every: 'some', many: 'few', most: 'some' }),
  'decimals dropped': changing(/(?<![\p{L}\d.])\d{1,4}\.\d{1,4}(?![\p{L}\d.])/gu, found => found.replace(/\..*$/u, '')),
  'decimal point lost': changing(/(?<![\p{L}\d.])\d{1,4}\.\d{1,4}(?![\p{L}\d.])/gu, found => found.replace('.', '')),
  'prefix of a unit': changing(/(?<=\d\s?)[mµnkMG](?:g|s|M|L|l|m|Pa|Hz|W|B|eV|V)(?!\p{L})/gu, found =>
    prefixes[found] ?? Object.entries(prefixes).find(([, other]) => other === found)?.[0]),
  'plus for minus': changing(/(?<=[\s(=])[−–-](?=\d)|(?<=\s)\+(?=\s?\d)|±/gu, found => /^[−–-]/u.test(found) ? '+' : found === '±' ? '+' : '−'),
  'power flattened': changing(/10\^?[−-]?\d{1,2}(?=\s)|10[⁻⁺]?[⁰¹²³⁴-⁹]{1,2}/gu, found => /[⁰¹²³⁴-⁹^−-]/u.test(found) ? found.normalize('NFKC').replaceAll(/[\^−-]/gu, '') : undefined),
  'less for greater': exchanging({ '<': '>', '≤': '≥' }, ''),
  'digit of a name left out': changing(/(?<![\p{L}\p{N}])(?:\p{L}{0,3}\p{Lu}\p{L}{0,2}\p{Lu}\p{L}{0,3}|\p{Lu}\p{Ll}{2,3})\d(?![\p{L}\p{N}])/gu, found => found.slice(0, -1)),
  'end of a range left out': changing(/(?<![\p{L}\d.,–-])\d{1,4}(?:\.\d{1,3})?[–-]\d{1,4}(?:\.\d{1,3})?(?![\p{L}\d.,–-])/gu, found => found.replace(/[–-].*$/u, '')),
  'numbers of two groups swapped': (text, { chance }) => swappedNumbers(text, chance),
  'opposite by joining or splitting': changing(
    /\b(?:in ?(?:active|sensitive|dependent|complete|direct|stable|organic|visible|variable|finite|elastic|soluble)|a ?(?:typical|symmetric|cyclic|periodic|biotic))/gu,
    found => found.includes(' ') ? found.replace(' ', '') : found.replace(/^(in|a)/u, '$1 '))
}

/** Of the same unit, so that only their order tells. */
function swappedNumbers (text: string, chance: Chance): string | null {
  const numbers = numbersIn(text)
  const pairs = numbers.flatMap((a, i) => numbers.slice(i + 1)
    .filter(b => a.unit === b.unit && a.value !== b.value).map(b => [a, b] as const))
  if (pairs.length === 0) return null
  const [a, b] = chance.of(pairs)
  return text.slice(0, a.start) + b.text + text.slice(a.end, b.start) + a.text + text.slice(b.end)
}
