/** Leaderboard: what the stored runs of one benchmark say of who is better, and how surely. */
import { Type, type Static, type TSchema } from 'typebox'
import { ComparedMetric } from './comparison.ts'
import { BenchmarkId, ItemId, RunId } from './ids.ts'
import { ItemKind } from './item.ts'
import { Score } from './score.ts'
import { Condition, Outcome } from './run.ts'

const closed = { additionalProperties: false }
const Maybe = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()])
const Count = Type.Integer({ minimum: 0 })
const Ranks = Type.Object({ best: Type.Integer({ minimum: 1 }), worst: Type.Integer({ minimum: 1 }) }, closed)

const { contentMode, prompt, formulation, figures, images, sequence, probe } = Condition.properties
const changing = 'Left out: only runs that change nothing here, for a score under it is none of the benchmark.'
const withoutDefault = <S extends TSchema>(schema: S) => {
  const { default: _, ...rest } = schema as S & { default?: unknown }
  return Type.Optional(rest as unknown as S)
}

export const LeaderboardQuery = Type.Object({
  metric: Type.Enum([...ComparedMetric.enum], { default: 'accuracy' }),
  kind: Type.Optional(ItemKind),
  contentMode: withoutDefault(contentMode),
  prompt: withoutDefault(prompt),
  formulation: withoutDefault(formulation),
  figures: withoutDefault(figures),
  images: Type.Optional(Type.Enum([...images.enum], { description: changing })),
  sequence: Type.Optional(Type.Enum([...sequence.enum], { description: changing })),
  probe: Type.Optional(Type.Enum([...probe.enum], { description: changing })),
  dimension: Type.Optional(Type.String({ minLength: 1, maxLength: 100, description: 'With `value`: over the items of one slice alone.' })),
  value: Type.Optional(Type.String({ maxLength: 1000 })),
  thinking: Type.Optional(Type.Boolean()),
  promptHash: Type.Optional(Type.String({ pattern: '^[0-9a-f]{4,64}$', description: 'Runs asked with this version of a prompt: its sha256, or the beginning of it.' })),
  baselines: Type.Boolean({ default: true }),
  humans: Type.Boolean({ default: true, description: 'Whether people\'s sittings stand among the models. A sitting of part of the items is shown and not ranked.' }),
  itemsShare: Type.Number({ minimum: 0, maximum: 1, default: 0.9, description: 'Ranks compare the items that count for every ranked run: at least this share of them all. Runs that would leave fewer are shown and not ranked: else what one model skips, images for example, would be in no ranking. 0 ranks all.' }),
  level: Type.Number({ minimum: 0.5, maximum: 0.999, default: 0.95 })
}, { additionalProperties: false })
export type LeaderboardQuery = Static<typeof LeaderboardQuery>

export const LeaderboardRow = Type.Object({
  name: Type.String(),
  model: Type.String(),
  baseline: Type.Boolean(),
  human: Type.Boolean({ description: 'Whether it is a person: a sitting, each in a row of its own.' }),
  condition: Condition,
  prompts: Type.Array(Type.Object({ name: Type.String(), hash: Type.String() }, closed)),
  runIds: Type.Array(RunId, { description: 'Its repeats; an item is worth the mean of them.' }),
  outcomes: Type.Record(Outcome, Count, { description: 'Of what the score is of, items or minimal pairs: one that any repeat left in error or skipped is counted as that.' }),
  score: Score,
  common: Maybe(Type.Object({ value: Type.Number(), n: Count, clusters: Count }, {
    ...closed, description: 'On the items that count for every ranked run: what ranks compare. Null where it is not ranked.'
  })),
  rank: Maybe(Type.Integer({ minimum: 1 })),
  rankSet: Maybe(Type.Object(Ranks.properties, { ...closed, description: 'Ranks that the data leave open, for all rows at once.' })),
  tieGroup: Maybe(Type.Integer({ minimum: 1, description: 'Rows of a group are not shown to be worse than its first one.' })),
  leaveOnePaperOut: Maybe(Type.Object(Ranks.properties, { ...closed, description: 'Its best and worst rank with any one paper left out.' })),
  bounds: Maybe(Type.Object({ low: Type.Number(), high: Type.Number(), errors: Count }, { ...closed, description: 'What the score can be, whatever comes of items that ended in error.' })),
  notRanked: Type.Optional(Type.String({ description: 'Why it has no rank.' }))
}, { $id: 'LeaderboardRow', ...closed })
export type LeaderboardRow = Static<typeof LeaderboardRow>

