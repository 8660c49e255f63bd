/** Gaps between two slices of the items, such as figures and text, for each model. */
import { Type, type Static } from 'typebox'
import { isChoice } from '../compare/measured.ts'
import { isCounted } from '../scored.ts'
import {
  analysis, assertDistinct, assertPossible, meanOf, Name, RightOf, type AnalysedRun, type Found, type Row
} from './analysis.ts'
import { bootstrapDifference, gapOverPapers, newcombeInterval, type GroupValue } from './two-shares.ts'

const Item = Type.Object({
  right: Type.Boolean(),
  paper: Name,
  pair: Type.Optional(Type.String({ maxLength: 300, description: 'Of a minimal pair, the same for both members.' }))
}, { additionalProperties: false })
const Side = Type.Union([RightOf, Type.Array(Item, { maxItems: 100_000 }), Type.Null()], {
  description: 'Counts; or the items with their papers, so that the interval can respect them; null where the model was not asked.'
})
type Side = Static<typeof Side>

const GapTable = Type.Object({
  first: Name,
  second: Name,
  models: Type.Array(Type.Object(
    { model: Name, first: Side, second: Side }, { additionalProperties: false }
  ), { minItems: 1, maxItems: 1_000 })
}, { additionalProperties: false })
type GapTable = Static<typeof GapTable>

const options = {
  interval: Type.Enum(['papers', 'bootstrap'], { default: 'papers', description: 'papers: t on CR2 over papers, of bare counts Newcombe\'s. bootstrap: percentiles over items with infinitely many replicates, to reproduce published ones.' }),
  slices: Type.Optional(Type.Object({
    dimension: Name, first: Name, second: Type.Optional(Name)
  }, { additionalProperties: false, description: 'With runs: which items are set against which; without second, against all others.' }))
}

type Options = Static<ReturnType<typeof Type.Object<typeof options>>>

export const gaps = analysis({
  summary: 'Gaps between two slices of the items for each model: modality, geo-cultural or any other',
  rows: 'One row a model: both shares, the gap with its interval, and what leaving out one item of the first slice does to it.',
  table: GapTable,
  options,
  example: { table: { first: 'figure', second: 'text', models: [{ model: 'a', first: { right: 62, n: 82 }, second: { right: 1500, n: 1692 } }] } },
  compute: gapsOf,
  fromRuns
})

export function gapsOf ({ first, second, models }: GapTable, { interval }: Pick<Options, 'interval'>): Found {
  assertDistinct(models.map(({ model }) => model), '/table/models')
  const rows = models.map((model, at) => gapRow(model, interval, at))
  const found = rows.flatMap(({ gap }) => typeof gap === 'number' ? [gap] : [])
  const excluding = rows.filter(({ excludesZero }) => excludesZero === true).length
  return {
    rows,
    summary: {
      first,
      second,
      models: models.length,
      modelsWithGap: found.length,
      meanGap: meanOf(found),
      lowestGap: found.length === 0 ? null : Math.min(...found),
      highestGap: found.length === 0 ? null : Math.max(...found),
      intervalsExcludingZero: excluding,
      modelsThatFlip: rows.filter(({ leaveOneOutFlips }) => typeof leaveOneOutFlips === 'number' && leaveOneOutFlips > 0).length
    },
    notes: [
      `Gap is ${first} minus ${second}. Models without items in both are null and in no mean.`,
      'A gap of groups of items confounds what they are with how hard they are: read it beside kind dif.',
      ...rows.some(({ method }) => method === 'Newcombe') ? ['Newcombe\'s interval takes items as independent, minimal pairs together, which items of one paper are not.'] : []
    ]
  }
}

function gapRow ({ model, first, second }: GapTable['models'][number], interval: Options['interval'], at: number): Row {
  const [a, b] = [first, second].map((side, nth) => countsOf(side, `/table/models/${at}/${nth === 0 ? 'first' : 'second'}`))
  const shown = {
    model, firstShare: shareOf(a), firstN: a?.n ?? 0, secondShare: shareOf(b), secondN: b?.n ?? 0
  }
  if (!a || !b || a.n === 0 || b.n === 0) {
    return { ...shown, gap: null, low: null, high: null, method: 'none: one of the slices has no item', excludesZero: null, leaveOneOutSwing: null, leaveOneOutFlips: null }
  }
  const gap = a.right / a.n - b.right / b.n
  const { low, high, method } = intervalOf({ first, second, a, b }, interval)
  return { ...shown, gap, low, high, method, excludesZero: low > 0 || high < 0, ...leaveOneOut(a, gap) }
}

interface Sides { first: Side, second: Side, a: RightOf, b: RightOf }

function intervalOf ({ first, second, a, b }: Sides, interval: Options['interval']) {
  if (interval === 'bootstrap') return { ...bootstrapDifference(a, b), method: 'bootstrap percentile, replicates → ∞' }
  const values = [first, second].flatMap((side, nth): GroupValue[] => Array.isArray(side)
    ? side.map(({ right, paper }) => ({ value: Number(right), cluster: paper, first: nth === 0 }))
    : [])
  return (values.length === a.n + b.n ? gapOverPapers(values) : null) ??
    { ...newcombeInterval(independent(first, a), independent(second, b)), method: 'Newcombe' }
}

/** As many items as stand for themselves, minimal pairs together, with the same share right. */
function independent (side: Side, { right, n }: RightOf): RightOf {
  if (!Array.isArray(side) || n === 0) return { right, n }
  const units = new Set(side.map(({ pair }, at) => pair === undefined ? at : `pair ${pair}`)).size
  return { right: right / n * units, n: units }
}

/**
 * One item of the first slice left out: the largest change of the gap, and how many items would turn its
 * sign. A right item is as good as any other right one, so both are closed forms.
 */
function leaveOneOut ({ right, n }: RightOf, gap: number) {
  if (n < 2) return { leaveOneOutSwing: null, leaveOneOutFlips: null }
  const share = right / n
  const without = (was: number) => gap - share + (right - was) / (n - 1)
  const flips = (was: number) => Math.sign(without(was)) === -Math.sign(gap) && gap !== 0
  return {
    leaveOneOutSwing: Math.max(
      ...right > 0 ? [Math.abs(without(1) - gap)] : [], ...right < n ? [Math.abs(without(0) - gap)] : []
    ),
    leaveOneOutFlips: (flips(1) ? right : 0) + (flips(0) ? n - right : 0)
  }
}

function shareOf (counts: RightOf | null | undefined): number | null {
  return !counts || counts.n === 0 ? null : counts.right / counts.n
}

function countsOf (side: Side, pointer: string): RightOf | null {
  if (side === null) return null
  if (Array.isArray(side)) return { right: side.filter(({ right }) => right).length, n: side.length }
  assertPossible(side, pointer)
  return side
}

function fromRuns (runs: readonly AnalysedRun[], { slices }: Options): GapTable {
  const { dimension, first, second } = slices ?? { dimension: 'aspect', first: 'figure', second: undefined }
  const side = ({ rows }: AnalysedRun, is: (value: string | undefined) => boolean) =>
    rows.filter(isChoice).filter(({ outcome, slices: of }) => isCounted(outcome) && is(of[dimension]))
      .map(({ correct, cluster, pairId }) =>
        ({ right: correct, paper: cluster, ...pairId !== null && { pair: pairId } }))
  return {
    first: `${dimension} ${first}`,
    second: second === undefined ? 'all other items' : `${dimension} ${second}`,
    models: runs.map(run => ({
      model: run.name,
      first: side(run, value => value === first),
      second: side(run, value => second === undefined ? value !== first : value === second)
    }))
  }
}
