import t from 'tap'
import type { QueueEntry } from '../../../../shared/contracts/human-review.ts'
import type { Item } from '../../../../shared/contracts/item.ts'
import type { Collection, Doc, Store } from '../../../../shared/store/store.ts'
import { choice, humid, paragraphText } from '../../test/fixtures.ts'
import { itemForm, items, no, opened, rated, setForm, type Wrap, yes } from './raters.ts'

t.test('a review by a person', async t => {
  const { read, send, reviewsOf, undo } = await opened(t)
  const [item] = items as [Item]

  await t.test('needs If-Match with what was read', async t => {
    t.match(await send(item, 'anna', { decision: 'accepted', ifMatch: null }), { status: 428, type: '/problems/precondition-required' })
    t.match(await send(item, 'anna', { decision: 'accepted', ifMatch: '*' }), { status: 428 })
    t.match(await send(item, 'anna', { decision: 'accepted', ifMatch: '"state-0"' }), { status: 412, type: '/problems/precondition-failed' })
    t.match(await send(item, 'anna', { decision: 'accepted', ifMatch: `W/${(await read(item)).etag}` }), { status: 428 })
    t.same(await reviewsOf(item), [])
  })

  await t.test('accepts, and is the same when it comes again, also from a later state', async t => {
    const { etag } = await read(item)
    const first = await send(item, 'anna', { decision: 'accepted', ifMatch: etag, ...rated(4, 5) })
    t.match(first, {
      status: 201, review: { scores: { accuracy: 4, relevance: 5 }, verdict: 'unreviewed', human: { decides: true, blind: false, standing: 'stands', seconds: 5 } }, reviewed: { decision: 'accepted', revision: 0 }
    })
    t.not(first.etag, etag)
    const again = await send(item, 'anna', { decision: 'accepted', ifMatch: etag, ...rated(4, 5) })
    t.match(again, { status: 200, review: { id: first.review.id } })
    t.match(await send(item, 'ben', { decision: 'rejected', reason: 'Wrong.', ifMatch: etag }), { status: 412 }, 'who did not see it does not overrule it')
    t.equal((await reviewsOf(item)).length, 1)
  })

  await t.test('a changed mind supersedes, and undo brings back what was before; both are kept', async t => {
    const rejected = await send(item, 'anna', { decision: 'rejected', reason: 'The drop is of speed.' })
    t.match(rejected, { status: 201, reviewed: { decision: 'rejected' } })
    const standings = async () => (await reviewsOf(item))
      .map(({ human }: any) => [human.decision, human.standing]).sort()
    t.same(await standings(), [['accepted', 'superseded'], ['rejected', 'stands']])
    t.match(await undo(item, 'ben', rejected.review.id), { status: 409 }, 'by nobody else')
    t.match(await undo(item, 'anna', rejected.review.id), { status: 200, reviewed: { decision: 'accepted' } })
    t.match(await undo(item, 'anna', rejected.review.id), { status: 200, reviewed: { decision: 'accepted' } }, 'twice is once')
    t.same(await standings(), [['accepted', 'stands'], ['rejected', 'withdrawn']])
    const [accepted] = (await reviewsOf(item)).filter((review: any) => review.human.decision === 'accepted')
    t.match(await undo(item, 'anna', accepted.id), { reviewed: { decision: null } })
    t.match(await undo(item, 'anna', 'rev_' + '0'.repeat(32)), { status: 404, type: '/problems/review-not-found' })
  })

  await t.test('says what does not fit, at its place', async t => {
    const faultsOf = async (own: object) => {
      const { status, errors } = await send(item, 'anna', own)
      t.equal(status, 400)
      return errors.map(({ pointer }: { pointer: string }) => pointer)
    }
    t.same(await faultsOf({}), ['/body/decision'])
    t.same(await faultsOf({ decision: 'rejected', reason: ' ' }), ['/body/reason'])
    t.same(await faultsOf({ decision: 'edited' }), ['/body/edit'])
    t.same(await faultsOf({ decision: 'accepted', edit: { question: 'Why?' } }), ['/body/edit'])
    t.same(await faultsOf({ answers: { accuracy: 3 } }), ['/body/questionnaireId'])
    t.same(await faultsOf({ questionnaireId: itemForm!.id, answers: { accuracy: 6, diversity: 1 } }), ['/body/answers/diversity', '/body/answers/accuracy', '/body/answers/relevance'])
    t.same(await faultsOf({ questionnaireId: setForm!.id, answers: {} }), ['/body/questionnaireId'])
    t.same(await faultsOf({ decision: 'edited', edit: { evidence: [{ quote: 'Dust settles slower in dry air.' }] } }), ['/body/edit/evidence/0/quote'])
    t.same(await faultsOf({ decision: 'edited', edit: { question: item.question } }), ['/body/edit'])
    t.same(await faultsOf({ decision: 'edited', edit: { choices: ['a', 'b'] } }), ['/body/edit/choices'])
    t.match(await send(item, 'anna', { decision: 'accepted', questionnaireId: `qnr_${'0'.repeat(32)}`, answers: {} }), { status: 404 })
  })
})

