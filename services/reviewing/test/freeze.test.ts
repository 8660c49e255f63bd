import t from 'tap'
import { createHash } from 'node:crypto'
import type { BenchmarkRequest } from '../../../shared/contracts/benchmark.ts'
import { canonicalJson, idOf } from '../../../shared/contracts/hash.ts'
import type { Item } from '../../../shared/contracts/item.ts'
import type { ReviewedItem } from '../../../shared/contracts/review.ts'
import { csvHeader, csvRow } from '../domain/csv.ts'
import { publicLine } from '../domain/exports/lines.ts'
import { familyOf } from '../../../shared/text/families.ts'
import { freeze, freezing } from '../domain/freeze.ts'
import type { Document } from '../../../shared/contracts/document.ts'
import { licenceOf } from '../domain/licence.ts'
import { choice, descriptive, documentHash, pair } from './fixtures.ts'

const reviewingId = idOf('reviewing', 1)
const request: BenchmarkRequest = {
  name: 'Dust', reviewingIds: [reviewingId], verdicts: ['good', 'unreviewed'], seed: 1
}

function reviewed (item: Item, own: Partial<ReviewedItem> = {}): ReviewedItem {
  const state = { verdict: 'unreviewed', eligible: true, revision: 0, decision: null } as const
  return { item, reviewingId, failedChecks: [], ...state, ...own }
}

function frozen (items: ReviewedItem[], own: Partial<BenchmarkRequest> = {}) {
  const asked = { ...request, ...own }
  return freeze({ request: asked, reviewed: items, notReviewed: 0, reviewers: new Map([[reviewingId, 'Qwen/Qwen3-32B']]) })
}

const pairs = Array.from({ length: 20 }, (_, i) => pair([{}, {}], `pair ${i}`)).flat()
const everything = [...pairs, descriptive(), choice()].map(item => reviewed(item))

t.test('the order depends on the seed and on nothing else', async t => {
  const order = frozen(everything).items.map(({ id }) => id)
  t.same(frozen([...everything].reverse()).items.map(({ id }) => id), order)
  t.notSame(frozen(everything, { seed: 2 }).items.map(({ id }) => id), order)
  const fewer = everything.slice(2)
  const rest = order.filter(id => fewer.some(({ item }) => item.id === id))
  t.same(frozen(fewer).items.map(({ id }) => id), rest,
    'an item less leaves the order of the others as it was')
  const apart = frozen(everything).items.filter(({ pairId }, i, all) =>
    pairId !== undefined && pairId !== all[i + 1]?.pairId)
  t.ok(apart.length > 30, 'members of a pair seldom stand together')
})

t.test('the version can be made again from what is published', async t => {
  const { benchmark, lines } = frozen(everything)
  const sha = (text: string) => createHash('sha256').update(text).digest('hex')
  t.equal(benchmark.version, sha(canonicalJson({ name: 'Dust', documents: [documentHash], items: sha(lines) })))
  t.equal(frozen([...everything].reverse()).benchmark.id, benchmark.id)
  t.not(frozen(everything, { name: 'Other' }).benchmark.version, benchmark.version)
  t.not(frozen(everything, { seed: 2 }).benchmark.version, benchmark.version)
  t.not(frozen(everything.slice(2)).benchmark.version, benchmark.version)
  const all = frozen(everything, { verdicts: ['good', 'fair', 'unreviewed'] }).benchmark
  t.equal(all.version, benchmark.version, 'the same items are the same version')
  t.not(all.id, benchmark.id, 'asked for in other words they are another benchmark')
})

t.test('two members with the same answer are no pair: half of the yes/no items stay true', async t => {
  const [yes, no] = pair([{}, { answerIndex: 0 }], 'relabelled')
  const { benchmark } = frozen([...everything, reviewed(yes), reviewed(no)])
  t.match(benchmark.card, { itemCount: everything.length, leftOut: { 'pair-incomplete': 2 } })
})

