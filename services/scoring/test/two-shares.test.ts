import t from 'tap'
import { seededRandom } from '../../../shared/testing/random.ts'
import { bootstrapDifference, bootstrapShare } from '../domain/analyses/two-shares.ts'

t.test('the bootstrap with infinitely many replicates is the one with many', async t => {
  const random = seededRandom(7)
  const [first, second] = [{ right: 9, n: 13 }, { right: 20, n: 50 }]
  const draw = ({ right, n }: typeof first) => Array.from(
    { length: n }, () => Number(random.chance(right / n))
  ).reduce((a, b) => a + b, 0) / n
  const drawn = Array.from({ length: 20_000 }, () => draw(first) - draw(second)).sort((a, b) => a - b)
  const { low, high } = bootstrapDifference(first, second)
  t.ok(Math.abs(low - drawn[500]!) < 0.02 && Math.abs(high - drawn[19_500]!) < 0.02)
  t.strictSame(bootstrapShare({ right: 62, n: 82 }), { low: 54 / 82, high: 69 / 82 })
  t.strictSame(bootstrapShare({ right: 5, n: 5 }), { low: 1, high: 1 })
})