t.test('an edit', async t => {
  await t.test('is a revision that is checked anew, with evidence found in the paper', async t => {
    const { send, read, undo, at, id } = await opened(t)
    const item = items[1] as Item
    const edit = { question: 'Which type settled faster at 20 °C, and by how much?', evidence: [{ quote: 'Grains of type A settled 12 %  faster' }] }
    const edited = await send(item, 'anna', { decision: 'edited', edit })
    t.match(edited, {
      status: 201,
      reviewed: {
        revision: 1, decision: 'edited', verdict: 'unreviewed', eligible: true, item: { id: item.id, question: edit.question, checks: [], evidence: [{ quote: 'Grains of type A settled 12 % faster', charStart: 0, target: { type: 'paragraph', id: 'p1' }, sectionId: 's1' }] }
      }
    })
    t.ok(edited.review.checks.some(({ name, passed }: any) => name === 'evidence' && passed))
    t.ok(paragraphText.startsWith(edited.reviewed.item.evidence[0].quote))
    t.same(edited.reviewed.edit, { role: 'expert', checks: edited.review.checks })
    const own = await at.post('/benchmarks', { name: 'default', reviewingIds: [id] })
    const line = (await at.get(`/benchmarks/${own.json().id}/items`)).json().items[0]
    t.match(line, { id: item.id, generatorFamily: 'human', decision: 'edited', edit: { role: 'expert', revision: 1 } }, 'with the default verdicts')
    t.same(line.checks, edited.review.checks)
    t.notMatch(JSON.stringify(line), 'anna')
    const worse = await send(item, 'anna', { decision: 'edited', edit: { choices: ['8 %', '13 %', '20 %'] } })
    t.match(worse.reviewed, { revision: 2, eligible: false, failedChecks: ['numbers-agree'] })
    t.match((await undo(item, 'anna', worse.review.id)).reviewed, { revision: 1, eligible: true, failedChecks: [], decision: 'edited' })
    t.match((await undo(item, 'anna', edited.review.id)).reviewed, { revision: 0, eligible: true, decision: null, item })
    const frozen = await at.post('/benchmarks', { name: 'x', reviewingIds: [id], verdicts: ['unreviewed'] })
    t.equal(frozen.json().card?.itemCount, 4, frozen.body)
    t.match(await read(item), { revision: 0 })
  })

  await t.test('of one member never changes the label of a pair unless that is said, and the pair lives or dies whole', async t => {
    const { send, read, undo } = await opened(t)
    t.match(await send(yes, 'anna', { decision: 'edited', edit: { answerIndex: 1 } }), { status: 400, errors: [{ pointer: '/body/edit/answerIndex' }] })
    const said = await send(yes, 'anna', { decision: 'edited', edit: { answerIndex: 1, relabel: true } })
    t.match(said.reviewed, { eligible: false, failedChecks: ['pair', 'partner'], item: { answerIndex: 1 } })
    t.match(await read(no), { eligible: false, failedChecks: ['pair', 'partner'], item: { answerIndex: 1 }, revision: 0 }, 'its partner is untouched and out')
    await undo(yes, 'anna', said.review.id)
    t.match(await read(no), { eligible: true, failedChecks: [] })
    t.match(await read(yes), { eligible: true, failedChecks: [], item: { answerIndex: 0 } })
  })

  await t.test('of a false member into what the paper supports takes the pair out', async t => {
    const { send, read } = await opened(t, items, { documents: [humid] })
    await send(no, 'anna', { decision: 'edited', edit: { question: yes.question.replace('5 mm/s', '6 mm/s') } })
    t.match(await read(no), { eligible: true, failedChecks: [] })
    await send(no, 'anna', { decision: 'edited', edit: { question: yes.question.replace('5 mm/s', '4 mm/s') } })
    t.match(await read(no), { eligible: false, failedChecks: ['false-member', 'partner'] })
    t.match(await read(yes), { eligible: false, failedChecks: ['false-member', 'partner'] })
  })

  await t.test('that repeats another item of the paper is found out', async t => {
    const other = choice({ question: 'What was the speed of grains of type A?', id: items[1]!.id.replace(/.$/, '0') })
    const { send } = await opened(t, [...items, other])
    const { reviewed } = await send(other, 'anna', { decision: 'edited', edit: { question: items[1]!.question } })
    t.match(reviewed, { eligible: false, failedChecks: ['duplicate'] })
  })
})

