import t, { type Test } from 'tap'
import type { BenchmarkItem } from '../../../shared/contracts/benchmark.ts'
import type { Prediction } from '../../../shared/contracts/run.ts'
import {
  bankBenchmark, bankItems, ids, images, ofImages, open, pictured, plain, sequence, sequenceInEnglish, urlOf
} from './bank-items.ts'
import { questionOf } from '../domain/question.ts'
import { whyNotAsked } from '../domain/skips.ts'
import { conditionOf, documentOf, itemsOf } from './fixtures.ts'
import { promptOf, says, startScoring, type Asked } from './given-scoring.ts'

const benchmark = bankBenchmark()
const given = { documents: [], frozen: [{ benchmark, items: bankItems }], images }

type Part = { type: 'text', text: string } | { type: 'image_url', image_url: { url: string } }

/** What a request shows, images as the place of their id. */
function shownIn ({ body: { messages: [{ content }] } }: Asked): string {
  const nameOf = (url: string) => `{${ids.findIndex(id => urlOf(id) === url)}}`
  return typeof content === 'string' ? content : (content as Part[]).map(part => part.type === 'text' ? part.text : nameOf(part.image_url.url)).join('')
}

const askedAbout = (journal: readonly Asked[], { question }: BenchmarkItem) =>
  journal.map(shownIn).filter(text => text.includes(question))

async function predictionsOf (ask: Awaited<ReturnType<typeof startScoring>>['ask'], runId: string): Promise<Prediction[]> {
  return (await ask('GET', `/runs/${runId}/predictions?limit=200`)).body.items
}

async function started (t: Test, own: object = {}) {
  const { ask, run, journal } = await startScoring(t, { ...given, ...own }, { answer: () => says('Answer: B') })
  return { ask, run, journal, outcomesOf: async (runId: string) => Object.fromEntries((await predictionsOf(ask, runId)).map(({ itemId, outcome, detail }) => [itemId, `${outcome} ${detail ?? ''}`.trim()])) }
}

t.test('an item of a bank is asked without a paper, in its language, with its images in their places', async t => {
  const { run, journal } = await started(t)
  const done = await run('seeing')
  t.match(done, { state: 'succeeded', outcomes: { answered: 6 } })
  t.match(done.prompts.map(({ name }: { name: string }) => name), ['answer-bank-binary-ko.v1', 'answer-bank-binary.v1', 'answer-bank-choice-ko.v1', 'answer-bank-choice.v1'])
  for (const text of journal.map(shownIn)) t.notMatch(text, /paper|research|SECRET/u)
  t.match(askedAbout(journal, plain)[0], /^시험 문제 하나와 선택지가 주어진다/u)
  t.match(askedAbout(journal, sequenceInEnglish)[0], /^You are given one exam question/u)
  t.match(askedAbout(journal, pictured)[0], `${pictured.question}\n[그림 1]\n{0}\n[그림 2]\n{10}\n</question>`)
  t.match(askedAbout(journal, ofImages)[0], '<choices>\nA. \n{1}\nB. second\n{2}\nC. none\n</choices>')
  t.match(askedAbout(journal, sequence)[0], '[그림 1, 2026-07-01T03:00+09:00]\n{3}\n[그림 2, 2026-07-01T04:00+09:00]\n{4}\n[그림 3, 2026-07-01T05:00+09:00]\n{5}\n')
  t.match(askedAbout(journal, open)[0], '[Image 1]\n{9}')
})

