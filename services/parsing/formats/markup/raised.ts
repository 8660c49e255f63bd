/** Raised characters in plain text. */

const signs = new Map(Array.from('0123456789+-\u2212\u2013=()abcdefghijklmnoprstuvwxyz', (sign, i) =>
  [sign, Array.from('\u2070\u00B9\u00B2\u00B3\u2074\u2075\u2076\u2077\u2078\u2079\u207A\u207B\u207B\u207B\u207C\u207D\u207E' +
    '\u1D43\u1D47\u1D9C\u1D48\u1D49\u1DA0\u1D4D\u02B0\u2071\u02B2\u1D4F\u02E1\u1D50\u207F\u1D52\u1D56\u02B3\u02E2\u1D57\u1D58\u1D5B\u02B7\u02E3\u02B8\u1DBB')[i]!]))

/**
 * Numbers and single letters by Unicode's raised forms, so that the square of 10 is not 102 and the mark
 * of a note is no letter of its word (NFKC makes plain characters of them again); else as it stands.
 */
export function raised (text: string): string {
  const plain = text.trim()
  const fits = /^[\d+\-\u2212\u2013]+$/u.test(plain) || /^[a-z]$/u.test(plain) || /^[+\-\u2212]?[a-z]$/u.test(plain)
  return fits && Array.from(plain).every(sign => signs.has(sign))
    ? Array.from(plain, sign => signs.get(sign)!).join('')
    : text
}