t.test('a rejected item is in no benchmark, nor is its partner', async t => {
  const { at, id, send } = await opened(t)
  await send(yes, 'anna', { decision: 'rejected', reason: 'Trivial.' })
  const { card } = (await at.post('/benchmarks', { name: 'x', reviewingIds: [id], verdicts: ['unreviewed'] })).json()
  t.equal(card.itemCount, 2)
  t.match(card.leftOut, { 'decision:rejected': 1, 'pair-incomplete': 1 })
})

t.test('two blind raters', async t => {
  const { send, read, blind, at, id } = await opened(t)
  const find = (entries: QueueEntry[], { id }: Item) => entries.find(({ item }) => item.id === id)!
  const item = items[1] as Item
  const [a, b] = [find(await blind('anna', '&doubleShare=1'), item), find(await blind('ben', '&doubleShare=1'), item)]
  await send(item, 'anna', { decision: 'edited', edit: { question: 'By how much was type A faster at 20 °C?' }, ifMatch: a.etag, ...rated(3, 4) })

  await t.test('rate the same version, also when the first has edited it', async t => {
    const again = find(await blind('ben', '&doubleShare=1'), item)
    t.same(again, b, 'nothing shows that somebody was there')
    const second = await send(item, 'ben', { decision: 'rejected', reason: 'No.', ifMatch: b.etag, ...rated(2, 4) })
    t.match(second, {
      status: 201,
      review: { human: { blind: true, decides: false } },
      reviewed: { verdict: null, decision: null, revision: 0 }
    })
    t.same(second.reviewed.item, b.item, 'nor does the reply')
    t.equal(second.etag, b.etag)
    t.match(await read(item), { decision: 'edited', revision: 1 })
    t.match(await at.get(`/review-queue?reviewingId=${id}&raterId=ben&verdict=good`), { statusCode: 400 })
    t.match(await send(item, 'ben', { decision: 'edited', edit: { question: 'How much?' }, ifMatch: b.etag }), { status: 412 }, 'but do not edit what was edited')
    const other = items[0] as Item
    const [one, two] = [find(await blind('anna', '&doubleShare=1'), other), find(await blind('ben', '&doubleShare=1'), other)]
    await send(other, 'anna', { decision: 'accepted', ifMatch: one.etag, ...rated(3, 5) })
    const unseen = await send(other, 'ben', { decision: 'rejected', reason: 'No.', ifMatch: two.etag })
    t.match(unseen, { status: 201, review: { human: { decides: false } }, reviewed: { decision: null } })
    t.match(await read(other), { decision: 'accepted' }, 'what a blind rater could not see is not overruled')
    t.match(await send(other, 'ben', { decision: 'accepted', ifMatch: two.etag, ...rated(3, 5) }), { status: 201 }, 'a decision does not make stale what a blind rater reads')
  })

  await t.test('who disagree leave a dispute, which a third settles who sees it', async t => {
    const disputed = await blind('cleo', '&disputed=true')
    t.match(disputed, [{ item: { id: item.id }, disputed: true, blind: false, decision: 'edited' }])
    t.equal(disputed.length, 1)
    t.same(disputed[0]!.reviews.flatMap(review => 'human' in review ? [review.human.rater.id] : []).sort(), ['anna', 'ben'])
    t.same(await blind('dora', '&disputed=true'), [], 'one at a time')
    const settled = await send(item, 'cleo', { decision: 'rejected', reason: 'Ben is right.', ifMatch: disputed[0]!.etag, rater: { id: 'cleo', role: 'adjudicator', qualification: '' } })
    t.match(settled.reviewed, { decision: 'rejected' })
    t.same(await blind('cleo', '&disputed=true'), [])
    t.match(await read(item), { decision: 'rejected', revision: 1 })
  })

  await t.test('have an agreement, once with all and once without who edited', async t => {
    const { questions, withoutEditors } = (await at.get(`/agreements?reviewingId=${id}&questionnaireId=${itemForm!.id}`)).json()
    t.match(questions.find(({ question }: any) => question === 'accuracy'), {
      units: 2, papers: 1, raters: ['anna', 'ben'], ratings: 4, level: 'ordinal', percentAgreement: { value: 0.5, over: 'items', low: 0, high: 1 }, iccA1: { value: 0 }
    })
    t.match(questions.find(({ question }: any) => question === 'relevance'), {
      percentAgreement: { value: 1, over: 'items', high: 1 }, alphaOrdinal: { value: 1, low: null, reason: /varies|items/ }
    })
    t.same(withoutEditors.leftOut, ['anna'])
    t.match(withoutEditors.questions[0], { units: 0, single: 2, percentAgreement: { value: null, reason: 'No unit was rated twice.' } })
    const [decision] = (await at.get(`/agreements?reviewingId=${id}`)).json().questions
    t.match(decision, { question: 'decision', units: 2, percentAgreement: { value: 0.5 }, gwetAC2: { value: null, reason: 'The answers have no order.' } })
  })
})