t.test('a model without vision skips what has images, and is never asked blind', async t => {
  const { ask, run, journal, outcomesOf } = await started(t)
  const done = await run('blind')
  t.match(done, { state: 'succeeded', outcomes: { answered: 1, skipped: 5 } })
  t.equal(journal.length, 1)
  t.match((await outcomesOf(done.id))[ofImages.id], /^skipped The model takes no images/)
  const withheld = await run('blind', { images: 'none' })
  t.match([withheld.outcomes.answered, withheld.condition.figures, withheld.condition.images], [6, 'withheld', undefined])
  t.equal((await run('blind', { figures: 'withheld' })).id, withheld.id, 'none is the same as withheld')
  const ranked = async (images: string) => (await ask('GET', `/leaderboards/${benchmark.id}?images=${images}`)).body
  t.match((await ranked('none')).rows, [{ runIds: [withheld.id] }])
  t.match(askedAbout(journal, ofImages)[0], 'A. (그림은 보이지 않음)\nB. second (그림은 보이지 않음)\nC. none')
  t.match(askedAbout(journal, sequence)[0], '[그림 1, 2026-07-01T03:00+09:00: 보이지 않음]')
})

t.test('a missing image is an error, never a blind ask', async t => {
  const some = new Map([...images].filter(([id]) => id !== ids[4]))
  const { ask, run, journal, outcomesOf } = await started(t, { images: some })
  const done = await run('seeing')
  t.match(done, { state: 'failed', outcomes: { answered: 5, error: 1 } })
  t.match((await outcomesOf(done.id))[sequence.id], `error There is no image ${ids[4]}.`)
  t.equal(askedAbout(journal, sequence).length, 0)
  const report = (await ask('POST', '/reports', { runIds: [done.id] })).body
  t.match(report.runs[0].notes[0], /1 of 6 items ended in error/)
})

t.test('wrong shows images of another item, the same ones each time, and leaves choices alone', async t => {
  const { run, journal, outcomesOf } = await started(t)
  const done = await run('seeing', { images: 'wrong' })
  t.match(done, { outcomes: { answered: 5, skipped: 1 }, condition: { images: 'wrong' } })
  t.match((await outcomesOf(done.id))[ofImages.id], /^skipped Only choices/)
  const shown = (item: BenchmarkItem) => [...askedAbout(journal, item)[0]!.matchAll(/\{(\d+)\}/g)].map(match => ids[Number(match[1])]!)
  for (const item of [pictured, sequence, sequenceInEnglish, open]) {
    const own = item.images!.map(({ imageId }) => imageId)
    t.equal(shown(item).length, own.length)
    t.notOk(shown(item).some(id => own.includes(id)), item.question)
  }
  t.match(askedAbout(journal, sequence)[0], /\[그림 1, 2026-07-01T03:00\+09:00\]/u, 'the model is not told')
  const first = askedAbout(journal, sequence)[0]
  await run('seeing', { images: 'wrong', repeat: 1 })
  t.equal(askedAbout(journal, sequence)[1], first)
})

t.test('described puts captions in place of images, for a model without vision too', async t => {
  const { run, journal, outcomesOf } = await started(t)
  const done = await run('blind', { images: 'described' })
  t.match(done.outcomes, { answered: 3, skipped: 3 })
  t.match(askedAbout(journal, pictured)[0], '[그림 1: A surface chart.]\n[그림 2: A photograph.]')
  const found = await outcomesOf(done.id)
  t.match(found[sequence.id], /^skipped An image has no caption/)
  t.match(found[ofImages.id], /^skipped A choice is an image/)
})

t.test('a sequence is shuffled, reversed or cut to its last image, and its times stay', async t => {
  const { ask, run, journal } = await started(t)
  const seen = async (sequence: string) => {
    const from = journal.length
    const done = await run('seeing', { sequence })
    t.match(done.outcomes, { answered: 2, skipped: 4 })
    return askedAbout(journal.slice(from), sequenceInEnglish)[0]!
  }
  const order = (text: string) => [...text.matchAll(/\{(\d)\}/g)].map(match => match[1]).join('')
  const reversed = await seen('reversed')
  t.equal(order(reversed), '876')
  t.match(reversed, '[Image 1, 2026-07-01T06:00+09:00]\n{8}')
  const shuffled = order(await seen('shuffled'))
  t.not(shuffled, '678')
  t.equal([...shuffled].sort().join(''), '678')
  const last = await seen('last-only')
  t.match(last, '[Image 1, 2026-07-01T08:00+09:00]\n{8}')
  t.equal(order(last), '8')
  t.equal((await run('seeing', { sequence: 'ordered' })).id, (await run('seeing')).id, 'ordered says nothing')
  const report = (await ask('POST', '/reports', { runIds: [(await run('seeing', { sequence: 'reversed' })).id] })).body
  t.match(report.runs[0].notes.join('\n'), /Sequence reversed: only items whose images/)
  t.match(report.runs[0].notes.join('\n'), /4 of 6 items were skipped and are in no score/)
})

