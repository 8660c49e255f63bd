/** Analyses of runs by a dimension say which items are in none of their numbers. */
import t from 'tap'
import { analyses } from '../domain/analyses/analyses.ts'
import type { AnalysedRun } from '../domain/analyses/analysis.ts'

const row = (nth: number, slices: object, outcome = 'answered') => ({
  itemId: `i${nth}`, kind: 'choice', slices, cluster: `p${nth}`, pairId: null, outcome, correct: nth < 3
})
const run = (name: string, rows: object[]) =>
  ({ runId: name, name, model: name, rows }) as unknown as AnalysedRun
const rule = { average: 60, eachSubject: 40, questionsPerSubject: 2 }

for (const kind of ['passing', 'sub-domains'] as const) {
  t.test(`${kind}: items without a value of the dimension, errors and skipped are counted in a note`, async t => {
    const rows = [row(0, { subject: 'x' }), row(1, { subject: 'x' }), row(2, {}), row(3, { subject: 'x' }, 'error')]
    const body = { dimension: 'subject', ...kind === 'passing' && { rule } }
    const found = analyses[kind].compute(body, [run('a', rows), run('whole', rows.slice(0, 2))])
    t.match(found.rows[0], { n: 2 })
    t.match(found.notes.at(-1), /in no number here: a: 1 without a value of subject, 1 that ended in an error or were skipped, of 4\.$/)
    t.notMatch(analyses[kind].compute(body, [run('whole', rows.slice(0, 2))]).notes.join(' '), /in no number/)
  })
}
