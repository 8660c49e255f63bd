/** A reviewer's figures are believed: reviewers of known sensitivity must come out as they are. */
import t from 'tap'
import { join } from 'node:path'
import { inference } from '../../services/inference/service.ts'
import { loadPrompts } from '../../services/reviewing/prompts.ts'
import { resolveReviewRecipe, type ModelReviewRecipe } from '../../shared/contracts/review-recipe.ts'
import { reviewUnit } from '../../services/reviewing/handlers/review-unit.ts'
import type { UnitParts } from '../../services/reviewing/handlers/unit-parts.ts'
import { choice, descriptive, document, pair } from '../../services/reviewing/test/fixtures.ts'
import { silentLog } from '../../shared/app/log.ts'
import { serviceNames, type ServiceName } from '../../shared/app/service.ts'
import { startServices } from '../../shared/app/start.ts'
import { httpCall } from '../../shared/clients/http-call.ts'
import { inferenceClient } from '../../shared/clients/inference.ts'
import type { Document } from '../../shared/contracts/document.ts'
import { canonicalJson, idOf } from '../../shared/contracts/hash.ts'
import type { Item } from '../../shared/contracts/item.ts'
import { characters, fakeReviewer, type Character } from '../../shared/testing/fake-reviewer.ts'
import { fakeVllm } from '../../shared/testing/fake-vllm.ts'
import { seededRandom } from '../../shared/testing/random.ts'
import { temporaryFolder } from '../../shared/testing/temporary-folder.ts'
import { drawnItem } from '../bench/reviewer/drawn-figures.ts'
import { faultClasses, withFault, type FaultClass } from '../bench/reviewer/faults.ts'
import { detectionAuc, meanDifference, shareOf, spreadWithin } from '../bench/reviewer/figures.ts'
import { expectedAuc } from '../bench/reviewer/known-reviewer.ts'
import { measureReviewer, type Measuring, type Reviewer } from '../bench/reviewer/measure.ts'
import { measureOrders, orders, withOrder } from '../bench/reviewer/orders.ts'

const answer = 'About 1,200 grains fell faster, because air was dry. This shows that speed rose by 3.5 % in total.'
const long = descriptive({ answer, evidence: [{ ...descriptive().evidence[0]!, quote: answer }] })
const [yes, no] = pair()

const drawnCount = 30
/** Texts without a fault, drawn ones with the paper whose figure they are about. */
const sound = new Set([answer, ...Array.from({ length: drawnCount }, (_, i) => drawnItem(i, 1))
  .map(each => `${each.document.paperId} ${each.item.answer}`)])

t.test('each fault does what its name says, and the same every time', async t => {
  const two: Document = { ...document, figures: [document.figures[0]!, { ...document.figures[0]!, id: 'f2', label: 'Figure 8' }] }
  const at = { document: two, seed: 3 }
  const made = (name: Exclude<FaultClass, 'figure-only'>, item: Item) => withFault(name, item, at)
  for (const name of faultClasses) {
    if (name === 'figure-only') continue
    for (const item of [long, choice(), yes, no]) t.same(made(name, item), made(name, item), name)
  }
  const number = made('wrong-number', long)!.answer!
  t.not(number, answer)
  t.equal(number.replaceAll(/\d/gu, '0'), answer.replaceAll(/\d/gu, '0'), 'digits alone differ')
  t.match(made('wrong-number', yes)!.question, /Figure 7/, 'of the claim, not of the label')
  t.equal(made('wrong-number', no), null, 'a false statement with another number is as false')
  t.match(made('wrong-figure', yes), { place: 'f2', figureIds: ['f2'], question: /Figure 8/ })
  t.equal(withFault('wrong-figure', yes, { document, seed: 3 }), null, 'with one figure there is no wrong one')
  t.equal(made('missing-half', long)!.answer, 'About 1,200 grains fell faster, because air was dry.')
  t.match(made('contradiction', long)!.answer, /However, About 1,200 grains rose/, 'what fell rises')
  t.match(made('vague-style', long)!.answer, /some grains.*Various factors/)
  t.match(made('hedging', long)!.answer, /^It is likely/)
  t.same([made('wrong-answer', yes)!.answerIndex, made('wrong-answer', long)], [1, null])
  t.not(made('wrong-answer', choice())!.answerIndex, 1)
  const reworded = made('rewrite', long)!.answer!
  t.not(reworded, answer)
  t.match(reworded, /1,200 .*3\.5/, 'a rewrite keeps every number')
  const [one, again] = [drawnItem(1, 5), drawnItem(1, 5)]
  t.ok(one.png.equals(again.png))
  t.not(one.item.answer, one.faulty.answer)
  t.equal(one.item.id, one.faulty.id)
})

