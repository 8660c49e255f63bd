/**
 * Glyphs that a font names by codes of its own: Symbol's letters, small capitals and old-style
 * digits of Adobe's corporate use, and ligatures under codes nobody knows.
 */

/** Greek of Adobe's Symbol encoding, by the Latin letter in its place. */
const greek: Record<string, string> = Object.fromEntries(
  [...'abgdezhqiklmnxoprstufcyw'].map((latin, i) => [latin, [...'αβγδεζηθικλμνξοπρστυφχψω'][i]!])
    .concat([...'ABGDEZHQIKLMNXOPRSTUFCYW'].map((latin, i) => [latin, [...'ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩ'][i]!]))
    .concat([['V', 'ς'], ['J', 'ϑ'], ['j', 'ϕ'], ['v', 'ϖ']]))

/** Signs of the Symbol encoding's upper half that papers use. */
const signs: Record<number, string> = {
  0x2D: '\u2212',
  0xA2: '\u2032',
  0xA3: '\u2264',
  0xA5: '\u221E',
  0xAC: '\u2190',
  0xAE: '\u2192',
  0xB0: '\u00B0',
  0xB1: '\u00B1',
  0xB2: '\u2033',
  0xB3: '\u2265',
  0xB4: '\u00D7',
  0xB5: '\u221D',
  0xB6: '\u2202',
  0xB7: '\u2022',
  0xB8: '\u00F7',
  0xB9: '\u2260',
  0xBA: '\u2261',
  0xBB: '\u2248',
  0xC5: '\u2295',
  0xC7: '\u2229',
  0xC8: '\u222A',
  0xCE: '\u2208',
  0xD1: '\u2207',
  0xD5: '\u220F',
  0xD6: '\u221A',
  0xD7: '\u22C5',
  0xE5: '\u2211',
  0xF2: '\u222B'
}

/** Greek letter that a symbol font shows for a Latin one; undefined where it has none. */
export function greekOf (latin: string): string | undefined {
  return greek[latin]
}

/** The character behind a code of the private use area, or '' when nobody can know it. */
export function knownPrivate (code: number): string {
  // Windows puts the 8-bit codes of symbol fonts here; of Adobe's own use only these ranges.
  if (code >= 0xF730 && code <= 0xF739) return String.fromCharCode(code - 0xF700)
  if (code >= 0xF761 && code <= 0xF77A) return String.fromCharCode(code - 0xF700)
  if (code === 0xF001) return 'fi'
  if (code === 0xF002) return 'fl'
  if (code < 0xF020 || code > 0xF0FF) return ''
  const low = code - 0xF000
  if (signs[low] !== undefined) return signs[low]
  const latin = String.fromCharCode(low)
  return greek[latin] ?? (low < 0x7F ? latin : '')
}

export function isPrivate (code: number): boolean {
  return code >= 0xE000 && code <= 0xF8FF
}
