import t from 'tap'
import { wilsonInterval } from '../../../shared/stats/proportions.ts'
import { analyses } from '../domain/analyses/analyses.ts'
import type { AnalysisBody } from '../domain/analyses/analysis.ts'

t.test('reasoning: of one paper the share of wrong reasons counts a minimal pair once', async t => {
  const right = [5, 5, 15, 15, 5, 5].map((total, at) => ({ right: true, total, paper: 'p', pair: `pair ${at >> 1}` }))
  const { rows: [row] } = analyses.reasoning.compute({ table: { models: [{ model: 'a', accuracy: { right: 6, n: 6 }, reasoning: right }] } } as AnalysisBody, null)
  const { low, high } = wilsonInterval({ successes: 2, trials: 3 })
  t.match(row, { rightForWrongReasons: 4 / 6, rightJudged: 6 })
  t.match(row, { wrongReasonsLow: low, wrongReasonsHigh: high }, 'three pairs, not six items')
})

t.test('passing: an average that is the 60 asked for passes, also where doubles add up to a little less', async t => {
  const rule = { average: 60, eachSubject: 40, questionsPerSubject: 15 }
  const subjects = { x: { right: 6, n: 15 }, y: { right: 14, n: 15 }, z: { right: 7, n: 15 } }
  const both = { models: [{ model: 'just', subjects }, { model: 'not', subjects: { ...subjects, z: { right: 6, n: 15 } } }] }
  t.match(analyses.passing.compute({ rule, table: both } as AnalysisBody, null).rows, [
    { passes: true, passProbability: 1 }, { passes: false, passProbability: 0 }
  ])
})
