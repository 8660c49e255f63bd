import t from 'tap'
import { readFileSync } from 'node:fs'
import { paperIdOf } from '../../../shared/contracts/hash.ts'
import { readCorpus } from '../../../scripts/bench/parsing/corpus.ts'
import { read, sumOf, type Measure, type Reading } from '../../../scripts/bench/parsing/measures.ts'
import { scorePaper, type PaperScore } from '../../../scripts/bench/parsing/score.ts'
import { parsePdf } from '../parse-pdf.ts'

const corpus = process.env['VIVA_CORPUS']
const skip = corpus === undefined ? 'VIVA_CORPUS names no corpus' : false

/** A little below what is measured: floors, not targets. */
const floors: Array<[Measure, Reading, number]> = [
  ['whole', 'recall', 0.9], ['displayed', 'f1', 0.95], ['probes', 'recall', 0.93],
  ['cropHalf', 'recall', 0.97], ['body', 'recall', 0.95], ['bodyFound', 'recall', 0.93], ['order', 'tau', 0.97]
]

t.test('papers of twenty-one styles are parsed as their truth says', { skip, timeout: 240_000 }, async t => {
  const scores: PaperScore[] = []
  for (const { slug, pdf, truth, xml } of readCorpus(corpus!).papers) {
    const bytes = readFileSync(pdf)
    const { document } = await parsePdf(bytes, { paperId: paperIdOf(bytes) })
    const score = scorePaper({ document, lines: [] }, { truth, xml })
    scores.push(score)
    if (score.counts.whole?.hit === 0) t.comment(`${slug}: ${score.misses.join('; ')}`)
  }
  for (const [measure, reading, floor] of floors) {
    const value = read(sumOf(scores.map(({ counts }) => counts[measure])), reading)
    t.ok(value !== null && value >= floor, `${measure} is ${value?.toFixed(3)}, at least ${floor}`)
  }
})

t.test('the same paper gives the same document and the same pictures', { skip }, async t => {
  const paper = readCorpus(corpus!).papers[0]!
  const bytes = readFileSync(paper.pdf)
  const paperId = paperIdOf(bytes)
  const once = await parsePdf(bytes, { paperId })
  const again = await parsePdf(bytes, { paperId })
  t.equal(JSON.stringify(once.document), JSON.stringify(again.document))
  t.same(once.images.map(({ id }) => id), again.images.map(({ id }) => id))
})
