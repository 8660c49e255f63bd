/**
 * Run import: a log that another harness wrote, read again with our rules: what it said of each item,
 * what we say, and what that does to the score.
 */
import { Type, type Static } from 'typebox'
import { RunImportId } from './ids.ts'
import { Score } from './score.ts'
import { Extraction, Outcome } from './run.ts'

const closed = { additionalProperties: false }
const Maybe = <S extends ReturnType<typeof Type.Number>>(schema: S) => Type.Union([schema, Type.Null()])
const MaybeText = Type.Union([Type.String(), Type.Null()])

export const logFormats = ['lm-eval', 'inspect', 'kmetbench-run', 'kmetbench-judge', 'csv'] as const
export const LogFormat = Type.Enum([...logFormats], { description: 'Told by the content, never by the name.' })
export type LogFormat = Static<typeof LogFormat>

const Path = Type.String({ minLength: 1, maxLength: 200 })

/** Where a row has what: a column of a CSV file, else a path of names and numbers such as `doc.choices`. */
export const Mapping = Type.Object({
  id: Type.Optional(Path),
  reply: Type.Optional(Path),
  gold: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'The right answer: a letter, Yes or No, the text of an option, or a number (see goldBase).' })),
  choices: Type.Optional(Type.Union([Path, Type.Array(Path, { minItems: 2, maxItems: 26 })], { description: 'A list (in a CSV cell as JSON), or one path an option.' })),
  verdict: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'What the log says the reply is worth: 0 to 1, true or false, C or I.' })),
  label: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'What the log read out of the reply.' })),
  cluster: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'What items are from, the paper for example; without it every item is its own.' })),
  finishReason: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'As OpenAI\'s API has it: length is truncated, content_filter refused.' }))
}, { $id: 'LogMapping', ...closed })
export type Mapping = Static<typeof Mapping>

export const RunImportOptions = Type.Object({
  name: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'To tell imports apart. Where it is left out: model and task as the log names them, else the name of the file, else the format and the start of the contentHash.' })),
  mapping: Type.Optional(Mapping),
  filter: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'lm-eval: which filter\'s verdicts are theirs; the first where it is left out. inspect: which scorer\'s.' })),
  choiceCount: Type.Optional(Type.Integer({ minimum: 2, maximum: 26, description: 'Options of every item, where the log does not have them.' })),
  goldBase: Type.Optional(Type.Integer({ minimum: 0, maximum: 1, description: 'Whether a gold or label that is a number counts from 0 or from 1.' }))
}, { $id: 'RunImportOptions', ...closed })
export type RunImportOptions = Static<typeof RunImportOptions>

export const RunImportRequest = Type.Object({
  content: Type.String({ minLength: 1, description: 'The log as text (at most 1 MiB with all the rest; send longer ones and zip files as multipart/form-data).' }),
  ...RunImportOptions.properties
}, {
  $id: 'RunImportRequest',
  ...closed,
  examples: [{
    content: 'question,reply,gold\nq1,The answer is (B).,B\nq2,정답: 3,B\n',
    mapping: { id: 'question', reply: 'reply', gold: 'gold' },
    choiceCount: 4
  }]
})
export type RunImportRequest = Static<typeof RunImportRequest>

/** A row that was taken: their verdict beside ours. */
export const ImportedItem = Type.Object({
  row: Type.Integer({ minimum: 1, description: 'Line of the file, or place in its list, from 1.' }),
  id: Type.String(),
  cluster: Type.String(),
  gold: Type.String({ description: 'A letter, or Yes or No; empty for a judge\'s row.' }),
  theirs: Type.Object({ value: Maybe(Type.Number()), label: MaybeText }, closed),
  ours: Type.Object({
    value: Type.Union([Type.Number(), Type.Null()], { description: 'Null where an error (infrastructure) or a judge\'s failure says nothing.' }),
    outcome: Outcome,
    ...Type.Pick(Extraction, ['label', 'rule', 'span', 'reason']).properties
  }, closed),
  changed: Type.Boolean({ description: 'Whether the two values differ.' }),
  undecided: Type.Boolean({ description: 'Whether its worth is open between the lowest and the highest: no answer could be read, it ended in error, or two readings name different options.' }),
  quote: Type.Union([Type.String(), Type.Null()], { description: 'The text at the span.' }),
  reply: Type.Union([Type.String(), Type.Null()], { description: 'At most 1,000 characters.' }),
  replyCut: Type.Boolean()
}, { $id: 'ImportedItem', ...closed })
export type ImportedItem = Static<typeof ImportedItem>

