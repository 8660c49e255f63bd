import t from 'tap'
import type { ReviewedItem } from '../../../../shared/contracts/review.ts'
import { descriptive } from '../../test/fixtures.ts'
import { beginning, disputedBy, reasonAgainstUndo, standOf, type HumanState, type Opinion } from '../domain/opinions.ts'

t.test('an item judged good that a person edited is unreviewed, until the edit is taken back', async t => {
  const item = descriptive()
  const reviewed: ReviewedItem = {
    item, reviewingId: 'r', verdict: 'good', eligible: true, failedChecks: [], revision: 2, decision: null
  }
  const opinion = (raterId: string, own: object, more: Partial<Opinion> = {}): Opinion => ({
    requestHash: '', edited: null, withdrawn: false, ...more, review: { id: raterId, human: { rater: { id: raterId, role: 'expert' }, decides: true, blind: false, ...own } } as never
  })
  const edit = opinion('anna', { decision: 'edited' }, { edited: { ...item, question: 'Why?' } })
  const state = (...opinions: Opinion[]): HumanState => ({ ...beginning(reviewed), opinions })
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