t.test('probes take the question or the choices away, or make all of them right', async t => {
  const { run, journal } = await started(t)
  const asked = async (probe: string, item: BenchmarkItem) => {
    const from = journal.length
    const done = await run('seeing', { probe })
    t.match(done.outcomes, { answered: 5, skipped: 1 })
    const at = [plain, pictured, ofImages, sequence, sequenceInEnglish].indexOf(item)
    return journal.slice(from).map(shownIn).filter(text => text.includes(item.question) || probe === 'no-question')[probe === 'no-question' ? at : 0]!
  }
  t.match(await asked('no-choices', ofImages), 'A. (보이지 않음)\nB. (보이지 않음)\nC. (보이지 않음)\n')
  t.match(await asked('all-options-correct', ofImages), 'A. second\n{2}\nB. second\n{2}\nC. second\n{2}\n')
  const from = journal.length
  await run('seeing', { probe: 'no-question' })
  const texts = journal.slice(from).map(shownIn)
  t.equal(texts.length, 5)
  for (const text of texts) t.match(text, /<question>\n\((?:문제는 보이지 않는다|The question is not shown)\.\)\n<\/question>/u)
})

t.test('where no choice is known to be right, none is put behind every letter', async t => {
  const { answerIndex: _, ...unkeyed } = plain
  const condition = conditionOf({ probe: 'all-options-correct' })
  t.match(whyNotAsked(unkeyed, condition), /does not say which choice is right/)
  t.match(whyNotAsked({ ...plain, answerIndex: 9 }, condition), /does not say which choice is right/)
  t.equal(whyNotAsked(plain, condition), undefined)
  t.equal(whyNotAsked(unkeyed, conditionOf({ probe: 'no-question' })), undefined)
  t.strictSame(questionOf(unkeyed, condition).choices, questionOf(unkeyed).choices, 'the first is not taken for it')
})

t.test('what the items cannot be put under is refused at once', async t => {
  const documents = [documentOf('a')]
  const items = documents.flatMap(itemsOf).filter(({ kind }) => kind === 'qa')
  const { ask } = await startScoring(t, { documents, frozen: [{ benchmark: bankBenchmark(items), items }] })
  const refused = async (condition: object) => {
    const { status, body } = await ask('POST', '/runs', { benchmarkId: bankBenchmark(items).id, model: 'seeing', condition })
    return `${status} ${body.detail}`
  }
  t.match(await refused({ sequence: 'shuffled' }), /^422 .*sequence/)
  t.match(await refused({ probe: 'no-choices' }), /^422 .*multiple-choice/)
  t.match(await refused({ figures: 'withheld', images: 'wrong' }), /^422 .*leave one of them out/)
})

t.test('scores, intervals and slices take each item of a bank for itself', async t => {
  const { ask, run } = await started(t)
  const done = await run('seeing')
  const report = (await ask('POST', '/reports', { runIds: [done.id] })).body
  const [{ slices }] = report.runs
  const of = (dimension: string, value: string, kind = 'choice') => slices.find((slice: { dimension: string, value: string, kind: string }) => slice.dimension === dimension && slice.value === value && slice.kind === kind)
  t.match(of('all', 'all').scores[0], { metric: 'accuracy', value: 1, n: 5, clusters: 5, interval: { method: 'Wilson, n = 5 independent items' } })
  t.match(of('part', 'Part 1. $x').scores[0], { value: 1, n: 1 })
  t.match(of('modality', 'image').scores[0], { value: 1, n: 4 })
  t.equal(slices.some(({ dimension }: { dimension: string }) => dimension === 'paper'), false)
  const blind = await run('blind')
  const shown = (await ask('POST', '/reports', { runIds: [blind.id] })).body.runs[0].slices
  const image = shown.find((slice: { value: string, kind: string }) => slice.value === 'image' && slice.kind === 'choice')
  t.match([image.scores[0].value, image.scores[0].n, image.outcomes.skipped], [null, 0, 4], 'no data is null, never zero')
  t.match(report.notes.join('\n'), /each is a cluster of its own/)
  t.notMatch(report.notes.join('\n'), /papers/)
})

