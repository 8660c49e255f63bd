/**
 * Item bank: questions that others wrote, taken in as items. An import keeps every row of its file, as
 * an item or with the reason why it is none.
 */
import { Type, type Static } from 'typebox'
import { BankImportId, ItemId, PaperId } from './ids.ts'
import { jobResource } from './job.ts'

const closed = { additionalProperties: false }
const whole = Type.Integer({ minimum: 0 })

export const bankFormats = [
  'kmetbench', 'kmmlu', 'mmlu', 'scienceqa', 'vqa-rad', 'gpqa', 'table', 'exam-pdf'
] as const
export const BankFormat = Type.Enum([...bankFormats], { description: 'The shape of the rows: those of published banks, or table: columns that a mapping names. exam-pdf: numbered questions with options and a key, read by parsing.' })
export type BankFormat = Static<typeof BankFormat>

export const containers = ['json', 'jsonl', 'csv', 'xlsx', 'parquet', 'zip', 'pdf'] as const
export const Container = Type.Enum([...containers], { description: 'Told by the bytes. zip: a Hugging Face folder, or a bank file with its images.' })
export type Container = Static<typeof Container>

const Column = Type.String({ minLength: 1, maxLength: 200 })
const Dimension = Type.String({ pattern: '^[a-z][A-Za-z0-9-]{0,39}$' })

/** Which column or key has what. A dot goes into nested objects: "question.text". */
export const BankMapping = Type.Object({
  id: Type.Optional(Column),
  question: Type.Optional(Column),
  questionImage: Type.Optional(Type.Union([Column, Type.Array(Column, { minItems: 1, maxItems: 16 })], { description: 'A path in the zip or beside, a data URL, or bytes (Parquet); a list, in their order.' })),
  imageTimes: Type.Optional(Column),
  imageCaptions: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'What each image shows, in words: a text, or a list in the order of the images.' })),
  choices: Type.Optional(Type.Union([Column, Type.Array(Column, { minItems: 2, maxItems: 20 })], { description: 'A list (in a CSV cell as JSON), or a column each.' })),
  choiceImages: Type.Optional(Type.Union([Column, Type.Array(Column, { minItems: 2, maxItems: 20 })])),
  answer: Type.Optional(Column),
  rationale: Type.Optional(Column),
  explicitQuestion: Type.Optional(Column),
  explicitChoices: Type.Optional(Type.Union([Column, Type.Array(Column, { minItems: 2, maxItems: 20 })])),
  slices: Type.Optional(Type.Array(Type.Object({ dimension: Dimension, column: Column }, closed), { maxItems: 20, description: 'Dimensions that scores are shown by.' }))
}, { $id: 'BankMapping', ...closed })
export type BankMapping = Static<typeof BankMapping>

export const ImportOptions = Type.Object({
  name: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
  format: Type.Optional(BankFormat),
  mapping: Type.Optional(BankMapping),
  answerBase: Type.Optional(Type.Integer({ minimum: 0, maximum: 1, description: 'Whether an answer that is a number counts the options from 0 or from 1. Left out, it is told from the numbers themselves where they tell (a 0, or as high as the number of options); where they do not, the import is refused.' })),
  language: Type.Optional(Type.String({ minLength: 2, maxLength: 35, description: 'BCP 47. Left out: found from the text of each row.' })),
  licence: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'SPDX id, or the words the source uses.' })),
  release: Type.Optional(Type.Enum(['public', 'restricted', 'unknown'], { description: 'Whether the items may be passed on.' })),
  encoding: Type.Optional(Type.Enum(['utf-8', 'utf-16', 'euc-kr'], { description: 'Left out: told by the bytes.' }))
}, { $id: 'ImportOptions', ...closed })
export type ImportOptions = Static<typeof ImportOptions>

/** An import without a form: the bank as text, or a parsed paper that is an exam. */
export const ImportRequest = Type.Union([
  Type.Object({
    content: Type.String({ minLength: 1, description: 'JSON, JSONL or CSV, up to 1 MiB; longer ones are sent as a form.' }),
    fileName: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
    options: Type.Optional(ImportOptions)
  }, closed),
  Type.Object({ paperId: PaperId, options: Type.Optional(ImportOptions) }, closed)
], { $id: 'ImportRequest' })
export type ImportRequest = Static<typeof ImportRequest>

/** What was done to a row to make an item of it, or why there is none. */
export const RowNote = Type.Object({
  code: Type.String({ description: 'Kebab-case, for example answer-out-of-range, html-removed, pii-suspected, image-missing.' }),
  field: Type.Union([Type.String(), Type.Null()]),
  detail: Type.String()
}, { $id: 'RowNote', ...closed })
export type RowNote = Static<typeof RowNote>

export const rowStates = ['accepted', 'repaired', 'flagged', 'rejected'] as const
export const RowState = Type.Enum([...rowStates], { description: 'accepted: as it stood. repaired: with changes, which notes name. flagged: an item that a person should look at. rejected: no item.' })
export type RowState = Static<typeof RowState>

export const ImportRow = Type.Object({
  row: Type.Integer({ minimum: 1, description: 'From 1, in the order of the file; a header is not counted.' }),
  sourceId: Type.Union([Type.String(), Type.Null()], { description: 'As the file names it.' }),
  state: RowState,
  itemId: Type.Union([ItemId, Type.Null()], { description: 'Null where it was rejected.' }),
  notes: Type.Array(RowNote),
  raw: Type.Union([Type.String(), Type.Null()], { description: 'Of a rejected row: the row as it was read, as JSON, cut after 2,000 characters.' })
}, { $id: 'ImportRow', ...closed })
export type ImportRow = Static<typeof ImportRow>

export const BankImport = jobResource('BankImport', {
  id: BankImportId,
  name: Type.String(),
  fileName: Type.String(),
  contentHash: Type.String({ description: 'sha256 of the bytes; of an exam, of its document.' }),
  container: Container,
  format: Type.Union([BankFormat, Type.Null()], { description: 'As declared, or told by the first rows; null until the file is read.' }),
  options: ImportOptions,
  paperId: Type.Union([PaperId, Type.Null()], { description: 'Of an exam that parsing read.' }),
  answerBase: Type.Union([Type.Integer({ minimum: 0, maximum: 1 }), Type.Null()], { description: 'As declared or detected; null where no answer is a number.' }),
  answerBaseBy: Type.Enum(['declared', 'detected', 'format', 'mixed', 'none'], { description: 'format: as the published format that was declared has it. mixed: some answers count from 0 and some from 1, so that every row whose answer is a number was rejected.' }),
  rowCount: whole,
  itemCount: whole,
  rowCounts: Type.Object({ accepted: whole, repaired: whole, flagged: whole, rejected: whole }, closed),
  noteCounts: Type.Array(Type.Object({ code: Type.String(), rows: whole }, closed), { description: 'In the order of the codes.' }),
  imageCount: Type.Integer({ minimum: 0, description: 'Different ones.' }),
  imageDefectCount: Type.Integer({ minimum: 0, description: 'Rows with a note image-…: GET …/rows?note=image-defect lists them.' }),
  sliceCounts: Type.Array(Type.Object({ dimension: Type.String(), value: Type.String(), items: whole }, closed), { description: 'In the order of dimension and value; at most 1,000, those with most items.' })
})
export type BankImport = Static<typeof BankImport>