t.test('every item is either in or counted as left out, once, under the first reason', async t => {
  const [yes, no] = pair([{}, {}], 'half')
  const [other, broken] = pair([{}, {}], 'broken')
  const [unasked, asked] = pair([{}, {}], 'verdicts')
  const entries = [
    ...everything,
    reviewed(yes),
    reviewed(other, { eligible: false, failedChecks: ['partner'] }),
    reviewed(broken, { eligible: false, failedChecks: ['evidence', 'pair', 'partner'] }),
    reviewed(unasked, { verdict: 'poor' }),
    reviewed(asked),
    reviewed(descriptive({}, 'x'), { verdict: 'error' }),
    reviewed(choice({ id: no.id }), { verdict: 'poor', eligible: false, failedChecks: ['length'] })
  ]
  const { card } = frozen(entries).benchmark
  t.same(card.leftOut, { 'failed-check:evidence': 1, 'pair-incomplete': 3, 'verdict:error': 1, 'verdict:poor': 2 })
  t.equal(card.itemCount + Object.values(card.leftOut).reduce((a, b) => a + b), entries.length)
  t.same(card.byKind, { binary: 40, choice: 1, qa: 1 })
  t.same([card.pairCount, card.paperCount], [20, 1])
  t.same(card.bySlice, { aspect: { abstract: 1, figure: 40, section: 1 } })
  t.match(card.notes.join('\n'), /42 of the 42 items passed mechanical checks only[^]*20 minimal pairs[^]*extractive/)
  const onlyPairs = frozen(entries, { kinds: ['binary'] })
  t.ok(onlyPairs.items.every(({ kind }) => kind === 'binary'))
  t.equal(onlyPairs.benchmark.card.leftOut.kind, 4)
})

t.test('the card says whether the words alone tell yes from no', async t => {
  const { card } = frozen(everything).benchmark
  t.match(card.artifactTest, { pairs: 20, papers: 1, accuracy: null, verdict: 'undetermined' })
  t.match(card.notes.join('\n'), /Annotation-artifact test undetermined, as below 100 pairs it always is: 20 pairs of 1 paper give no figure/)
  t.equal(frozen([reviewed(choice())]).benchmark.card.artifactTest, null)

  const many = Array.from({ length: 1200 }, (_, i) => {
    const source = { paperId: idOf('paper', i % 40), documentHash }
    const asked = (drug: string, sure: string) => ({ source, question: `Is the dose of drug ${drug} in trial ${i} ${sure}the same?` })
    return pair([asked('A', ''), asked('B', i % 10 < 6 ? 'always ' : '')], `cue ${i}`)
  }).flat().map(item => reviewed(item))
  const { card: cued } = frozen(many).benchmark
  t.match(cued.artifactTest, { pairs: 1000, papers: 40, verdict: 'failed' })
  t.match(cued.notes.join('\n'), /test failed: a model may answer from the wording: in the first 1000 of 1200 pairs of 40 papers/)
})

t.test('yes and no stay 50:50 whatever falls out', async t => {
  const entries = pairs.map((item, i) => reviewed(item, i % 7 === 0 ? { eligible: false, failedChecks: ['colon'] } : {}))
  const { items } = frozen(entries)
  t.equal(items.filter(({ answerIndex }) => answerIndex === 0).length * 2, items.length)
  t.ok(items.length > 0 && items.length < pairs.length)
})

t.test('nothing to freeze is a problem that counts why', async t => {
  const empty = [
    reviewed(descriptive()), reviewed(choice(), { eligible: false, failedChecks: ['length'] })
  ]
  t.throws(() => frozen(empty, { verdicts: ['good'] }), { message: /None of the 2 .* 2 by verdict/ })
  t.throws(() => frozen(empty, { kinds: ['choice'] }), { message: /1 by failed-check:length, 1 by kind/ })
  t.throws(() => frozen([]), { message: /no item at all/ })
})

t.test('people\'s decisions', async t => {
  const decided = (decision: ReviewedItem['decision'], question: string) =>
    reviewed(descriptive({ question }, question), { decision })
  const entries = [decided(null, 'a'), decided('accepted', 'b'), decided('edited', 'c'), decided('rejected', 'd')]
  const taken = (decisions?: BenchmarkRequest['decisions']) =>
    frozen(entries, decisions === undefined ? {} : { decisions }).items.map(({ question }) => question).sort()
  t.same(taken(), ['a', 'b', 'c'], 'what was rejected stays out unless it is asked for')
  t.same(taken(['accepted', 'edited']), ['b', 'c'])
  t.same(taken(['none']), ['a'])
  t.same(taken(['rejected']), ['d'])
  const { card, id } = frozen(entries, { decisions: ['accepted'] }).benchmark
  t.same(card.leftOut, { 'decision:edited': 1, 'decision:none': 1, 'decision:rejected': 1 })
  t.same(frozen(entries).benchmark.card.byDecision, { accepted: 1, edited: 1, none: 1 })
  t.not(frozen(entries).benchmark.id, id)
  const [yes, no] = pair()
  t.throws(() => frozen([reviewed(yes, { decision: 'rejected' }), reviewed(no)]), { message: /pair-incomplete/ }, 'a pair lives or dies together')
})

