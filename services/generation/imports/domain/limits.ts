/** What an import takes at most; each refusal names its limit. */
export const limits = {
  fileBytes: 64 * 2 ** 20,
  rows: 100_000,
  columns: 1_000,
  /** Of one row as text, and of one cell. */
  rowChars: 4_000_000,
  questionChars: 20_000,
  choiceChars: 5_000,
  captionChars: 2_000,
  rationaleChars: 50_000,
  idChars: 200,
  sliceChars: 200,
  choices: 20,
  images: 16,
  /** Of pages from which the pictures of an exam are cut. */
  pageDpi: 150,
  imageBytes: 16 * 2 ** 20,
  imagePixels: 50_000_000,
  /** A shorter side than this shows nothing. */
  imageSideMin: 16,
  rawChars: 2_000,
  notes: 50,
  sliceValues: 1_000,
  zip: {
    entries: 100_000,
    entryBytes: 64 * 2 ** 20,
    inflatedBytes: 512 * 2 ** 20,
    ratio: 200,
    ratioFreeBytes: 16 * 2 ** 20
  }
} as const
