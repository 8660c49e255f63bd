/** Score table: rows of a leaderboard as counts, published elsewhere or of stored runs; it never changes. */
import { Type, type Static, type TSchema } from 'typebox'
import { LeaderboardQuery } from './leaderboard.ts'
import { ScoreTableId } from './ids.ts'

const closed = { additionalProperties: false }
const Maybe = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()])
const Count = Type.Integer({ minimum: 0 })
const share = { minimum: 0, maximum: 1 }

export const tableRowsMax = 2_000
export const tableBytesMax = 4 * 2 ** 20

/** Items by what they are: all of them, without and with images, of the country, of a part. */
export const tableSlices = [
  'all', 'text', 'multimodal', 'korean', 'part1', 'part2', 'part3', 'part4', 'part5'
] as const
export const TableSlice = Type.Enum([...tableSlices])
export type TableSlice = Static<typeof TableSlice>

const Flag = (description: string) => Maybe(Type.Boolean({ description: `${description}; null where nobody said.` }))

/** What is said of a model by who sends it; nothing is told from its name. */
const modelFacts = {
  model: Type.String({ minLength: 1, maxLength: 300 }),
  name: Type.String({ minLength: 1, maxLength: 300, description: 'As it is shown.' }),
  sizeB: Maybe(Type.Number({ exclusiveMinimum: 0, maximum: 1_000_000, description: 'Parameters, in thousands of millions; null where they are not known.' })),
  proprietary: Flag('Whether its weights are closed'),
  korean: Flag('Whether it was made for Korean'),
  vision: Flag('Whether it takes images'),
  reasoning: Flag('Whether it can think before it answers')
}

export const TableCell = Type.Object({
  slice: TableSlice,
  percent: Maybe(Type.Number({ minimum: 0, maximum: 100, description: 'As published.' })),
  right: Maybe(Type.Number({ minimum: 0, description: 'Whole, but for a mean over repeats. Null where there is no item, or the percentage is no share of n.' })),
  n: Count
}, closed)
export type TableCell = Static<typeof TableCell>

export const RowWarning = Type.Object({
  code: Type.Enum([
    'parts-do-not-sum', 'kinds-do-not-sum', 'percent-differs', 'not-a-count', 'zero-may-be-empty', 'fewer-items',
    'judged-fewer', 'no-version', 'not-rescored', 'placeholder-time', 'no-time'
  ]),
  detail: Type.String()
}, closed)
export type RowWarning = Static<typeof RowWarning>

export const ScoreTableRow = Type.Object({
  ...modelFacts,
  version: Maybe(Type.String({ maxLength: 100, description: 'Of the items it was scored on, as the row says.' })),
  times: Type.Array(Type.Object({ of: Type.String(), at: Type.String() }, closed), { description: 'When its runs were made, as the row says.' }),
  cells: Type.Array(TableCell, { description: 'One a slice.' }),
  judged: Maybe(Type.Object({
    mean: Type.Number({ description: 'Raw, from 4 to 20.' }),
    sum: Maybe(Type.Integer({ minimum: 0, description: 'Null where n is not known.' })),
    n: Maybe(Type.Integer({ minimum: 1, description: 'Judged replies; null where the row does not say, and its mean fits several.' }))
  }, { ...closed, description: 'The judge\'s total of its rationales.' })),
  warnings: Type.Array(RowWarning, { description: 'Why its numbers may not be comparable with those of others.' })
}, { $id: 'ScoreTableRow', ...closed })
export type ScoreTableRow = Static<typeof ScoreTableRow>

const Ranks = Type.Object({ best: Type.Integer({ minimum: 1 }), worst: Type.Integer({ minimum: 1 }) }, closed)

const Standing = Type.Object({
  model: Type.String(),
  value: Maybe(Type.Number(share)),
  n: Count,
  low: Maybe(Type.Number(share)),
  high: Maybe(Type.Number(share)),
  rank: Maybe(Type.Integer({ minimum: 1, description: 'Equals share the better one.' })),
  rankSet: Maybe(Type.Object(Ranks.properties, { ...closed, description: 'Ranks that the data leave open, for all rows at once.' })),
  tieGroup: Maybe(Type.Integer({ minimum: 1, description: 'Rows of a group are not shown to be worse than its first one.' })),
  publishedRank: Maybe(Type.Integer({ minimum: 1, description: 'Among the same rows by the published accuracy, whatever items it is of.' })),
  notRanked: Type.Optional(Type.String({ description: 'Why it has no rank.' }))
}, closed)
export type Standing = Static<typeof Standing>

