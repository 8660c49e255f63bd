import t from 'tap'
import { agreementOn } from '../domain/agreements.ts'
import type { DataCard } from '../../../../shared/contracts/benchmark.ts'
import { datasetCard } from '../../domain/exports/cards.ts'
import { itemForm, items, opened, rated } from './raters.ts'
import { clusterOf } from '../../../../shared/stats/item-cluster.ts'
import type { Rating, Scale } from '../domain/agreement-tables.ts'

const scale: Scale = { question: 'accuracy', level: 'ordinal', values: [1, 2, 3, 4, 5] }

/** Two raters on `perPaper` items of each paper; `pairOf` says what they answer. */
function ratingsOf (
  papers: number, perPaper: number, pairOf: (paper: number, item: number) => [number, number]
): Rating[] {
  return Array.from({ length: papers * perPaper }, (_, i) => {
    const [paper, item] = [Math.floor(i / perPaper), i % perPaper]
    return pairOf(paper, item).map((answer, rater) => (
      { unit: `u${i}`, cluster: `p${paper}`, raterId: `r${rater}`, question: 'accuracy', answer }))
  }).flat()
}

t.test('intervals are over papers from five on, and wider where a paper is all of one kind', async t => {
  const byPaper = agreementOn(scale, ratingsOf(6, 10, paper => [4, paper < 3 ? 4 : 2]))
  t.match(byPaper, { units: 60, papers: 6, raters: ['r0', 'r1'], ratings: 120, percentAgreement: { value: 0.5, over: 'papers', reason: null }, gwetAC2: { over: 'papers' }, iccA1: { over: 'items' } })
  const mixed = agreementOn(scale, ratingsOf(6, 10, (_, item) => [4, item < 5 ? 4 : 2]))
  const width = ({ percentAgreement: { low, high } }: typeof mixed) => high! - low!
  t.equal(mixed.percentAgreement.value, 0.5)
  t.ok(width(byPaper) > 0.8)
  t.match(mixed.percentAgreement, { over: 'papers', reason: /exact .* 6 papers/ }, 'papers that are all alike vary in nothing')
  t.match(agreementOn(scale, ratingsOf(4, 10, paper => [4, paper < 2 ? 4 : 2])).percentAgreement, { over: 'items' })
})

t.test('items of a bank are each their own, or what they declare to belong together, and never one paper', async t => {
  const inBank = (slices: Record<string, string>, id: string, pairId?: string) =>
    clusterOf({ id, source: { bankId: 'imp', row: 1 }, slices, pairId })
  const said = ratingsOf(1, 60, (_, item) => [4, item % 3 === 0 ? 2 : 4])
  const ofBank = (clusterOfUnit: (item: number) => string) => said
    .map((rating): Rating => ({ ...rating, cluster: clusterOfUnit(Number(rating.unit.slice(1))) }))
  const alone = agreementOn(scale, ofBank(item => inBank({}, `itm_${item}`)))
  t.match(alone, { units: 60, papers: 60, percentAgreement: { over: 'items' }, gwetAC2: { over: 'items' }, alphaOrdinal: { over: 'items' } })
  const passages = agreementOn(scale, ofBank(item => inBank({ cluster: `passage ${item % 3 === 0 ? 0 : 1 + item % 7}` }, `itm_${item}`)))
  t.match(passages, { papers: 8, percentAgreement: { over: 'clusters' } })
  const width = ({ percentAgreement: { low, high } }: typeof alone) => high! - low!
  t.ok(width(passages) > width(alone), 'what hangs together says less')
})

t.test('where all agree the exact interval counts papers, and no other coefficient has one', async t => {
  const found = agreementOn(scale, ratingsOf(8, 10, (_, item) => [1 + item % 5, 1 + item % 5]))
  t.match(found.percentAgreement, { value: 1, high: 1, over: 'papers', reason: /exact/ })
  t.equal(found.percentAgreement.low!.toFixed(4), '0.6306', 'Clopper-Pearson, 8 of 8')
  for (const name of ['cohenKappa', 'gwetAC1', 'alphaOrdinal', 'iccA1'] as const) {
    t.match(found[name], { value: 1, low: null, high: null, reason: /varies/ }, name)
  }
})

