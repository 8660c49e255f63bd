/** What an import takes at most; each refusal names its limit. */
export const limits = {
  fileBytes: 64 * 2 ** 20,
  /** Of all entries of a zip together. */
  inflatedBytes: 512 * 2 ** 20,
  /** Inflated bytes for one of the zip, beyond `ratioFreeBytes`. */
  ratio: 200,
  ratioFreeBytes: 16 * 2 ** 20,
  entries: 100_000,
  /** Of one entry, or one line. */
  entryBytes: 64 * 2 ** 20,
  rows: 50_000,
  /** UTF-16 units of one reply, and of one option. */
  replyChars: 1_000_000,
  optionChars: 10_000,
  idChars: 500,
  choices: 26,
  columns: 1_000
} as const
