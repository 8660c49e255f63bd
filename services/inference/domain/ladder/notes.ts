/** What the ladder can do to a reply, each under one name: this table is what an auditor reads. */

/**
 * `framing`: what stood around the value is left out. `form`: the value was written otherwise than
 * JSON wants, and means one thing. `repair`: a value would have come out otherwise without it; taken
 * only where one reading is left. `doubt`: the text is as the model wrote it and looks damaged.
 * `call`: of the call, not of the text.
 */
export type StepClass = 'framing' | 'form' | 'repair' | 'doubt' | 'call'

export const steps = {
  'reasoning-stripped': ['framing', 'thinking before the answer is left out'],
  'fence-stripped': ['framing', 'a Markdown fence is left out'],
  'prose-stripped': ['framing', 'prose before or after the value is left out'],
  'stray-closer': ['framing', 'brackets that close nothing, after the value, are left out'],
  'odd-blank': ['framing', 'a byte order mark, zero-width or no-break space between tokens is skipped'],
  comment: ['form', 'a comment is skipped'],
  'trailing-comma': ['form', 'a comma before a closing bracket is skipped'],
  'unquoted-key': ['form', 'a key without quotes'],
  'single-quoted': ['form', 'text in single quotes'],
  'smart-quoted': ['form', 'text in typographic quotes'],
  'wide-punctuation': ['form', 'a full-width colon or comma'],
  'python-literal': ['form', 'True, False or None'],
  'number-form': ['form', 'a number as +1, .5 or 5.'],
  'raw-control': ['form', 'a line break or tab inside a text, as it stands'],
  'repeated-key': ['form', 'a key stands twice with equal values'],
  'repeated-value': ['form', 'the same value is given several times'],
  'double-encoded': ['form', 'JSON inside a JSON text'],
  'html-escaped': ['form', 'the whole reply was written in HTML entities'],
  concatenated: ['form', 'objects one after another, where a list of them was asked for'],
  'latex-backslash': ['repair', 'a LaTeX command whose backslash JSON would have taken for an escape'],
  'literal-backslash': ['repair', 'a backslash that JSON does not know stands for itself'],
  'escaped-apostrophe': ['repair', '\\\' is an apostrophe'],
  'over-escaped': ['repair', 'every backslash of a LaTeX text was doubled once too often'],
  'inner-quote': ['repair', 'quotation marks inside a text were not escaped'],
  'missing-comma': ['repair', 'a comma between two members is missing'],
  closed: ['repair', 'the reply ends by itself, all values complete, without its last brackets'],
  'not-a-number': ['repair', 'NaN is null'],
  'number-rounded': ['repair', 'a decimal has more digits than a double holds'],
  'dropped-incomplete': ['repair', 'the last, incomplete element of a cut list is dropped'],
  'html-entities': ['doubt', 'HTML entities inside a text'],
  'literal-newline': ['doubt', 'a backslash and an n where a line break may be meant'],
  'doubled-backslash': ['doubt', 'a LaTeX command behind two backslashes'],
  'replacement-character': ['doubt', 'U+FFFD: bytes were lost before they came here'],
  'stopped-whitespace': ['call', 'ended by us: blanks without end'],
  'stopped-repetition': ['call', 'ended by us: the same text again and again'],
  'stopped-length': ['call', 'ended by us: longer than any reply may be'],
  'repair-turn': ['call', 'the model was shown its reply and the faults, and asked again'],
  'repair-skipped': ['call', 'the reply is too long to be shown to the model again'],
  'repair-refused': ['call', 'the upstream refused the repair turn, which is longer than the first']
} as const satisfies Record<string, readonly [StepClass, string]>

export type StepName = keyof typeof steps

/** A step and where: a UTF-16 offset into the reply; null where it has no one place there. */
export interface Note { step: StepName, at: number | null }

/** Why a reply yields no value. */
export const faults = {
  empty: 'The reply holds no text.',
  'reasoning-without-end': 'The model never stopped thinking.',
  'no-json': 'The reply holds no JSON value.',
  'tool-call': 'The reply is a call of a tool.',
  'several-values': 'The reply holds several values that differ; which one is meant is unclear.',
  'schema-echo': 'The reply repeats the schema instead of filling it.',
  schema: 'The value does not match the schema.',
  syntax: 'This is not JSON, nor anything that means one thing.',
  'bracket-mismatch': 'A bracket closes what was not opened.',
  'text-continues': 'What stands around the value seems to belong to it.',
  'missing-element': 'A list or object has a hole between two commas, or an ellipsis.',
  'duplicate-key': 'A key stands twice in one object with different values.',
  'forbidden-key': 'The key __proto__ is not taken.',
  'quote-unclear': 'Where a text ends is unclear: quotation marks inside it are not escaped.',
  'backslash-unclear': 'A backslash can be read in two ways: double it where it is meant.',
  'escape-invalid': 'An escape sequence is not one of JSON.',
  'half-character': 'Half of a surrogate pair is no character.',
  'nul-character': 'U+0000 in a text; it comes from a broken escape sequence.',
  'number-unclear': 'This is no number of JSON.',
  'number-range': 'The number is outside what a double can hold.',
  'too-deep': 'The value is nested too deeply.',
  'too-large': 'The reply is longer, or holds more values, than any reply may.'
} as const

export type FaultName = keyof typeof faults

/** A fault at a UTF-16 offset of the text. */
export class Unreadable extends Error {
  readonly fault: FaultName
  readonly at: number

  constructor (fault: FaultName, at: number) {
    super(faults[fault])
    this.name = 'Unreadable'
    this.fault = fault
    this.at = at
  }
}

/** The text ends inside the value. */
export class Cut extends Error {
  /** Whether only closing brackets are missing. */
  readonly clean: boolean
  /** Whether it ends between quotation marks. */
  readonly inText: boolean

  constructor (clean: boolean, inText = false) {
    super('The text ends inside the value.')
    this.name = 'Cut'
    this.clean = clean
    this.inText = inText
  }
}