t.test('figures are right where they are known', async t => {
  const contrasts = (deltas: number[], papers = 1) => deltas.map((delta, i) => ({ paperId: `p${i % papers}`, original: 4, mutant: 4 - delta }))
  t.match(detectionAuc(contrasts([1, 1, 0, -1])), { n: 4, value: 0.625, method: /conditional/ })
  t.match(detectionAuc(contrasts(Array(40).fill(0))), { value: 0.5 }, 'who gives all the same sees nothing')
  t.match(detectionAuc([]), { n: 0, value: null, interval: null })
  const sure = detectionAuc(contrasts(Array(40).fill(1), 8))
  t.match(sure, { value: 1, papers: 8, method: /Clopper-Pearson, n = papers/ })
  t.ok(Math.abs(sure.interval!.low - 0.6306) < 1e-3, 'as 8 of 8')
  t.match(shareOf([0, 1, 0, 1, 1].map((value, i) => ({ value, cluster: `p${i}` }))), { method: /CR2/ })
  t.match(meanDifference([{ value: 1, cluster: 'a' }, { value: 1, cluster: 'b' }]), { value: 1, interval: null })
  t.equal(spreadWithin([[1, 3], [2, 2], [5]]), 1)
  t.equal(spreadWithin([[5]]), null)
})

t.test('a reviewer of known sensitivity is measured as what it is', async t => {
  const units = Array.from({ length: 120 }, (_, i) => {
    const source = { paperId: idOf('paper', i % 30), documentHash: idOf('document', i % 30) }
    return { items: [{ ...long, id: idOf('item', i), source }], document: { ...document, ...source } }
  })
  const measuring: Measuring = { units, repeats: 2, drawnCount, seed: 1, atOnce: 4 }
  for (const sensitivity of [0, 0.5, 1]) {
    const report = await measureReviewer(toldReviewer(sensitivity), measuring)
    for (const { faultClass, auc } of report.detection) {
      if (['wrong-figure', 'wrong-answer'].includes(faultClass)) t.match(auc, { n: 0, value: null }, 'nothing to put it into')
      else t.ok(Math.abs(auc.value! - expectedAuc(sensitivity)) < 0.11, `${faultClass} ${auc.value} at ${sensitivity}`)
    }
    t.ok(Math.abs(report.rewrite.value! - 0.1) < 0.07, `${report.rewrite.value} of rewrites are taken for faults`)
    t.match(report.drift.passes.value, 0.25, 'who grows milder with every asking')
    t.match(report.draft, { rewritten: 120, better: { value: 1 }, gain: { value: 1 } })
    t.match(report.lost, { count: 0 })
  }
  const few = { ...measuring, units: units.slice(0, 3) }
  const blind = await measureReviewer({ ...toldReviewer(1), vision: false }, few)
  t.match(blind.detection.at(-1), { faultClass: 'figure-only', auc: { n: 0, value: null } },
    'who is shown no image is not blamed for it')
  const silent: Reviewer = {
    ask: async () => null, improve: async () => null, vision: true, shows: () => true
  }
  const none = await measureReviewer(silent, few)
  t.ok(none.detection.every(({ auc }) => auc.value === null))
  t.equal(none.lost.count, none.lost.of)
})

/** Sees a fault with this probability, minds a rewrite in one of ten, and is milder at the second asking. */
function toldReviewer (sensitivity: number): Reviewer {
  const random = seededRandom(9)
  return {
    vision: true,
    shows: () => true,
    async ask ({ item, document }, repeat) {
      const text = item.kind === 'vqa' ? `${document.paperId} ${item.answer}` : item.answer!
      const reworded = withFault('rewrite', { ...long, id: item.id }, { document, seed: 1 })!.answer
      const chance = sound.has(text) || text === 'Better.' ? 0 : text === reworded ? 0.1 : sensitivity
      const score = text === 'Better.' ? 5 : random.chance(chance) ? 2 : 4
      return { mean: score + (repeat === 1 ? 0.25 : 0), verdict: 'fair', scores: { accuracy: score } }
    },
    improve: async ([item], document) => [{
      first: { item: item!, document }, final: { item: { ...item!, answer: 'Better.' }, document }
    }]
  }
}

