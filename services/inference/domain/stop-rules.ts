/**
 * When a reply that is still being written should be ended: some models, under a schema above all, go
 * on with blanks or with the same words until the token limit.
 */

/** Raised when a rule changes, or how it is recorded: replies that older rules ended are not replayed. */
export const stopRulesVersion = 2

const blanksMax = 200
/** What is looked at; a text that repeats itself in longer stretches is not noticed. */
export const windowChars = 8_192
/** A stretch of text must come back so often, and fill so much, to count as a loop. */
const repeatsMin = 4
const loopCharsMin = 1_200

export type StopRule = 'stopped-whitespace' | 'stopped-repetition' | 'stopped-length'

/** A reply as far as it has come. */
export interface Written {
  /** Characters in all, reasoning too. */
  chars: number
  /** The end of the content: all of it, or at least `windowChars` characters. */
  end: () => string
}

/**
 * Looks at the end of the text only, so that asking at every few hundred characters costs the same
 * however long the text is. Exact repeats alone count: a list of equal numbers of 1,200 characters
 * does too, a counter that goes up does not.
 *
 * @returns the rule that says stop, or null
 */
export function shouldStop ({ chars, end }: Written, charsMax: number): StopRule | null {
  if (chars > charsMax) return 'stopped-length'
  const text = end()
  if (endsBlank(text)) return 'stopped-whitespace'
  return text.length >= loopCharsMin && endsInLoop(text) ? 'stopped-repetition' : null
}

function endsBlank (text: string): boolean {
  if (text.length < blanksMax) return false
  for (let at = text.length - blanksMax; at < text.length; at++) {
    const char = text[at]
    if (char !== ' ' && char !== '\n' && char !== '\t' && char !== '\r') return false
  }
  return true
}

/**
 * Whether the end of the text is some stretch, repeated. Knuth, Morris and Pratt's borders of the
 * reversed end: one of `n` characters with a border of `b` has the period `n - b` (doi:10.1137/0206024).
 */
function endsInLoop (text: string): boolean {
  const length = Math.min(text.length, windowChars)
  const last = text.length - 1
  const border = new Uint16Array(length + 1)
  for (let n = 2, b = 0; n <= length; n++) {
    const unit = text.charCodeAt(last - (n - 1))
    while (b > 0 && text.charCodeAt(last - b) !== unit) b = border[b]!
    if (text.charCodeAt(last - b) === unit) b++
    border[n] = b
    if (n >= loopCharsMin && n >= repeatsMin * (n - b)) return true
  }
  return false
}
