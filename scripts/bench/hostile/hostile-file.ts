/** One file that means harm, or looks as if it did. */
export interface HostileFile {
  name: string
  /** Made when its turn comes: a bomb is small, its siblings are many. */
  bytes: () => Uint8Array
  /** Of the form's part; what is declared must not matter, but for Markdown and plain text. */
  mediaType?: string
  /** Kinds of problem or, as "ok", a document; any typed answer will do when left out. */
  expect?: readonly string[]
}

export const utf8 = (text: string): Uint8Array => Buffer.from(text, 'utf8')