/** How little would have to change for the first two rows to change places. */
export const Sensitivity = Type.Object({
  first: Type.String(),
  second: Type.String(),
  n: Type.Integer({ minimum: 0, description: 'Common items.' }),
  itemsToTie: Maybe(Count),
  itemsToFlip: Maybe(Type.Integer({ minimum: 0, description: 'Fewest items whose leaving out puts the second above the first: exact, for over the same items the order is that of the sums. Null where no number of items does it.' })),
  items: Type.Array(ItemId, { description: 'Those items, at most 100 of them.' }),
  papers: Count,
  papersThatFlip: Type.Array(Type.String(), { description: 'Leaving out one of them alone puts the second first, or level.' })
}, { $id: 'Sensitivity', ...closed })
export type Sensitivity = Static<typeof Sensitivity>

export const Leaderboard = Type.Object({
  schemaVersion: Type.Integer(),
  benchmark: Type.Object({ id: BenchmarkId, name: Type.String(), version: Type.String() }, closed),
  metric: ComparedMetric,
  kind: Maybe(ItemKind),
  filter: Type.Record(Type.String(), Type.Union([Type.String(), Type.Boolean(), Type.Number()])),
  level: Type.Number(),
  items: Type.Integer({ minimum: 0, description: 'Of the benchmark, by this metric.' }),
  commonItems: Type.Integer({ minimum: 0, description: 'That count for every ranked run.' }),
  rankMethod: Type.String(),
  rows: Type.Array(LeaderboardRow, { description: 'Ranked ones first, best first; ties, and those without a rank, by name.' }),
  leftOut: Type.Array(Type.Object({ runId: RunId, name: Type.String(), reason: Type.String() }, closed), { description: 'Runs that fit the filter and are not settled.' }),
  sensitivity: Maybe(Sensitivity),
  notes: Type.Array(Type.String())
}, { $id: 'Leaderboard', ...closed })
export type Leaderboard = Static<typeof Leaderboard>

const Linkable = Type.Enum(['accuracy', 'accuracy.strict'], { default: 'accuracy' })
const { metric: _metric, itemsShare: _itemsShare, ...linkFilter } = LeaderboardQuery.properties

export const LinkQuery = Type.Object({ ...linkFilter, metric: Linkable }, { additionalProperties: false })
export type LinkQuery = Static<typeof LinkQuery>

/** Two versions of a benchmark on one scale, by the items both have. */
export const LeaderboardLink = Type.Object({
  benchmark: Leaderboard.properties.benchmark,
  other: Leaderboard.properties.benchmark,
  metric: Type.String(),
  method: Type.String(),
  anchors: Type.Object({
    shared: Type.Integer({ minimum: 0, description: 'Items that are in both versions, unchanged.' }),
    kept: Count,
    drifting: Type.Array(Type.Object({
      itemId: ItemId,
      here: Type.Number({ description: 'Difficulty among the models of this version, ETS delta: 13 is half right, 4 a standard deviation.' }),
      there: Type.Number(),
      deviation: Type.Number({ description: 'From the shift of the other anchors.' }),
      p: Type.Number({ minimum: 0, maximum: 1 })
    }, closed), { description: 'Refused as anchors: their difficulty moved by itself.' })
  }, closed),
  linked: Type.Boolean(),
  reason: Type.Optional(Type.String({ description: 'Why the versions are not linked.' })),
  shift: Maybe(Type.Object({ value: Type.Number(), low: Type.Number(), high: Type.Number() }, {
    ...closed, description: 'How much harder, in delta, the anchors were for the models of the other version; because those are weaker.'
  })),
  rows: Type.Array(Type.Object({
    name: Type.String(),
    from: Type.Enum(['this version', 'other version']),
    score: Maybe(Type.Number({ description: 'On its own version.' })),
    n: Count,
    anchorScore: Maybe(Type.Number({ description: 'On the anchors that were kept: comparable as it stands.' })),
    anchors: Count,
    onThisVersion: Maybe(Type.Number({ description: 'As observed, or as linked for rows of the other version.' })),
    low: Maybe(Type.Number({ description: 'What the uncertainty of the link alone leaves open, 95 %.' })),
    high: Maybe(Type.Number())
  }, closed)),
  notes: Type.Array(Type.String())
}, { $id: 'LeaderboardLink', ...closed })
export type LeaderboardLink = Static<typeof LeaderboardLink>