export const rankingsBy = ['published', 'text', 'all', 'paired'] as const
export const RankedBy = Type.Enum([...rankingsBy], { description: 'published: accuracy as it was published, over whatever items each model was asked. text: the items without images, which all models can be asked. all: all items, of the models that were asked all. paired: of stored runs, item by item.' })
export type RankedBy = Static<typeof RankedBy>

export const ScoreRanking = Type.Object({
  by: RankedBy,
  version: Maybe(Type.String({ description: 'Only rows of this version are ranked; null: of any.' })),
  level: Type.Number(),
  n: Maybe(Type.Integer({ minimum: 0, description: 'Items that every ranked row was asked; null where they were not asked equally many.' })),
  moved: Type.Object({ rows: Count, most: Count }, { ...closed, description: 'Rows whose rank is another one than by the published accuracy, and by how many places at most.' }),
  method: Type.String(),
  assumes: Type.String({ description: 'What intervals and rank sets take for granted.' }),
  rows: Type.Array(Standing, { description: 'Best first; those without a rank last.' }),
  notes: Type.Array(Type.String())
}, { $id: 'ScoreRanking', ...closed })
export type ScoreRanking = Static<typeof ScoreRanking>

export const ScoreTable = Type.Object({
  id: ScoreTableId,
  schemaVersion: Type.Integer(),
  name: Type.String(),
  rows: Type.Array(ScoreTableRow, { description: 'In the order in which they were sent.' }),
  warnings: Type.Array(Type.Object({
    code: Type.String(), rows: Count, detail: Type.String()
  }, closed), { description: 'Of the table as a whole.' }),
  paired: Type.Optional(ScoreRanking)
}, { $id: 'ScoreTable', ...closed })
export type ScoreTable = Static<typeof ScoreTable>

export const ScoreTableHead = Type.Object({
  id: ScoreTableId, name: Type.String(), rowCount: Count
}, { $id: 'ScoreTableHead', ...closed })
export type ScoreTableHead = Static<typeof ScoreTableHead>

export const ScoreTableRequest = Type.Object({
  rows: Type.Array(Type.Object({}, { additionalProperties: true }), { minItems: 1, maxItems: tableRowsMax })
}, {
  $id: 'ScoreTableRequest',
  additionalProperties: true,
  description: 'K-MetBench\'s leaderboard file ({source, count, rows} with model_key and accuracy_pct), with or without `counts` in its rows; or rows with their counts under `derived`. `subsets` gives how many items each slice has, where they are not K-MetBench\'s.',
  examples: [{ rows: [{ model_key: 'lab/model', display_model_name: 'Model', model_size_b: 7, is_proprietary_model: false, is_korean_model: false, is_vision_model: false, is_reasoning_model: false, accuracy_pct: 50, text_pct: 50, multimodal_pct: null, timestamps: { explicit_advanced: '2026-05-01T10:00:00' } }] }]
})
export type ScoreTableRequest = Static<typeof ScoreTableRequest>

const { metric: _metric, kind: _kind, ...asked } = LeaderboardQuery.properties

/** Which runs are in a table: as of a leaderboard. It is of accuracy, for it counts what is right. */
export const LeaderboardTableQuery = Type.Object({
  ...asked, kind: Type.Optional(Type.Enum(['binary', 'choice']))
}, { additionalProperties: false })
export type LeaderboardTableQuery = Static<typeof LeaderboardTableQuery>

const { model, ...facts } = modelFacts
type MaybeFacts = { [K in keyof typeof facts]: ReturnType<typeof Type.Optional<typeof facts[K]>> }
const maybeFacts = Object.fromEntries(
  Object.entries(facts).map(([name, fact]) => [name, Type.Optional(fact)])
) as MaybeFacts

/** What the runs do not say of their models, and by which dimensions their items are of a slice. */
export const LeaderboardTableRequest = Type.Object({
  ...LeaderboardTableQuery.properties,
  models: Type.Array(Type.Object({
    model, ...maybeFacts
  }, closed), { default: [], maxItems: tableRowsMax, description: 'Models that are not named stand in the table without size and flags.' }),
  dimensions: Type.Object({
    part: Type.String({ default: 'part', maxLength: 100, description: 'Its values 1 to 5 are the parts.' }),
    korean: Type.String({ default: 'korean', maxLength: 100, description: 'Items of which it is "true".' })
  }, { ...closed, default: {} })
}, {
  $id: 'LeaderboardTableRequest',
  ...closed,
  examples: [{ models: [{ model: 'llama-3-8b', name: 'Llama 3 8B', sizeB: 8, proprietary: false, korean: false, vision: false, reasoning: false }] }]
})
export type LeaderboardTableRequest = Static<typeof LeaderboardTableRequest>