t.test('what its maker left to people is settled by accepting the item, and by nothing else', async t => {
  const open = { eligible: false, failedChecks: ['as-made'] }
  const entries = [
    reviewed(descriptive({ question: 'accepted' }, 'accepted'), { ...open, decision: 'accepted' }),
    reviewed(descriptive({ question: 'disputed' }, 'disputed'), { ...open, decision: 'accepted', disputed: true }),
    reviewed(descriptive({ question: 'not decided' }, 'not decided'), open),
    reviewed(descriptive({ question: 'other' }, 'other'), { eligible: false, failedChecks: ['as-made', 'length'], decision: 'accepted' })
  ]
  const { items, benchmark: { card } } = frozen(entries, {})
  t.same(items.map(({ question }) => question), ['accepted'])
  t.same(card.leftOut, { 'failed-check:as-made': 2, 'failed-check:length': 1 })
})

t.test('what a person decided stands above a verdict', async t => {
  const as = (question: string, own: Partial<ReviewedItem>) => (
    reviewed(descriptive({ question }, question), own))
  const edit = { role: 'expert', checks: [{ name: 'length', passed: true, detail: 'It is.' }] } as const
  const provenance = { ...descriptive().provenance, model: 'meta-llama/Llama-3.1-8B-Instruct' }
  const entries = [
    as('good', { verdict: 'good' }), as('fair', { verdict: 'fair' }), as('not judged', {}),
    as('accepted', { verdict: 'fair', decision: 'accepted' }),
    as('accepted, disputed', { verdict: 'fair', decision: 'accepted', disputed: true }),
    reviewed(descriptive({ question: 'edited', checks: [], provenance }, 'edited'), { decision: 'edited', revision: 3, edit: { ...edit, checks: [...edit.checks] } }),
    as('rejected', { verdict: 'good', decision: 'rejected' })
  ]
  const taken = (own: Partial<BenchmarkRequest>) => (
    frozen(entries, own).items.map(({ question }) => question).sort())
  t.same(taken({ verdicts: ['good'] }), ['accepted', 'edited', 'good'])
  t.same(taken({ verdicts: ['good'], decisions: ['accepted', 'edited'] }), ['accepted', 'edited'])
  t.same(taken({ verdicts: ['good'], decisions: ['none'] }), ['good'])
  t.same(taken({ verdicts: ['good'], decisions: ['rejected'] }), ['rejected'])

  const { items, benchmark: { card } } = frozen(entries, { verdicts: ['good', 'unreviewed'] })
  const edited = items.find(({ question }) => question === 'edited')
  t.match(edited, { generatorFamily: 'human', reviewerFamily: null, decision: 'edited', edit: { role: 'expert', revision: 3 }, checks: edit.checks, provenance })
  t.notOk(items.some(item => item.question === 'good' && ('decision' in item || 'edit' in item)))
  t.same(card.models, [{ name: 'Qwen/Qwen3-32B', family: 'qwen', role: 'reviewer', items: 2 }], 'a model did not write what a person did')
  t.match(card.notes.join('\n'), /1 of the 4 items passed mechanical checks only[^]*1 of the 4 items have a text that a person wrote[^]*1 of the 4 items were accepted/)
  t.match(card.leftOut, { 'verdict:fair': 2, 'decision:rejected': 1 })
})

t.test('each item carries the families of its generator and its reviewer', async t => {
  const provenance = { ...descriptive().provenance, model: 'meta-llama/Llama-3.2-11B-Vision-Instruct' }
  const made = reviewed(descriptive({ provenance }), { verdict: 'good' })
  const { benchmark, items } = frozen([made, reviewed(choice())])
  const families = items.map(item => [item.kind, item.generatorFamily, item.reviewerFamily])
  t.same(families.sort(), [['choice', null, null], ['qa', 'llama', 'qwen']], 'an unreviewed item has no reviewer')
  t.same(benchmark.card.models, [
    { name: 'meta-llama/Llama-3.2-11B-Vision-Instruct', family: 'llama', role: 'generator', items: 1 },
    { name: 'Qwen/Qwen3-32B', family: 'qwen', role: 'reviewer', items: 1 }
  ])
  const known = {
    'google/gemma-3-27b-it': 'gemma',
    'gemini-2.5-pro': 'gemini',
    'gpt-4o-mini': 'gpt',
    'openai/gpt-oss-20b': 'gpt-oss',
    'claude-sonnet-4-5': 'claude',
    'mistralai/Mixtral-8x7B': 'mistral',
    'microsoft/Phi-4': 'phi',
    'LGAI-EXAONE/EXAONE-4.0-32B': 'exaone',
    'HuggingFaceTB/SmolLM2-360M': 'smollm',
    'deepseek-ai/DeepSeek-R1-Distill-Llama-8B': 'deepseek',
    'delphi-4': 'unknown:delphi-4',
    '': 'unknown:'
  }
  for (const [name, family] of Object.entries(known)) t.equal(familyOf(name), family, name)
  t.equal(familyOf(null), null)
})

