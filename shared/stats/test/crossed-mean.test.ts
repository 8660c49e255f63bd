import t from 'tap'
import { seededRandom } from '../../testing/random.ts'
import { crossedMean, type CrossedObservation } from '../crossed-mean.ts'
import { tQuantile } from '../distributions.ts'

const of = (person: string, cluster: string, value: number): CrossedObservation =>
  ({ person, cluster, value })

t.test('the variance is that of persons and of papers, without what they have in common twice', async t => {
  // By hand: means 3/4 and 1/4, w = 1/8 each, e = x - 1/2.
  const observations = [
    of('anna', 'p', 1), of('anna', 'p', 1), of('anna', 'q', 1), of('anna', 'q', 0),
    of('ben', 'p', 1), of('ben', 'p', 0), of('ben', 'q', 0), of('ben', 'q', 0)
  ]
  const { mean, se, df, n, persons, clusters } = crossedMean(observations)
  t.match({ mean, df, n, persons, clusters }, { mean: 0.5, df: 1, n: 8, persons: 2, clusters: 2 })
  // Persons: 2 · 2 · (1/8)²; papers the same; cells (1/8)² twice and 0 twice.
  t.ok(Math.abs(se! ** 2 - (4 + 4 - 2) / 64) < 1e-12, `${se! ** 2}`)
})

t.test('each person has equal weight, and one person, one paper or nothing have what can be said of them', async t => {
  t.equal(crossedMean([of('anna', 'p', 1), of('anna', 'q', 1), of('anna', 'r', 1), of('ben', 'p', 0)]).mean, 0.5)
  t.match(crossedMean([of('anna', 'p', 1), of('anna', 'q', 0)]), { mean: 0.5, se: null, df: 0, persons: 1 })
  const one = crossedMean([of('anna', 'p', 1), of('ben', 'p', 0)])
  t.match(one, { mean: 0.5, se: 0.5, df: 1, overClusters: false })
  const right = Array.from({ length: 49 }, (_, at) => of(`${at % 7}`, `${at}`, 1))
  t.match(crossedMean(right), { mean: 1, se: 0 })
  t.throws(() => crossedMean([]), RangeError)
  t.throws(() => crossedMean([of('anna', 'p', NaN)]), RangeError)
})

/** Persons with abilities, papers and items with difficulties; the truth is the mean over all of them. */
t.test('95 % intervals hold the truth at least .93 of the time, from three persons on', async t => {
  const random = seededRandom(7)
  const normal = () => Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next())
  const right = (ability: number) => 1 / (1 + Math.exp(-1 - ability))
  const worlds = [{ persons: 0.5, papers: 0.5 }, { persons: 1, papers: 0.5 }, { persons: 0.3, papers: 1 }]
  const sizes = [[3, 20, 5], [5, 20, 5], [5, 60, 1], [10, 8, 5]] as const
  const replicates = 400
  for (const world of worlds) {
    const spread = Math.hypot(world.persons, world.papers, 1)
    let sum = 0
    for (let at = 0; at < 60_000; at++) sum += right(spread * normal())
    const truth = sum / 60_000
    for (const [persons, papers, items] of sizes) {
      let held = 0
      for (let at = 0; at < replicates; at++) {
        const abilities = Array.from({ length: persons }, () => world.persons * normal())
        const observations: CrossedObservation[] = []
        for (let paper = 0; paper < papers; paper++) {
          const easy = world.papers * normal()
          for (let item = 0; item < items; item++) {
            const own = easy + normal()
            for (const [person, ability] of abilities.entries()) {
              observations.push(of(`${person}`, `${paper}`, Number(random.chance(right(ability + own)))))
            }
          }
        }
        const { mean, se, df } = crossedMean(observations)
        if (Math.abs(mean - truth) <= tQuantile(0.975, df) * se!) held++
      }
      const coverage = held / replicates
      t.ok(coverage >= 0.93, `${persons} persons, ${papers} papers of ${items}, spread ${world.persons} and ${world.papers}: ${coverage}`)
    }
  }
})
