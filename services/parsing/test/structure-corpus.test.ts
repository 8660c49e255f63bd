import t from 'tap'
import { readFileSync } from 'node:fs'
import { paperIdOf } from '../../../shared/contracts/hash.ts'
import { readCorpus } from '../../../scripts/bench/parsing-truth.ts'
import { scorePaper, type PaperScore } from '../../../scripts/bench/parsing-score.ts'
import { parsePdf } from '../parse-pdf.ts'

const corpus = process.env['VIVA_CORPUS']
const skip = corpus === undefined ? 'VIVA_CORPUS names no corpus' : false

/** A little below what is measured: a floor, not a target. */
const floors = { whole: 19, headings: 0.95, orderShare: 0.93, halfShare: 0.97 }

t.test('papers of twenty-one styles are parsed as their truth says', { skip, timeout: 240_000 }, async t => {
  const scores: PaperScore[] = []
  for (const { slug, pdf, truth } of readCorpus(corpus!)) {
    const bytes = readFileSync(pdf)
    const { document } = await parsePdf(bytes, { paperId: paperIdOf(bytes) })
    const score = scorePaper(document, truth)
    scores.push(score)
    if (!score.whole) t.comment(`${slug}: ${score.misses.join('; ')}`)
  }
  const sum = (pick: (score: PaperScore) => number) =>
    scores.reduce((total, score) => total + pick(score), 0)
  const whole = sum(score => Number(score.whole))
  t.ok(whole >= floors.whole, `title, abstract, first section and figures right in ${whole} papers`)
  const headings = 2 * sum(({ displayed }) => displayed.hit) /
    sum(({ displayed }) => displayed.found + displayed.of)
  t.ok(headings >= floors.headings, `displayed headings have F1 ${headings.toFixed(3)}`)
  const order = sum(score => score.order.hit) / sum(score => score.order.of)
  t.ok(order >= floors.orderShare, `${order.toFixed(3)} of the reading-order probes hold`)
  const half = sum(score => score.crops.half) / sum(score => score.crops.of)
  t.ok(half >= floors.halfShare, `${half.toFixed(3)} of the figures are cropped with IoU 0.5`)
})

t.test('the same paper gives the same document and the same pictures', { skip }, async t => {
  const paper = readCorpus(corpus!)[0]!
  const bytes = readFileSync(paper.pdf)
  const paperId = paperIdOf(bytes)
  const once = await parsePdf(bytes, { paperId })
  const again = await parsePdf(bytes, { paperId })
  t.equal(JSON.stringify(once.document), JSON.stringify(again.document))
  t.same(once.images.map(({ id }) => id), again.images.map(({ id }) => id))
})
