import t from 'tap'
import type { Benchmark, BenchmarkItem } from '../../../shared/contracts/benchmark.ts'
import { Problem } from '../../../shared/errors/problem.ts'
import { runIdOf } from '../domain/plan.ts'
import { benchmarkOf, conditionOf, documentOf, itemOf, itemsOf } from './fixtures.ts'
import { promptOf, says, startScoring, type Asked } from './given-scoring.ts'

const documents = [documentOf('one'), documentOf('two')]

/** Of each paper items of every kind, one with a second wording, and two that it does not answer. */
const items: BenchmarkItem[] = documents.flatMap(document => [
  ...itemsOf(document).map(item => item.kind !== 'choice'
    ? item
    : { ...item, explicitWording: { question: 'Which gas was in the furnace of this paper?' } }),
  itemOf(document, { kind: 'qa', question: 'Who paid for the furnace?', answer: 'The paper does not say. It names no funder.', answerability: 'unanswerable' }),
  itemOf(document, { kind: 'choice', place: '2', question: 'Which pump was used?', choices: [{ text: 'a turbo pump' }, { text: 'The paper does not say.' }, { text: 'a diaphragm pump' }], answerIndex: 1, answerability: 'unanswerable', slices: { notSaidOption: 'yes' } })
])
const benchmark = benchmarkOf(documents, items)

/** The same items, of which one is now said to be answered otherwise, and one is gone. */
const corrected = items.filter(({ question }, at) => !(at >= 7 && question === 'What are the main findings?'))
  .map(item => item.question === 'Which gas was used?' ? { ...item, answerIndex: 1 } : item)
const version2 = benchmarkOf(documents, corrected)
const reworded = items.map(item => item.question === 'Which gas was used?' ? { ...item, question: 'What gas was used?' } : item)
const version3 = benchmarkOf(documents, reworded)

type Answer = (asked: Asked, nth: number) => unknown
const frozen: Array<{ benchmark: Benchmark, items: BenchmarkItem[] }> = [
  { benchmark, items }, { benchmark: version2, items: corrected }, { benchmark: version3, items: reworded }
]

let house: Awaited<ReturnType<typeof startScoring>>
let answer: Answer = () => says('Answer: Yes')
let seed = 100

/** For each test a seed of its own, so that its runs are no other's. */
function begin (replies: Answer = () => says('Answer: Yes')) {
  answer = replies
  seed++
  const { ask, run, journal } = house
  journal.length = 0
  const seeded = async (model: string, condition: object) => await run(model, { seed, ...condition })
  return { ask, journal, run: seeded }
}

const choicesIn = (asked: Asked) => [.../<choices>\n([^]*?)\n<\/choices>/u.exec(promptOf(asked))?.[1]?.matchAll(/^([A-Z])\. (.*)$/gmu) ?? []].map(([, letter, text]) => ({ letter, text }))
/** Right wherever the right choice is shown. */
const argon = (asked: Asked) => choicesIn(asked).find(({ text }) => text === 'argon')?.letter ?? choicesIn(asked).find(({ text }) => text?.includes('does not say'))?.letter

