/** What copying, line breaks and house style do to a true quote; each keeps what it says. */
import type { Chance } from './chance.ts'

/** Null where the kind does not apply to the text. */
export type Change = (text: string, chance: Chance) => string | null

interface Replacement {
  /** Of the places found, in [0, 1]. */
  share: number
  to: (found: string, chance: Chance) => string
  chance: Chance
}

/** Of every place where the pattern fits, a share is changed, at least one. */
function changed (text: string, pattern: RegExp, { share, to, chance }: Replacement): string | null {
  const places = Array.from(text.matchAll(pattern))
  if (places.length === 0) return null
  const chosen = new Set(chance.some(places, Math.max(1, Math.round(places.length * share))))
  let result = ''
  let from = 0
  for (const place of places) {
    if (!chosen.has(place)) continue
    result += text.slice(from, place.index) + to(place[0], chance)
    from = place.index + place[0].length
  }
  return result + text.slice(from)
}

const split = (between: string) => (word: string, chance: Chance) => {
  const at = 2 + chance.below(word.length - 3)
  return word.slice(0, at) + between + word.slice(at)
}

const plainWord = /(?<![\p{L}\p{N}-])\p{Ll}{6,}(?![\p{L}\p{N}-])/gu
const citation = /\s?\[\d{1,4}(?:\s?[,–-]\s?\d{1,4}){0,12}\]|\s?\([^()]{0,200}\bet al[^()]{0,100}\d{4}[a-z]?\)|(?<=\p{Ll}{3}[.,;]?)\d{1,3}(?:[,–-]\d{1,3}){0,8}(?=\s|$)/gu