t.test('two who write at once: one of them, and the other is told', async t => {
  const { send, read, reviewsOf } = await opened(t)
  const item = items[0] as Item
  const { etag } = await read(item)
  const both = await Promise.all(['anna', 'ben', 'cleo', 'dora'].map(async name =>
    await send(item, name, { decision: name < 'c' ? 'accepted' : 'rejected', reason: 'R', ifMatch: etag })))
  t.same(both.map(({ status }) => status).sort(), [201, 412, 412, 412])
  t.equal((await reviewsOf(item)).length, 1)
})

t.test('a crash after the one write that counts loses no review, and sending it again mends the rest', async t => {
  let broken = false
  const failing = <T extends Doc>(collection: Collection<T>): Collection<T> => ({
    ...collection,
    async insertMissing (docs) {
      if (broken) throw new Error('The process died here')
      return await collection.insertMissing(docs)
    }
  })
  const wrap: Wrap = ({ store, blobs }) => ({
    blobs,
    store: { ...store, collection: async (name: string, indexes?: any) => name === 'reviews' ? failing(await store.collection(name, indexes)) : await store.collection(name, indexes) } as Store
  })
  const { send, read, reviewsOf, blind } = await opened(t, items, { wrap })
  const { etag } = await read(items[0]!)
  broken = true
  t.equal((await send(items[0]!, 'anna', { decision: 'accepted', ifMatch: etag })).status, 500)
  broken = false
  t.match(await read(items[0]!), { decision: 'accepted' })
  t.equal((await reviewsOf(items[0]!)).length, 1, 'the list is mended by who reads it')
  t.notOk((await blind('anna')).some(({ item }) => item.id === items[0]!.id), 'and the queue by who asks it')
  t.match(await send(items[0]!, 'anna', { decision: 'accepted', ifMatch: etag }), { status: 200 })
})