t.test('conditions', async t => {
  house = await startScoring(t, { documents, frozen }, { answer: (asked, nth) => answer(asked, nth) })

  t.test('what asks for nothing is no other condition, and old runs keep their ids', async t => {
    const standard = { benchmarkId: 'bmk_d6447de24a0b0fb03e2a146964934e27', model: 'baseline/extractive', condition: conditionOf(), prompts: [] }
    t.equal(runIdOf(standard), 'run_8b2ae2f6a4fe2caa86b91358b1737c53', 'the id of the bundled sample\'s run')
    const { ask } = begin()
    const post = async (condition: object, more: object = {}) =>
      await ask('POST', '/runs', { benchmarkId: benchmark.id, model: 'baseline/always-yes', condition, ...more })
    const [plain, none] = [await post({}), await post({ confidence: 'none' })]
    t.equal(plain.status, 202)
    t.equal(none.status, 200)
    t.equal(none.body.id, plain.body.id)
    t.strictSame(none.body.condition, plain.body.condition)
    t.match(plain.body, { prompts: [], vision: false, variantOf: [] })
    t.match(await post({ thinkingEffort: 'high' }), { status: 422, body: { detail: /thinking is false/ } })
    t.match(await post({ repeat: 98 }, { repeats: 3 }), { status: 400, body: { errors: [{ pointer: '/body/repeats' }] } })
    t.match(await post({ prompt: 'clever' }), { status: 400 })
  })

  t.test('each prompt asks in its own words, and a scratchpad is thought and no answer', async t => {
    const { ask, run, journal } = begin(asked => {
      if (!promptOf(asked).includes('<scratchpad>')) return says('Answer: Yes')
      return promptOf(asked).includes('12 percent after heating?')
        ? says('<scratchpad>Answer: No. Or rather Answer: No</scratchpad>\nRationale: it says so.\nAnswer: Yes')
        : says('<scratchpad>I first think: Answer: Yes')
    })
    const texts = new Set<string>()
    for (const prompt of ['standard', 'advanced', 'reasoning'] as const) {
      const from = journal.length
      const { prompts, condition } = await run('blind', { prompt, figures: 'withheld' })
      t.equal(condition.prompt, prompt)
      t.equal(prompts.length, 3)
      t.ok(prompts.every(({ name }: { name: string }) => name.includes(`-${prompt}.`) === (prompt !== 'standard')))
      texts.add(promptOf(journal.slice(from).find(asked => promptOf(asked).includes('12 percent after heating?'))!))
    }
    t.equal(texts.size, 3)
    const { id, outcomes } = await run('blind', { prompt: 'reasoning', figures: 'withheld' })
    t.match(outcomes, { answered: 2, unparsable: 12 }, 'a thought that does not end is no answer')
    const { items: [first] } = (await ask('GET', `/runs/${id}/predictions?outcome=answered`)).body
    t.match(first, { lenient: { label: 'Yes' }, provenance: { prompt: 'answer-binary-reasoning.v1', thought: true } })
  })

  t.test('explicit wording: items that have none are skipped, with their number', async t => {
    const { ask, run, journal } = begin(() => says('Answer: A'))
    const done = await run('blind', { formulation: 'explicit', figures: 'withheld' })
    t.match(done.outcomes, { answered: 2, skipped: 12 })
    t.ok(journal.every(asked => promptOf(asked).includes('Which gas was in the furnace of this paper?')))
    const report = (await ask('GET', `/runs/${done.id}/report`)).body
    t.match(report.runs[0].notes.join(), /12 of 14 items were skipped and are in no score: The item has no explicit wording/)
  })

  t.test('permuted choices are read back to their places, and the order is kept', async t => {
    const { ask, run } = begin(asked => says(`Answer: ${argon(asked) ?? 'Yes'}`))
    const orders = new Set<string>()
    for (const permutationSeed of [1, 2, 3, 4]) {
      const { id } = await run('blind', { permutationSeed, figures: 'withheld' })
      const { items: predictions } = (await ask('GET', `/runs/${id}/predictions?limit=100`)).body
      for (const { itemId, kind, lenient, choiceOrder } of predictions) {
        if (kind !== 'choice') { t.equal(choiceOrder, undefined); continue }
        t.equal(lenient.index, items.find(item => item.id === itemId)!.answerIndex, 'the index is the benchmark\'s')
        orders.add(JSON.stringify(choiceOrder))
      }
    }
    t.ok(orders.size > 2, 'they were shown in several orders')
  })

  t.test('thinking is asked for and kept apart, and what a reply cost and came from is kept', async t => {
    const { ask, run, journal } = begin(() => ({
      ...says('Answer: No'),
      model: 'blind-2026-01',
      choices: [{ message: { role: 'assistant', content: 'Answer: No', reasoning_content: 'Answer: Yes, surely' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 40, completion_tokens: 12, completion_tokens_details: { reasoning_tokens: 7 } }
    }))
    const { id, condition } = await run('blind', { thinking: true, thinkingEffort: 'high', figures: 'withheld', sampling: { temperature: 0.7, topK: 20, presencePenalty: 0.2 }, seed: 5 })
    t.match(condition, { thinking: true, thinkingEffort: 'high' })
    t.match(journal[0]!.body, { chat_template_kwargs: { enable_thinking: true, thinking: true }, reasoning_effort: 'high', top_k: 20, presence_penalty: 0.2 })
    const { items: predictions } = (await ask('GET', `/runs/${id}/predictions`)).body
    const binary = predictions.find(({ kind }: any) => kind === 'binary')
    t.match(binary, { reply: 'Answer: No', lenient: { label: 'No' }, reasoning: 'Answer: Yes, surely', reader: 3 })
    t.strictSame(binary.provenance, {
      prompt: 'answer-binary.v1',
      model: 'blind',
      servedModel: 'blind-2026-01',
      upstreamVersion: '0.11.0',
      completionId: null,
      sampling: { temperature: 0.7, top_p: 1, max_tokens: 1024, top_k: 20, presence_penalty: 0.2 },
      seed: 5,
      sampleIndex: 0,
      finishReason: 'stop',
      refusal: false,
      usage: { promptTokens: 40, completionTokens: 12, reasoningTokens: 7 },
      thought: true
    })
    await run('blind', { figures: 'withheld' })
    t.strictSame(journal.at(-1)!.body.chat_template_kwargs, { enable_thinking: false }, 'as it always was')
  })

  t.test('repeats are samples of their own, and their mean says what sampling alone does', async t => {
    const { ask, journal } = begin(({ headers, body }) => {
      const flips = JSON.stringify(body).includes('12 percent after heating?') && headers['viva-sample-index'] === '1'
      return says(flips ? 'Answer: No' : 'Answer: Yes')
    })
    const request = { benchmarkId: benchmark.id, model: 'blind', condition: { seed, figures: 'withheld', sampling: { temperature: 0.8 } }, repeats: 4 }
    const opened = await ask('POST', '/runs', request)
    t.equal(opened.status, 202)
    t.equal(opened.body.repeatIds.length, 4)
    t.equal(opened.body.repeatIds[0], opened.body.id)
    for (const id of opened.body.repeatIds) await ask('GET', `/runs/${id}?wait=30`)
    t.equal((await ask('POST', '/runs', request)).status, 200)
    const seeds = new Set(journal.map(({ headers, body }) => `${headers['viva-sample-index']} ${body.seed}`))
    t.equal(seeds.size, 4)
    t.equal(new Set(journal.map(({ body }) => body.seed)).size, 4, 'a server that obeys seeds would say the same again')
    const { body } = await ask('GET', `/runs/${opened.body.repeatIds[2]}/repeats`)
    t.strictSame(body.runIds, opened.body.repeatIds)
    const binary = body.kinds.find(({ kind }: any) => kind === 'binary')
    // Two of four items are always wrong, and two are so in one repeat of four.
    t.match(binary, { metric: 'accuracy', items: 4, leftOut: 0, repeats: 4, mean: 0.375, unstable: 2, perRepeat: [0.5, 0, 0.5, 0.5] })
    t.ok(Math.abs(binary.withinItemVariance - 0.25 / 2) < 1e-12, 'two items of variance 1/4, two of 0')
  })

  t.test('a declared variant is kept, and must be of the same items', async t => {
    const { ask, run } = begin()
    const plain = await run('blind', { figures: 'withheld' })
    const body = { benchmarkId: benchmark.id, model: 'blind', condition: { seed, figures: 'withheld', thinking: true }, variantOf: { runId: plain.id, relation: 'thinking' } }
    const thinking = await ask('POST', '/runs', body)
    await ask('GET', `/runs/${thinking.body.id}?wait=30`)
    t.strictSame(thinking.body.variantOf, [{ runId: plain.id, relation: 'thinking' }])
    t.strictSame((await ask('POST', '/runs', { ...body, variantOf: { runId: plain.id, relation: 'successor' } })).body.variantOf.length, 2, 'a run that is there can be declared too')
    t.equal((await ask('POST', '/runs', body)).body.variantOf.length, 2, 'twice is once')
    t.match(await ask('POST', '/runs', { ...body, benchmarkId: version2.id }), { status: 409, body: { detail: /of benchmark/ } })
    t.match(await ask('POST', '/runs', { ...body, condition: { seed, figures: 'withheld' } }), { status: 409, body: { detail: /this very run/ } })
    t.match(await ask('POST', '/runs', { ...body, variantOf: { runId: 'run_00000000000000000000000000000000', relation: 'thinking' } }), { status: 404 })
  })

  t.test('confidence is read strictly, and scored on what the paper does not answer too', async t => {
    const { ask, run, journal } = begin(asked => {
      const prompt = promptOf(asked)
      if (prompt.includes('Who paid')) return says('The paper does not say who paid for it.\nConfidence: 80')
      if (prompt.includes('main findings')) return says('Heated alloys are harder.\nConfidence: 101')
      if (prompt.includes('figure show')) return says('Confidence: 10')
      if (prompt.includes('Which pump')) return says('I do not find it.\nConfidence: 60\nAnswer: B')
      if (prompt.includes('Which gas')) return says('Confidence: quite high\nAnswer: A')
      return says(`Confidence: ${prompt.includes('12 percent after heating?') ? 90 : 70}\nAnswer: Yes`)
    })
    const { id, outcomes, prompts } = await run('blind', { confidence: 'verbal', figures: 'withheld' })
    t.match(outcomes, { answered: 12, unparsable: 2 }, 'a confidence alone is no answer')
    t.strictSame(prompts.map(({ name }: any) => name), ['answer-binary.v1', 'answer-choice.v1', 'answer-descriptive.v1', 'state-confidence-descriptive.v1', 'state-confidence.v1'])
    t.ok(journal.every(asked => promptOf(asked).includes('Confidence: 70')))
    const { items: predictions } = (await ask('GET', `/runs/${id}/predictions?limit=100`)).body
    const questions = new Map(items.map(({ id, question }) => [id, question]))
    const of = (words: string) =>
      predictions.find(({ itemId }: any) => questions.get(itemId)!.includes(words))
    t.strictSame(of('Which pump').confidence, { value: 60 })
    t.match(of('Which pump'), { lenient: { index: 1 }, strict: { index: 1, rule: 'answer-line' } })
    t.strictSame(of('main findings').confidence, { value: null, violation: 'out-of-range' })
    t.strictSame(of('Which gas').confidence, { value: null, violation: 'malformed' })
    const report = (await ask('GET', `/runs/${id}/report`)).body
    const slice = (kind: string, value = 'all') => report.runs[0].slices.find((each: any) => each.kind === kind && each.value === value)
    const score = (kind: string, metric: string, value?: string) =>
      slice(kind, value).scores.find((each: any) => each.metric === metric)
    t.match(score('binary', 'confidence.stated'), { value: 1, n: 4 })
    t.ok(Math.abs(score('binary', 'brier').value - (0.01 + 0.49) / 2) < 1e-12)
    t.match(score('binary', 'riskCoverage.excess'), { value: 0, n: 4 }, 'the surer ones are right')
    t.match(score('choice', 'brier', 'unanswerable'), { n: 2 })
    t.ok(Math.abs(score('choice', 'brier', 'unanswerable').value - 0.16) < 1e-12)
    t.ok(Math.abs(score('qa', 'brier').value - 0.04) < 1e-12, 'an open answer is right or wrong where the paper has none')
    t.match(score('qa', 'abstention.right'), { value: 1, n: 2 })
    t.match(score('qa', 'abstention.needless'), { value: 0, n: 2 })
    t.match(score('choice', 'abstention.right'), { value: 1, n: 2 })
    const plain = await run('blind', { figures: 'withheld' })
    t.notOk(JSON.stringify((await ask('GET', `/runs/${plain.id}/report`)).body.runs[0].slices).includes('brier'))
  })

  t.test('scored again on corrected gold: no model is asked, and each change of verdict is named', async t => {
    const { ask, run, journal } = begin(asked => says(choicesIn(asked).length > 0 ? `Answer: ${argon(asked)}` : 'Answer: Yes'))
    const first = await run('seeing', { permutationSeed: 2 })
    const asked = journal.length
    const again = await ask('POST', `/runs/${first.id}/rescore`, { benchmarkId: version2.id })
    t.equal(again.status, 202)
    const rescoredFrom = { runId: first.id, benchmarkId: benchmark.id, reader: 3 }
    t.match(again.body, { benchmarkId: version2.id, rescoredFrom })
    t.not(again.body.id, first.id)
    const done = (await ask('GET', `/runs/${again.body.id}?wait=30`)).body
    t.match(done, { state: 'succeeded', progress: { done: corrected.length }, outcomes: { answered: corrected.length } })
    t.equal((await ask('POST', `/runs/${first.id}/rescore`, { benchmarkId: version2.id })).status, 200)
    const bare = await ask('POST', `/runs/${first.id}/rescore`)
    t.match(bare, { status: 202, body: { benchmarkId: benchmark.id } }, 'without a body against its own benchmark')
    t.match(await ask('POST', `/runs/${first.id}/rescore`, {}), { status: 200, body: { id: bare.body.id } })
    t.equal(journal.length, asked, 'no model is asked')
    const { body } = await ask('GET', `/runs/${done.id}/verdict-changes`)
    t.match(body, { compared: corrected.length, leftOut: 1, changed: 2, better: 0, worse: 2 })
    t.match(body.changes[0], { kind: 'choice', causes: ['gold'], before: { index: 0, reference: 0, worth: 1 }, after: { index: 0, reference: 1, worth: 0 } })
    t.equal((await ask('GET', `/runs/${done.id}/report`)).status, 200)
    const twice = await ask('POST', `/runs/${done.id}/rescore`, { benchmarkId: benchmark.id })
    t.match(twice.body.rescoredFrom, { runId: first.id }, 'what was scored again is scored again from its first run')
    t.match((await ask('GET', `/runs/${(await ask('GET', `/runs/${twice.body.id}?wait=30`)).body.id}/verdict-changes`)).body, { changed: 0, leftOut: 0 })
    t.match(await ask('POST', `/runs/${first.id}/rescore`, { benchmarkId: version3.id }), { status: 422, body: { detail: /2 of 14 items .* were not asked .* POST \/v1\/runs/ } })
    t.match(await ask('GET', `/runs/${first.id}/verdict-changes`), { status: 422 })
    t.match((await ask('GET', `/runs/${done.id}/repeats`)).body, { runIds: [done.id] })
  })

  t.test('an error is no reply to score again: it stays one until the first run is retried', async t => {
    let broken = true
    const { ask, run, journal } = begin(asked => {
      if (broken && promptOf(asked).includes('21 percent')) throw new Problem('upstream-refused', 'Too long.')
      return says('Answer: Yes')
    })
    const first = await run('blind', { figures: 'withheld' })
    const { body: { id } } = await ask('POST', `/runs/${first.id}/rescore`, {})
    t.match((await ask('GET', `/runs/${id}?wait=30`)).body, { state: 'failed', outcomes: { error: 2 }, problems: [{ detail: /ended in error in run/ }] })
    broken = false
    await ask('POST', `/runs/${first.id}/retry`)
    await ask('GET', `/runs/${first.id}?wait=30`)
    const asked = journal.length
    await ask('POST', `/runs/${id}/retry`)
    t.match((await ask('GET', `/runs/${id}?wait=30`)).body, { state: 'succeeded', outcomes: { error: 0 } })
    t.equal(journal.length, asked)
  })
})