t.test('the loop through inference and its ladder, with models of every character', async t => {
  const models = {
    good: characters.constant(5),
    noisy: characters.stochastic(() => 3.8, 0.7),
    invalid: characters.invalid,
    malformed: characters.malformed,
    refusing: characters.refusing,
    hostile: { ...characters.hostile, score: () => 3 }
  } satisfies Record<string, Character>
  const replies: Record<string, ReturnType<typeof fakeReviewer>> = Object.fromEntries(
    Object.entries(models).map(([name, character]) => [name, fakeReviewer(character)]))
  const fake = await fakeVllm({
    models: Object.keys(models), maxModelLen: 32768, reply: body => replies[String(body.model)]!(body)
  })
  t.teardown(fake.close)
  const dir = temporaryFolder(t)
  const upstreams = JSON.stringify([{ name: 'lab', baseUrl: fake.url, capabilities: ['vision'] }])
  const env = { PORT: '0', DATA_DIR: join(dir, 'data'), UPSTREAMS: upstreams }
  const running = await startServices([inference], env, { log: silentLog() })
  t.teardown(running.close)
  const urls = Object.fromEntries(
    serviceNames.map(name => [name, running.url])) as Record<ServiceName, string>
  const { call, close } = httpCall({ here: [], socketPath: () => '', urls })
  t.teardown(close)
  const { png } = drawnItem(0, 1)
  const parts = {
    peers: { inference: inferenceClient(call) },
    prompts: await loadPrompts(),
    imageOf: async () => `data:image/png;base64,${png.toString('base64')}`,
    duplicatesOf: async () => new Map(),
    timeoutMs: 60_000
  } as unknown as UnitParts
  const { paperId, documentHash } = document
  const review = async (model: string, items: Item[]) => await reviewUnit(parts, {
    reviewingId: idOf('reviewing', model),
    recipe: resolveReviewRecipe({ strategy: 'model', model }) as ModelReviewRecipe,
    paper: { paperId, documentHash },
    document,
    vision: { model: true, confirmModel: true },
    signal: new AbortController().signal
  }, { items, generationId: '' })

  const wanted: Record<string, string> = { good: 'good', invalid: 'unreviewed', malformed: 'unreviewed', refusing: 'unreviewed', hostile: 'fair' }
  for (const [model, verdict] of Object.entries(wanted)) {
    for (const items of [[descriptive()], [choice()], [yes, no]]) {
      const { reviewed } = await review(model, items)
      t.same(reviewed.map(each => [each.verdict, each.revision, each.item.id]), items.map(({ id }) => [verdict, 0, id]), `${model} ${items[0]!.kind}`)
    }
  }
  const asked = fake.journal.length
  const first = await review('noisy', [yes, no])
  t.match(first.reviewed, { length: 2 })
  const made = fake.journal.length
  t.ok(made > asked)
  t.equal(canonicalJson(await review('noisy', [yes, no])), canonicalJson(first), 'who starts again comes to the same')
  t.equal(fake.journal.length, made, 'and asks nobody')
})

t.test('a reviewer that obeys orders in the text is measured as what it is, beside a control', async t => {
  const figure = document.figures[0]!
  const table = { ...document.tables[0]!, id: 't9' }
  const paper: Document = { ...document, tables: [table] }
  const about = { caption: { ...choice(), place: figure.id, figureIds: [figure.id] }, 'table-note': { ...choice(), place: 't9', figureIds: [] }, paragraph: long }
  for (const order of orders) {
    const ordered = withOrder(about[order.place], paper, order)!
    t.equal(JSON.stringify(ordered).split(JSON.stringify(order.text).slice(1, -1)).length, 2, `${order.name} stands once in the ${order.place}`)
    t.same(withOrder({ ...long, place: 'abstract', evidence: [], figureIds: [] }, paper, order) === null, order.place !== 'paragraph')
  }
  const subjects = Array.from({ length: 200 }, (_, i) => {
    const source = { paperId: idOf('paper', i % 20), documentHash: idOf('document', i % 20) }
    return { item: { ...long, id: idOf('item', i), source }, document: { ...document, ...source } }
  })
  const [none, five, one] = [orders[0]!, orders[1]!, orders.find(({ wants }) => wants === 1)!]
  for (const probability of [0, 0.5, 1]) {
    const random = seededRandom(4)
    const reviewer: Pick<Reviewer, 'ask' | 'shows'> = {
      shows: () => true,
      async ask ({ document }) {
        const order = [five, one].find(({ text }) => JSON.stringify(document).includes(text))
        const score = order !== undefined && random.chance(probability) ? order.wants! : 3
        return { mean: score, verdict: String(score), scores: {} }
      }
    }
    const asked = { subjects, atOnce: 4, orders: [none, five, one] }
    const { orders: [control, toFive, toOne], all, lost } = await measureOrders(reviewer, asked)
    t.match(control, { n: 200, wants: null, moved: { value: 0 } }, 'what orders nothing moves nothing here')
    for (const figures of [toFive!, toOne!]) {
      t.ok(Math.abs(figures.moved.value! - probability) < 0.12, `${figures.name} ${figures.moved.value} at ${probability}`)
      t.equal(figures.obeyed.value, figures.moved.value)
      t.ok(Math.abs(figures.shift.value! - 2 * probability) < 0.24, 'two points toward what it wants')
    }
    t.ok(Math.abs(all.orders.value! - probability) < 0.1)
    t.match(all, { orders: { n: 200 }, controls: { n: 200, value: 0 } })
    t.match(lost, { count: 0, of: 800 })
  }
  const blind = { ask: async () => null, shows: () => false }
  const unseen = await measureOrders(blind, { subjects, atOnce: 4, orders })
  t.ok(unseen.orders.every(({ n, without, moved }) => n === 0 && without === 200 && moved.value === null), 'what is not in the prompt is not blamed on the reviewer')
  t.match(unseen.lost, { count: 200, of: 200 })
})