export const RejectedRow = Type.Object({
  row: Type.Integer({ minimum: 1 }),
  id: MaybeText,
  reason: Type.String({ description: 'Kebab-case, for example "no-reply".' }),
  detail: Type.String()
}, { $id: 'RejectedRow', ...closed })
export type RejectedRow = Static<typeof RejectedRow>

const Bound = Type.Object({
  low: Maybe(Type.Number()),
  high: Maybe(Type.Number()),
  n: Type.Integer({ minimum: 0 }),
  undecided: Type.Integer({ minimum: 0 })
}, closed)

/** The mean difference of our values and theirs over the same items, and whether chance explains it. */
export const Shift = Type.Object({
  score: Score,
  gained: Type.Integer({ minimum: 0, description: 'Items that are worth more by our reading.' }),
  lost: Type.Integer({ minimum: 0 }),
  same: Type.Integer({ minimum: 0 }),
  pValue: Maybe(Type.Number()),
  test: Type.String({ description: 'Which test, and why there is none where pValue is null.' }),
  note: Type.Optional(Type.String({ description: 'Where the interval leaves out 0 and the test does not reject: why.' }))
}, { $id: 'Shift', ...closed })
export type Shift = Static<typeof Shift>

export const RunImport = Type.Object({
  id: RunImportId,
  schemaVersion: Type.Integer(),
  name: Type.String(),
  format: LogFormat,
  contentHash: Type.String({ description: 'sha256 of the bytes.' }),
  options: RunImportOptions,
  source: Type.Object({ model: MaybeText, task: MaybeText }, { ...closed, description: 'As the log says.' }),
  measure: Type.Enum(['accuracy', 'judge-total'], { description: 'judge-total: sum of four axes, 4 to 20.' }),
  rows: Type.Object({
    total: Type.Integer({ minimum: 0 }),
    accepted: Type.Integer({ minimum: 0 }),
    rejected: Type.Integer({ minimum: 0 })
  }, closed),
  rejectedBy: Type.Record(Type.String(), Type.Integer({ minimum: 1 }), { description: 'Reason, rows.' }),
  outcomes: Type.Record(Outcome, Type.Integer({ minimum: 0 })),
  theirs: Score,
  ours: Score,
  answered: Score,
  responseRate: Score,
  shift: Shift,
  changed: Type.Object({
    items: Type.Integer({ minimum: 0 }),
    byRule: Type.Record(Type.String(), Type.Object({ gained: Type.Integer(), lost: Type.Integer() }, closed), { description: 'By the rule that read the answer, or the reason why none could be read.' })
  }, closed),
  bounds: Type.Object({ ...Bound.properties, readable: Bound }, { ...closed, description: 'Partial-identification bounds: every undecided item worth nothing, and worth all. `readable` leaves out items that are undecided only because two readings name different options.' }),
  notes: Type.Array(Type.String())
}, { $id: 'RunImport', ...closed })
export type RunImport = Static<typeof RunImport>

export const ImportRankingRequest = Type.Object({
  importIds: Type.Array(RunImportId, { minItems: 2, maxItems: 10, uniqueItems: true })
}, {
  $id: 'ImportRankingRequest',
  ...closed,
  examples: [{ importIds: [`rim_${'0'.repeat(32)}`, `rim_${'1'.repeat(32)}`] }]
})
export type ImportRankingRequest = Static<typeof ImportRankingRequest>

export const ImportRanking = Type.Object({
  items: Type.Integer({ minimum: 0, description: 'Items that all of them have: the ranking is of these alone.' }),
  ranking: Type.Union([Type.Array(Type.Object({
    rank: Type.Integer({ minimum: 1 }), importId: RunImportId, name: Type.String()
  }, closed)), Type.Null()], { description: 'Best first; null where it is refused.' }),
  reason: Type.Optional(Type.String({ description: 'Why there is no ranking.' })),
  rows: Type.Array(Type.Object({
    importId: RunImportId, name: Type.String(), ours: Score, bounds: Bound
  }, closed)),
  pairs: Type.Array(Type.Object({
    importIds: Type.Tuple([RunImportId, RunImportId], { description: 'In the order of their scores.' }),
    better: Type.Union([RunImportId, Type.Null()], { description: 'Null, as worse is, where the scores are equal.' }),
    worse: Type.Union([RunImportId, Type.Null()]),
    insideBand: Type.Boolean({ description: 'Whether what is undecided could turn the order of the two.' }),
    difference: Shift
  }, closed), { description: 'Neighbours in the order of our scores.' })
}, { $id: 'ImportRanking', ...closed })
export type ImportRanking = Static<typeof ImportRanking>
