import t from 'tap'
import type { ReviewedItem } from '../../../../shared/contracts/review.ts'
import { descriptive } from '../../test/fixtures.ts'
import { ratingsOfItem } from '../domain/agreement-tables.ts'
import { shownAfter } from '../domain/shown.ts'
import { beginning, disputedBy, editsOf, reasonAgainstUndo, standOf, type HumanState, type Opinion } from '../domain/opinions.ts'

const item = descriptive()
const reviewed: ReviewedItem = {
  item, reviewingId: 'r', verdict: 'good', eligible: true, failedChecks: [], revision: 2, decision: null
}
const opinion = (raterId: string, own: object, more: Partial<Opinion> = {}): Opinion => ({
  requestHash: '', edited: null, withdrawn: false, ...more, review: { id: raterId, itemHash: 'h', human: { rater: { id: raterId, role: 'expert' }, decides: true, blind: false, decision: null, questionnaireId: null, answers: {}, ...own } } as never
})
const state = (...opinions: Opinion[]): HumanState => ({ ...beginning(reviewed), opinions })

t.test('an item judged good that a person edited is unreviewed, until the edit is taken back', async t => {
  const edit = opinion('anna', { decision: 'edited' }, { edited: { ...item, question: 'Why?' } })
  t.match(standOf(state(edit)), { verdict: 'unreviewed', revision: 3, decision: 'edited', item: { question: 'Why?' } })
  t.match(standOf(state({ ...edit, withdrawn: true })), { verdict: 'good', revision: 2, decision: null, item })

  const later = opinion('ben', { decision: 'accepted' })
  t.match(reasonAgainstUndo(state(edit, later), edit), /decided since/)
  t.equal(reasonAgainstUndo(state(edit, { ...later, withdrawn: true }), edit), null)
  t.match(reasonAgainstUndo(state(edit, opinion('anna', { decision: 'accepted' })), edit), /last review/)

  const [no, yes] = [opinion('cleo', { decision: 'rejected' }), opinion('ben', { decision: 'accepted' })]
  const disputes = [state(yes, edit), state(yes, no), state(no)].map(disputedBy)
  t.same(disputes, [false, true, false])
  const settles = opinion('dora', { decision: 'accepted', rater: { id: 'dora', role: 'adjudicator' } })
  t.same([disputedBy(state(yes, no, settles)), disputedBy(state(yes, settles, no))], [false, true])
})

t.test('a version that was taken back keeps its number: no other text ever has it', async t => {
  const edited = (question: string, withdrawn: boolean) =>
    opinion('anna', { decision: 'edited' }, { edited: { ...item, question }, withdrawn })
  const after = state(edited('first', false), edited('second', true), edited('third', false))
  t.match(standOf(after), { revision: 5, item: { question: 'third' } })
  t.same(editsOf(after).map(({ revision, item }) => [revision, item.question]), [[3, 'first'], [4, 'second'], [5, 'third']])
  t.match(standOf(state(edited('first', false), edited('second', true))), { revision: 3, item: { question: 'first' } })
})

t.test('answers alone, or to another questionnaire, take back neither a decision nor earlier answers', async t => {
  const said = state(
    opinion('anna', { decision: 'rejected', questionnaireId: 'one', answers: { accuracy: 2 } }),
    opinion('ben', { decision: 'accepted', questionnaireId: 'one', answers: { accuracy: 5 } }),
    opinion('anna', { questionnaireId: 'two', answers: { soundness: 1 } })
  )
  const ratings = (questionnaireId: string | null) =>
    ratingsOfItem(said, questionnaireId).map(({ raterId, answer }) => [raterId, answer])
  t.same(ratings(null), [['anna', 'rejected'], ['ben', 'accepted']])
  t.same(ratings('one'), [['anna', 2], ['ben', 5]])
  t.same(ratings('two'), [['anna', 1]])
  t.ok(disputedBy(said), 'and the dispute stays')
})

t.test('who edited is shown that text, also where it does not decide, and blind learns nothing with it', async t => {
  const edited = { ...item, question: 'Mine?' }
  for (const [blind, decides] of [[true, true], [true, false], [false, true]]) {
    const own = opinion('anna', { decision: 'edited', blind, decides }, { edited })
    const after = state(opinion('ben', { decision: 'accepted' }), own)
    const now = { ...reviewed, ...decides && { item: edited } }
    const { answer } = shownAfter(own.review, { reviewed: now, state: after })
    t.equal(answer.edited!.question, 'Mine?')
    t.equal('provenance' in answer.edited!, !blind)
    t.equal(answer.reviewed.item.question, decides ? 'Mine?' : item.question)
    t.notOk('edited' in shownAfter(after.opinions[0]!.review, { reviewed, state: after }).answer)
  }
})
