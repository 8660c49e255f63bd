import { wilsonInterval } from '../../shared/stats/proportions.ts'
import { readPapers } from './evidence/papers.ts'
import { subjectOf, tryMutations, tryNoises, type Tried } from './evidence/quotes.ts'
const papers = await readPapers('/work/shared/papers/dev', '/tmp/evid/documents')
let t0 = performance.now()
const subjects = papers.map(subjectOf)
console.log('prepare', performance.now() - t0)
t0 = performance.now()
const noise = subjects.flatMap(s => tryNoises(s, 40))
console.log('noise', (performance.now() - t0) / noise.length, 'ms each')
t0 = performance.now()
const mut = subjects.flatMap((s, i) => tryMutations(s, subjects[(i + 1) % subjects.length]!, 40))
console.log('mutants', (performance.now() - t0) / mut.length, 'ms each')
const table = (tried: Tried[], want: boolean) => {
  for (const kind of [...new Set(tried.map(({ kind }) => kind)), 'all']) {
    const of = tried.filter(t => kind === 'all' || t.kind === kind)
    const k = of.filter(t => t.accepted).length
    const { low, high } = wilsonInterval({ successes: k, trials: of.length })
    console.log(kind.padEnd(30), `${k}/${of.length}`, (100 * k / of.length).toFixed(2), (100 * low).toFixed(2), (100 * high).toFixed(2))
    for (const t of of.filter(t => t.accepted !== want).slice(0, kind === 'all' ? 0 : Number(process.argv[2] ?? 3))) console.log('   ', t.slug, JSON.stringify(t.quote), t.reason, JSON.stringify(t.sentence))
  }
}
table(noise, true)
table(mut, false)
