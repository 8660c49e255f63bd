import t from 'tap'
import { analyses } from '../domain/analyses/analyses.ts'

interface Given {
  item: string
  paper?: string
  value: number
  answered: boolean
  answer?: number
  seconds?: number
}

const find = (table: object) => analyses['human-ceiling'].compute({ table }, null)
/** `place`: about and who. */
const rowIn = ({ rows }: ReturnType<typeof find>, place: string, { metric = 'accuracy', model = '' } = {}): any =>
  rows.find(row => `${row.about} ${row.who}` === place && row.metric === metric && row.model === model)

/** Of the answers given, by letter: the key is always A; `-` is not answered. */
const itemsOf = (answers: string): Given[] => [...answers].map((answer, at) => ({
  item: `i${at}`, paper: `p${at % 4}`, value: Number(answer === 'A'), answered: answer !== '-', ...answer !== '-' && { answer: answer.charCodeAt(0) - 65, seconds: 10 + at }
}))

const persons = [
  { person: 'anna', expertise: 'expert', items: itemsOf('AAAAAABA') },
  { person: 'ben', expertise: 'expert', items: itemsOf('AABAAACA') },
  { person: 'choi', expertise: 'student', items: itemsOf('ABBA-CB-') }
]
const model = { model: 'lab-7b', items: itemsOf('AABBAABB').map(({ item, paper, value }) => ({ item, paper, value })) }

t.test('people one by one, together, at their best, by majority and by expertise', async t => {
  const found = find({ persons, models: [model] })
  t.match(rowIn(found, 'person anna'), { value: 7 / 8, n: 8, clusters: 4 })
  t.match(rowIn(found, 'person choi'), { value: 2 / 8, n: 8 }, 'what was not answered is wrong')
  t.match(rowIn(found, 'person choi', { metric: 'accuracy.answered' }), { value: 2 / 6, n: 6 }, 'and left out beside it')
  const all = rowIn(found, 'persons all')
  t.match(all, { value: (7 + 6 + 2) / 24, persons: 3, clusters: 4, n: 24, p: null, method: 't, 2 df, clusters: persons and papers' })
  t.ok(all.low < all.value && all.value < all.high)
  t.match(rowIn(found, 'expertise expert'), { value: 13 / 16, persons: 2 })
  t.match(rowIn(found, 'expertise student'), { value: 2 / 8, low: null, high: null, persons: 1, reason: /one person/ })
  t.match(rowIn(found, 'best anna'), { value: 7 / 8 })
  // i2: B of two; i6: B of two; all others have A of most or of all.
  t.match(rowIn(found, 'majority all'), { value: 6 / 8, n: 8 })
  t.match(found.summary, { persons: 3, models: 1, items: 8, itemsOfAll: 8, notAnswered: 2, best: 'anna', majorityTies: 0 })
  t.match(rowIn(found, 'person anna', { metric: 'seconds.median' }), { value: 13.5, n: 8 })
  t.match(rowIn(found, 'persons all', { metric: 'seconds' }), { persons: 3, n: 22 })
})

t.test('the gap to a model is of the same items, with what it could have shown', async t => {
  const found = find({ persons, models: [model, { model: 'short', items: model.items.slice(0, 4) }, { model: 'other', items: [{ item: 'x', value: 1 }] }] })
  const gap = rowIn(found, 'gap all', { model: 'lab-7b' })
  t.ok(Math.abs(gap.value - (15 / 24 - 4 / 8)) < 1e-12)
  t.ok(gap.low < gap.value && gap.value < gap.high && gap.p > 0 && gap.p < 1 && gap.detectable > 0)
  t.match(rowIn(found, 'gap best', { model: 'lab-7b' }), { value: 3 / 8, n: 8 })
  t.match(rowIn(found, 'gap majority', { model: 'lab-7b' }), { value: 2 / 8, n: 8 })
  t.match(rowIn(found, 'gap all', { model: 'short' }), { n: 12, value: (4 + 3 + 2) / 12 - 2 / 4 })
  t.match(rowIn(found, 'gap all', { model: 'other' }), { value: null, n: 0, reason: 'no item in common' })
})

t.test('agreement is that of the answers', async t => {
  const two = find({ persons: persons.slice(0, 2), models: [] })
  // Observed 6 of 8; chance (7/8)(6/8) + (1/8)(1/8).
  const chance = 42 / 64 + 1 / 64
  t.ok(Math.abs(rowIn(two, 'agreement all', { metric: 'kappa' }).value - (6 / 8 - chance) / (1 - chance)) < 1e-12)
  const same = find({ persons: ['anna', 'ben'].map(person => ({ person, items: itemsOf('AABA') })), models: [] })
  t.match(rowIn(same, 'agreement all', { metric: 'alpha' }), { value: 1, n: 4 })
  const three = find({ persons, models: [] })
  t.match(rowIn(three, 'agreement all', { metric: 'kappa' }), { low: null, method: 'mean of 3 pairs', reason: /alpha/ })
  t.match(rowIn(find({ persons: persons.slice(0, 1), models: [] }), 'agreement all', { metric: 'alpha' }), { value: null, n: 0 })
})

t.test('level answers of a majority count their share', async t => {
  const found = find({ persons: ['AB', 'BB'].map((answers, at) => ({ person: `p${at}`, items: itemsOf(answers) })), models: [] })
  t.match(rowIn(found, 'majority all'), { value: 0.25, n: 2 })
  t.match(found.summary, { majorityTies: 1 })
})

t.test('nothing is null with its n, and all right is no point', async t => {
  const empty = find({ persons: [{ person: 'anna', items: [] }, { person: 'ben', items: [] }], models: [model] })
  for (const row of empty.rows) t.match(row, { value: null, n: 0, reason: /./ }, JSON.stringify(row))
  const perfect = find({ persons: ['anna', 'ben', 'choi'].map(person => ({ person, items: itemsOf('AAAAAAAA') })), models: [] })
  const row = rowIn(perfect, 'persons all')
  t.match(row, { value: 1, high: 1, method: /Clopper-Pearson, n = 3/ })
  t.ok(row.low < 0.4)
  t.throws(() => find({ persons: [persons[0]!, persons[0]!], models: [] }), /stands twice/)
})

t.test('items of one paper stand in its place, and a note says so', async t => {
  const one = persons.map(person => ({ ...person, items: person.items.map(item => ({ ...item, paper: 'p' })) }))
  const found = find({ persons: one, models: [] })
  t.match(rowIn(found, 'persons all'), { clusters: 8 })
  t.match(found.notes.join(' '), /one paper/)
})