t.test('the licence is what the paper\'s own notes name', async t => {
  const noted = (...texts: string[]) =>
    licenceOf({ footnotes: texts.map(text => ({ text, page: 1, box: [0, 0, 1, 1] })) })
  t.match(noted('An address.', '© 2024. This article is licensed under a Creative Commons Attribution 4.0 International License.'), { licence: 'CC-BY-4.0', licenceQuote: /Creative Commons/ })
  t.equal(noted('Licensed under CC BY\u2011NC\u2011ND 4.0').licence, 'CC-BY-NC-ND-4.0', 'never a freer one')
  t.equal(noted('a Creative Commons Attribution-NonCommercial-ShareAlike 3.0 licence').licence, 'CC-BY-NC-SA-3.0')
  t.equal(noted('https://creativecommons.org/licenses/by/4.0/').licence, 'CC-BY-4.0')
  t.equal(noted('open access under the CC BY licence').licence, 'CC-BY', 'no version that is not there')
  t.same(noted('© 2024 The Authors. All rights reserved.'), { licence: 'unknown', licenceQuote: null })
  t.equal(noted('Photo by A. Smith, CC BY 2.0').licence, 'unknown', 'a picture\'s own')
  const cited = (text: string) => licenceOf({ footnotes: [], references: [{ text }] as unknown as Document['references'] })
  t.match(cited('3. Lee, A. Dust. J. Air 2016, 33, 18. © 2017 by the authors. This article is an open access article distributed under the terms of the Creative Commons Attribution (CC BY) license (http://creativecommons.org/licenses/by/4.0/).'),
    { licence: 'CC-BY-4.0', licenceQuote: /^This article is an open access/ }, 'glued to the last reference')
  t.equal(cited('Lessig, L. Creative Commons Attribution 4.0 and the law. 2010').licence, 'unknown', 'a reference about licences')
})

t.test('two reviewings', async t => {
  const second = idOf('reviewing', 2)
  const both = { reviewingIds: [reviewingId, second] }

  t.test('that hold the same item are refused', async t => {
    const twice = [reviewed(choice()), reviewed(choice(), { reviewingId: second })]
    t.throws(() => frozen(twice, both), { message: /stands in another of the reviewings/ })
  })

  t.test('of the same paper give each question once', async t => {
    const again = [descriptive({}, 'again'), ...pair([{}, {}], 'again')].map(item => reviewed(item, { reviewingId: second }))
    const first = [descriptive(), ...pair()].map(item => reviewed(item))
    const { benchmark, items } = frozen([...first, ...again], both)
    t.equal(items.length, 3)
    t.same(benchmark.card.leftOut, { duplicate: 3 })
  })
})

t.test('what is published has no pair ids, the benchmark itself has', async t => {
  const { benchmark, items, lines } = frozen(everything)
  t.match(lines, /"pairId"/)
  const { canary = '' } = benchmark.card
  const published = items.map(item => publicLine(item, { canary, placeTitle: null }))
  t.notMatch(published.join('\n'), /pairId/)
  t.equal(published.length, everything.length)
})

t.test('a spreadsheet cannot be made to run a cell', async t => {
  const dangerous = ['=1+1', '+1', '-1', '@x', '\t=1', '  =1', '\u2003=1', '＝1']
  for (const question of dangerous) {
    t.match(csvRow({ ...descriptive({ question }), verdict: 'good' }), `"'${question}"`, JSON.stringify(question))
  }
  const row = csvRow({ ...descriptive({ question: 'He said "no",\nthen =1' }), verdict: 'good' })
  t.match(row, '"He said ""no"",\nthen =1"')
  t.equal(csvHeader.split(',').length, 19)
})

t.test('card and proxies are made item by item, so that others have their turn', async t => {
  const items = Array.from({ length: 300 }, (_, i) => reviewed({ ...choice(), id: idOf('item', ['turn', i]) }))
  const all = [...items, ...everything]
  const steps = freezing({ request, reviewed: all, notReviewed: 0, reviewers: new Map() })
  let stops = 0
  for (let step = steps.next(); step.done !== true; step = steps.next()) stops++
  t.ok(stops > 2 * items.length, `${stops} stops`)
})