export const noises: Record<string, Change> = {
  verbatim: text => text,
  'hyphen at a line end': (text, chance) => changed(text, plainWord, { share: 0.15, to: split('-\n'), chance }),
  'hyphen and space': (text, chance) => changed(text, plainWord, { share: 0.15, to: split('- '), chance }),
  'soft hyphen': (text, chance) => changed(text, plainWord, { share: 0.15, to: split('\u00AD'), chance }),
  'line ends for spaces': (text, chance) => changed(text, / /gu, { share: 0.2, to: () => ' \n', chance }),
  'space in a word': (text, chance) => changed(text, plainWord, { share: 0.1, to: split(' '), chance }),
  'space between words lost': (text, chance) => changed(text, /(?<=\p{Ll}{4}) (?=\p{Ll}{4})/gu, { share: 0.1, to: () => '', chance }),
  ligatures: (text, chance) => changed(text, /ffi|ffl|ff|fi|fl/gu, { share: 1, to: found => ligatures[found] ?? found, chance }),
  'ligature lost': (text, chance) => changed(text, /(?<=\p{Ll}{2})(?:ffi|ffl|ff|fi|fl)(?=\p{Ll}{2})/gu, { share: 0.1, to: () => '', chance }),
  'citation marks left out': (text, chance) => changed(text, citation, { share: 1, to: () => '', chance }),
  'quotes and dashes': (text, chance) => changed(text, /["'“”‘’–—-]/gu, { share: 1, to: found => typography[found] ?? found, chance }),
  'case of the first letter': text => {
    const [first = ''] = text
    const other = first === first.toLowerCase() ? first.toUpperCase() : first.toLowerCase()
    return other === first || /^\p{Lu}{2}|^\p{L}(?:\P{L}|\d)|^\P{L}/u.test(text) ? null : other + text.slice(1)
  },
  'hyphen of a compound': (text, chance) => changed(text, /(?<=\p{Ll}{3})-(?=\p{Ll}{3})/gu, { share: 1, to: () => '-\n', chance }),
  'Korean: spaces lost': (text, chance) => changed(text, /(?<=[가-힣]{2}) (?=[가-힣]{2})/gu, { share: 0.2, to: () => '', chance }),
  'Korean: line end in a word': (text, chance) => changed(text, /(?<=[가-힣])(?=[가-힣])/gu, { share: 0.05, to: () => '\n', chance }),
  'in quotation marks': text => `"${text}"`,
  'last stop left out': text => text.endsWith('.') ? text.slice(0, -1) : null,
  'spaces of units': (text, chance) => changed(text, /(?<=\d) ?(?=(?:%|mm|cm|kg|°C|mg)(?!\p{L}))/gu, { share: 1, to: found => found === '' ? ' ' : '', chance }),
  'no-break spaces': (text, chance) => changed(text, / /gu, { share: 0.2, to: () => chance.of(['\u00A0', '\u202F', '\u2009']), chance }),
  'separator of thousands': (text, chance) => changed(text, /(?<=(?<![\d.,])\d{1,3}),(?=\d{3}(?![\d,.]))/gu, { share: 1, to: () => '', chance }),
  'exponents raised': (text, chance) => changed(text, /(?<=(?<!\p{L})(?:mm|cm|km|m|R|r))[23](?![\p{L}\p{N}])/gu, { share: 1, to: found => found === '2' ? '²' : '³', chance }),
  'exponents put down': (text, chance) => changed(text, /(?<=\p{L})[²³]/gu, { share: 1, to: found => found === '²' ? '2' : '3', chance }),
  'subscripts set': (text, chance) => changed(text, /(?<=\p{Lu})[2-4](?=\p{Lu}|\s)/gu, { share: 1, to: found => String.fromCharCode(0x2080 + Number(found)), chance }),
  'emphasis marks': (text, chance) => changed(text, plainWord, { share: 0.1, to: found => chance.of([`**${found}**`, `*${found}*`, `_${found}_`, `<i>${found}</i>`]), chance }),
  'HTML entities': (text, chance) => changed(text, /[&<>]/gu, { share: 1, to: found => entities[found] ?? found, chance }),
  'single for double quotation marks': (text, chance) => changed(text, /[“”"]/gu, { share: 1, to: found => found === '“' ? '‘' : '’', chance }),
  'spaces of dashes': (text, chance) => changed(text, /(?<=\p{L}) ?[—–] ?(?=\p{L})/gu, { share: 1, to: found => found.includes(' ') ? '—' : ' – ', chance }),
  'small capitals': (text, chance) => changed(text, /(?<![\p{L}\p{N}-])\p{Lu}?\p{Ll}{5,}(?![\p{L}\p{N}-])/gu, { share: 0.05, to: found => found.toUpperCase(), chance }),
  'degree signs': (text, chance) => changed(text, /[°◦º˚] ?(?=[CF](?!\p{L}))/gu, { share: 1, to: found => found.startsWith('°') ? '◦' : '°', chance }),
  'symbols in ASCII': (text, chance) => changed(text, /[≤≥±∼→×]/gu, { share: 1, to: found => inAscii[found] ?? found, chance }),
  'accents apart': (text, chance) => changed(text, /[\u00C0-\u017F]/gu, { share: 1, to: found => found.normalize('NFD'), chance }),
  'mu and micro': (text, chance) => changed(text, /[µμ]/gu, { share: 1, to: found => found === 'µ' ? 'μ' : 'µ', chance })
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }
const inAscii: Record<string, string> = { '≤': '<=', '≥': '>=', '±': '+/-', '∼': '~', '→': '->', '×': 'x' }
const ligatures: Record<string, string> = { ffi: 'ﬃ', ffl: 'ﬄ', ff: 'ﬀ', fi: 'ﬁ', fl: 'ﬂ' }
const typography: Record<string, string> = {
  '"': '”', "'": '’', '“': '"', '”': '"', '‘': "'", '’': "'", '–': '-', '—': '–', '-': '‐'
}

/** Several at once, as a bad copy has them. */
noises['all at once'] = (text, chance) => {
  const kinds = ['hyphen at a line end', 'line ends for spaces', 'space in a word', 'ligatures', 'citation marks left out', 'quotes and dashes']
  return kinds.reduce((now, kind) => noises[kind]?.(now, chance) ?? now, text)
}