t.test('the slice cluster makes items one cluster', async t => {
  const items = Array.from({ length: 6 }, (_, i) => ({ ...plain, id: `${plain.id.slice(0, -1)}${i}`, slices: { cluster: i < 4 ? 'one passage' : `passage ${i}` } }))
  const own = bankBenchmark(items)
  const { ask, run } = await started(t, { frozen: [{ benchmark: own, items }] })
  const done = await run('seeing')
  const report = (await ask('POST', '/reports', { runIds: [done.id] })).body
  t.match(report.runs[0].slices[0].scores[0], { n: 6, clusters: 3, interval: { method: 'Clopper-Pearson, n = 3 clusters', note: /conditional on these clusters/ } })
})

t.test('a report shows thumbnails of stem images and names the bank', async t => {
  const { ask, run } = await started(t)
  const done = await run('seeing')
  const { body: report } = await ask('POST', '/reports', { runIds: [done.id] })
  interface Listed { place: string, imageIds: string[] }
  t.match(report.items.map(({ place, imageIds }: Listed) => [place, imageIds.length]), [
    ['Weather exam, row 1', 0], ['Weather exam, row 2', 2], ['Weather exam, row 3', 0], ['Weather exam, row 4', 3], ['Weather exam, row 5', 3], ['Weather exam, row 6', 1]
  ])
  const { text } = await ask('GET', `/reports/${report.id}.html`)
  t.match(text, 'Weather exam, row 4')
  t.match(text, 'licence CC-BY-4.0')
  t.match(text, /<image[^>]+data:image\/png/)
})

t.test('runs over papers keep their prompts and their ids beside a bank', async t => {
  const documents = [documentOf('a')]
  const papers = documents.flatMap(itemsOf)
  const mixed = bankBenchmark([...papers, plain])
  const { run } = await startScoring(t, { documents, frozen: [{ benchmark: mixed, items: [...papers, plain] }] }, { answer: asked => says(promptOf(asked).includes('시험') ? 'Answer: B' : 'Answer: Yes') })
  const done = await run('seeing')
  t.match(done, { state: 'succeeded' })
  t.same(done.prompts.map(({ name }: { name: string }) => name), [
    'answer-bank-binary-ko.v1', 'answer-bank-choice-ko.v1', 'answer-bank-descriptive-ko.v1', 'answer-binary.v1', 'answer-choice.v1', 'answer-descriptive.v1'
  ])
})

t.test('a leaderboard ranks over a slice, and takes no probe for a score', async t => {
  const { ask, run } = await started(t)
  await run('seeing')
  await run('blind', { figures: 'withheld' })
  await run('seeing', { probe: 'no-choices' })
  const board = async (query = '') => (await ask('GET', `/leaderboards/${benchmark.id}?kind=choice${query}`))
  t.equal((await board()).body.rows.length, 2)
  t.match((await board('&probe=no-choices')).body.rows, [{ condition: { probe: 'no-choices' } }])
  const { body } = await board('&dimension=modality&value=image')
  t.match(body, { items: 4, filter: { dimension: 'modality', value: 'image' } })
  t.match(body.rows.map(({ score }: { score: { n: number } }) => score.n), [4, 4])
  t.match((await board('&dimension=part&value=Part%201.%20%24x')).body, { items: 1 })
  t.match((await board('&dimension=modality')).status, 400)
  const none = await board('&dimension=modality&value=sound')
  t.match([none.status, none.body.detail], [422, /Values of that dimension: image, text/])
})