t.test('raters who are not the same everywhere have AC1 and alpha, and no kappa and no ICC', async t => {
  const ratings = ratingsOf(5, 4, (paper, item) => [3, 3 + paper * item % 2])
    .map(rating => rating.cluster === 'p0' && rating.raterId === 'r1' ? { ...rating, raterId: 'r2' } : rating)
  const found = agreementOn(scale, ratings)
  t.same(found.raters, ['r0', 'r1', 'r2'])
  t.match(found.cohenKappa, { value: null, reason: /two raters/ })
  t.match(found.iccA1, { value: null, reason: /same raters/ })
  t.type(found.gwetAC1.value, 'number')
  t.type(found.alphaNominal.low, 'number')
})

t.test('answers without order have no weights, and nothing said is null and not 0', async t => {
  const nominal: Scale = { question: 'accuracy', level: 'nominal', values: ['a', 'b'] }
  t.match(agreementOn(nominal, []), { units: 0, single: 0, percentAgreement: { value: null }, gwetAC2: { value: null, reason: /order/ } })
  const once = ratingsOf(1, 3, () => [1, 1]).filter(({ raterId }) => raterId === 'r0')
  t.match(agreementOn(scale, once), { units: 0, single: 3, ratings: 0, alphaOrdinal: { value: null, reason: /twice/ } })
})

t.test('a data card has the agreement of two raters who read the same items, by question and without names', async t => {
  const { at, id, send, blind } = await opened(t)
  const accuracies: Record<string, number[]> = { anna: [4, 5, 3, 4], ben: [4, 4, 3, 4] }
  for (const [raterId, given] of Object.entries(accuracies)) {
    const queue = new Map((await blind(raterId, '&doubleShare=1')).map(entry => [entry.item.id, entry.etag]))
    t.equal(queue.size, 4, 'each item is offered to both')
    for (const [i, item] of items.entries()) {
      const decision = raterId === 'ben' && i === 0 ? 'rejected' : 'accepted'
      const said = { decision, reason: 'Vague.', ...rated(given[i]!, 3) } as const
      const { status } = await send(item, raterId, { ifMatch: queue.get(item.id)!, ...said })
      t.equal(status, 201)
    }
  }
  const made = (await at.post('/benchmarks', { name: 'agreed', reviewingIds: [id], verdicts: ['unreviewed'] })).json()
  const { agreement } = made.card as DataCard
  t.notMatch(JSON.stringify(agreement), /anna|ben"/)
  const [decisions, answers] = agreement!
  t.match(decisions, { reviewingId: id, questionnaireId: null, questions: [{ question: 'decision', units: 4, single: 0, papers: 1, raters: 2, ratings: 8 }] })
  t.equal(decisions!.questions[0]!.percentAgreement.value, 0.75)
  t.equal(decisions!.questions[0]!.cohenKappa.value, 0, 'by chance as often: (.75 - .75) / (1 - .75)')
  t.match(answers, { questionnaireId: itemForm!.id, questions: [{ question: 'accuracy', units: 4 }, { question: 'relevance', units: 4 }] })
  const [accuracy, relevance] = answers!.questions
  t.equal(accuracy!.percentAgreement.value, 0.75)
  t.equal(accuracy!.cohenKappa.value!.toFixed(4), '0.5556', '(.75 - .4375) / (1 - .4375)')
  t.equal(accuracy!.gwetAC1.value!.toFixed(4), '0.7117', '(.75 - .1328) / (1 - .1328), of five points')
  t.match(accuracy!.percentAgreement, { over: 'items', low: Number, high: Number }, 'one paper: for these items only')
  t.equal(relevance!.percentAgreement.value, 1)
  const shown = datasetCard({ benchmark: made, canary: '', languages: ['en'] })
  t.match(shown, /Agreement of people[^]*accuracy: 2 raters, 4 rated twice or more[^]*?0\.750/)
})
