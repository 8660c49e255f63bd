/** How far one model's score depends on what should not matter: wording, order, seed, single papers. */
import { Type, type Static } from 'typebox'
import { intervalOfMean } from '../metrics/interval-of-mean.ts'
import { isChoice } from '../compare/measured.ts'
import { inClusters } from '../compare/paired.ts'
import { isCounted } from '../scored.ts'
import { clusterTest } from '../../../../shared/stats/cluster-test.ts'
import { analysis, assertDistinct, meanOf, Name, wrong, type AnalysedRun, type Found, type Row } from './analysis.ts'

const RobustnessTable = Type.Object({
  runs: Type.Array(Type.Object({
    name: Name,
    items: Type.Array(Type.Object({
      item: Name,
      paper: Name,
      pair: Type.Optional(Type.String({ maxLength: 300, description: 'Of a minimal pair, the same for both members.' })),
      right: Type.Boolean(),
      answer: Type.Union([Type.String({ maxLength: 300 }), Type.Null()], { description: 'By what stands in the choice and not by its place, which may be permuted; null where none was read.' }),
      strict: Type.Optional(Type.Boolean({ description: 'Right in the format asked for.' }))
    }, { additionalProperties: false }), { maxItems: 50_000 })
  }, { additionalProperties: false }), { minItems: 1, maxItems: 50, description: 'The first is the one the others are held against.' })
}, { additionalProperties: false })
type RobustnessTable = Static<typeof RobustnessTable>
type RunItems = RobustnessTable['runs'][number]
type Item = RunItems['items'][number]

export const robustness = analysis({
  summary: 'Robustness card of one model: conditions against the first, changed answers, single papers, format',
  rows: 'One row a run: accuracy, difference to the first run on common items with interval and p over papers (exact to 24 of them, then t on CR2; of one paper over its items, minimal pairs together), share of answers that changed, and the range of accuracy with any one paper left out.',
  table: RobustnessTable,
  options: {},
  example: { table: { runs: [{ name: 'as written', items: [{ item: 'i', paper: 'p', right: true, answer: 'argon' }] }, { name: 'permuted', items: [{ item: 'i', paper: 'p', right: false, answer: 'neon' }] }] } },
  compute: robustnessOf,
  fromRuns
})

function robustnessOf ({ runs }: RobustnessTable): Found {
  assertDistinct(runs.map(({ name }) => name), '/table/runs')
  for (const [at, { items }] of runs.entries()) {
    if (new Set(items.map(({ item }) => item)).size < items.length) throw wrong(`/table/runs/${at}/items`, 'An item stands twice in this run; give each once.')
  }
  const [first, ...others] = runs
  const rows = runs.map(run => rowOf(run, first!))
  const byItem = others.map(({ items }) => new Map(items.map(item => [item.item, item])))
  const shared = first!.items.flatMap(item => {
    const same = byItem.map(of => of.get(item.item))
    return same.every(each => each !== undefined) ? [[item, ...same as Item[]]] : []
  })
  const share = (is: (items: Item[]) => boolean) => runs.length < 2
    ? null
    : meanOf(
      shared.map(items => Number(is(items)))
    )
  const accuracies = rows.flatMap(({ accuracy }) => typeof accuracy === 'number' ? [accuracy] : [])
  return {
    rows,
    summary: {
      runs: runs.length,
      commonItems: shared.length,
      lowestAccuracy: accuracies.length === 0 ? null : Math.min(...accuracies),
      highestAccuracy: accuracies.length === 0 ? null : Math.max(...accuracies),
      rightInAll: share(items => items.every(({ right }) => right)),
      rightInAny: share(items => items.some(({ right }) => right)),
      sameAnswerInAll: share(
        items => items.every(({ answer }) => answer !== null && answer === items[0]!.answer)
      )
    },
    notes: [
      'Differences are of each run minus the first, on the items both have.',
      ...runs.length > 2 ? [`${runs.length - 1} differences are tested and their p-values are not adjusted for it.`] : [],
      ...runs.length < 2 ? ['One run: nothing shows how far its conditions matter. Add runs with permutationSeed, another seed, prompt or content.'] : []
    ]
  }
}

function rowOf (run: RunItems, first: RunItems): Row {
  const accuracy = meanOf(run.items.map(({ right }) => Number(right)))
  const strict = run.items.filter(({ strict: known }) => known !== undefined)
  return {
    run: run.name,
    n: run.items.length,
    accuracy,
    strictMinusLenient: strict.length === 0
      ? null
      : meanOf(
        strict.map(each => Number(each.strict) - Number(each.right))
      ),
    ...leftOutRange(run.items),
    ...run === first ? noDifference : differenceOf(run, first)
  }
}

const noDifference = { difference: null, low: null, high: null, p: null, changedAnswers: null }

function differenceOf (run: RunItems, first: RunItems): Row {
  const reference = new Map(first.items.map(item => [item.item, item]))
  const common = run.items.flatMap(item => {
    const other = reference.get(item.item)
    return other === undefined ? [] : [{ item, other }]
  })
  if (common.length === 0) return noDifference
  const values = common.map(
    ({ item, other }) => ({
      value: Number(item.right) - Number(other.right),
      cluster: item.paper,
      ...item.pair !== undefined && { pairId: item.pair }
    })
  )
  const { value, interval } = intervalOfMean(values, { proportion: false, range: [-1, 1] })
  return {
    difference: value,
    low: interval?.low ?? null,
    high: interval?.high ?? null,
    p: clusterTest(inClusters(values)).pValue,
    changedAnswers: meanOf(common.map(({ item, other }) => Number(item.answer !== other.answer)))
  }
}

/** Null where one paper is all there is. */
function leftOutRange (items: readonly Item[]): Row {
  const papers = new Map<string, { right: number, n: number }>()
  for (const { paper, right } of items) {
    const own = papers.get(paper) ?? { right: 0, n: 0 }
    papers.set(paper, { right: own.right + Number(right), n: own.n + 1 })
  }
  if (papers.size < 2) return { withoutOnePaperLowest: null, withoutOnePaperHighest: null }
  const right = items.filter(item => item.right).length
  const shares = [...papers.values()].map(own => (right - own.right) / (items.length - own.n))
  return { withoutOnePaperLowest: Math.min(...shares), withoutOnePaperHighest: Math.max(...shares) }
}

function fromRuns (runs: readonly AnalysedRun[]): RobustnessTable {
  const models = new Set(runs.map(({ model }) => model))
  if (models.size > 1) throw wrong('/runIds', `A robustness card is of one model; these runs are of ${[...models].join(', ')}.`)
  return {
    runs: runs.map(({ name, rows }) => ({
      name,
      items: rows.filter(isChoice).filter(({ outcome }) => isCounted(outcome)).map(row => ({
        item: row.itemId,
        paper: row.cluster,
        ...row.pairId !== null && { pair: row.pairId },
        right: row.correct,
        answer: row.answerIndex === null ? null : `choice ${row.answerIndex}`,
        strict: row.strictCorrect
      }))
    }))
  }
}
