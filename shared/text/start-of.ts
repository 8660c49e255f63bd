/** The start of a text, for a line that shows it. */

/**
 * At most so many code points. Half of a character, cut or come so, becomes U+FFFD: no strict reader of
 * JSON takes it, inference's among them, and a rejection is told to the model again.
 */
export function startOf (text: string, codePointsMax: number): string {
  return wellFormed([...text.slice(0, 2 * codePointsMax)].slice(0, codePointsMax).join(''))
}

/** Without halves of characters (lone surrogates). */
export function wellFormed (text: string): string {
  return text.replaceAll(/\p{Surrogate}/gu, '\uFFFD')
}
