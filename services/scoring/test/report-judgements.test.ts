import t from 'tap'
import type { JudgementSummary } from '../../../shared/contracts/judgement-summary.ts'
import { reportJudgement, whyNotReported } from '../domain/report/judgements.ts'
import { documentOf, itemsOf } from './fixtures.ts'

const items = itemsOf(documentOf('one'))
const [first, second] = ['a', 'b'].map(letter => `run_${letter.repeat(32)}`)
const judgementId = `jdg_${'0'.repeat(32)}`
const spec = (more: object) => ({ form: 'scores', runIds: [first, second], ...more }) as never
const summary = (error: number) => ({
  runs: [{ runId: first, notJudged: { error } }, { runId: second, notJudged: {} }],
  agreement: [],
  notes: [],
  complete: true,
  preferences: []
}) as never as JudgementSummary
const outcomes = (error: number) => items.map((_, at) => at < error ? 'error' as const : 'answered' as const)

t.test('a run that was retried after it was judged is named', async t => {
  const notesOf = (then: number, now: number, more = {}) => reportJudgement(
    { judgementId, spec: spec(more), summary: summary(then) },
    { items, runs: [{ runId: first!, outcomes: outcomes(now) }] }
  ).notes
  t.strictSame(notesOf(2, 2), [])
  t.match(notesOf(2, 0), [/retried after it was judged: 2 .* then, 0 are now/])
  t.strictSame(notesOf(0, 1, { kinds: ['choice'] }), [], 'errors of kinds that were not judged are none of it')
  t.match(notesOf(0, 1, { kinds: [items[0]!.kind] }), [/0 .* then, 1 are now/])
})

t.test('scores need one of their runs in the report, preferences both', async t => {
  const why = (form: string, reported: string[]) =>
    whyNotReported({ judgementId, spec: spec({ form }) }, reported)
  t.equal(why('scores', [second!]), undefined)
  t.match(why('scores', ['run_c']), /none of the runs/)
  t.match(why('preferences', [second!]), first)
  t.equal(why('preferences', [second!, first!]), undefined)
})
