import t from 'tap'
import type { Rating } from '../../../../shared/contracts/judgement.ts'
import type { JudgementSummary } from '../../../../shared/contracts/judgement-summary.ts'
import { givenSuite, promptOf, type Given } from './given-suite.ts'

const qualityOf = (reply: string) => /argon|heat/iu.test(reply) ? 4 : 2

/** The llama answers well, the qwen at length and not so well. */
const says: Given['says'] = ({ model }, prompt) => {
  if (/Which gas was used/.test(prompt)) return `The furnace needs it. Answer: ${model.startsWith('llama') ? 'A' : 'B'}`
  return model.startsWith('llama') ? 'Heating hardens the alloy.' : `Cold hardens it. ${'It is known that this is so. '.repeat(12)}`
}
const judges = {
  'qwen-judge': { quality: qualityOf, perDoubling: 0.5 },
  'gemma-judge': { quality: qualityOf, mildness: -1 }
}

const scoreOf = (scores: Array<{ metric: string, value: number | null, n: number }>, metric: string) =>
  scores.find(score => score.metric === metric)!

t.test('a panel judges two runs: means, agreement, biases, and where each rating came from', async t => {
  const suite = await givenSuite(t, { says, judges })
  const runIds = [await suite.run('llama-3-8b'), await suite.run('qwen2.5-7b')]
  const request = { runIds, judges: Object.keys(judges), rubric: 'kmetbench', kinds: ['qa', 'choice'] }
  const judgement = await suite.judge(request)
  t.match(judgement, { state: 'succeeded', unitCount: 36, judgedCount: 36, ratingCount: 72, outcomes: { answered: 72, error: 0 } })
  const again = await suite.post('/judgements', request)
  t.equal(again.id, judgement.id, 'the same is the same')
  const calls = suite.fake.journal.length
  const page: { items: Rating[] } = await suite.get(`/judgements/${judgement.id}/ratings?limit=2`) as never
  t.match(page.items[0], {
    judge: 'qwen-judge',
    outcome: 'answered',
    scores: { factualAccuracy: Number, logicalSoundness: Number, depth: Number, clarity: Number },
    errors: [],
    usage: { promptTokens: Number },
    provenance: { prompt: 'judge-reply.v1', promptHash: /^[0-9a-f]{64}$/, rubricHash: judgement.rubricHash, model: 'qwen-judge', sampling: { temperature: 0 }, requestHash: String }
  })
  const lines = (await suite.text(`/judgements/${judgement.id}/ratings.jsonl`)).trim().split('\n')
  t.equal(lines.length, 72)
  t.same(JSON.parse(lines[0]!), page.items[0])

  const summary: JudgementSummary = await suite.get(`/judgements/${judgement.id}/summary`) as never
  t.equal(summary.complete, true)
  const [llama, qwen] = summary.runs
  t.equal(scoreOf(llama!.judges[1]!.scores, 'total').value, 4 * 3 * 2 / 3 + 4 * 1 / 3, 'two good replies of three, by the strict judge')
  t.equal(scoreOf(llama!.judges[1]!.scores, 'total').n, 18)
  t.ok(scoreOf(qwen!.judges[0]!.scores, 'total').value! > scoreOf(qwen!.judges[1]!.scores, 'total').value!)
  const total = scoreOf(llama!.panel!.mean, 'total').value!
  t.equal(scoreOf(llama!.panel!.mean, 'total.minMax').value, (total - 4) / 16)
  t.equal(scoreOf(llama!.panel!.mean, 'total.shareOfMax').value, total / 20)
  t.match(scoreOf(llama!.judges[0]!.scores, 'total.amongCorrect'), { n: 6 })
  t.match(scoreOf(qwen!.judges[0]!.scores, 'total.amongCorrect'), { n: 0, value: null })
  t.same(summary.agreement.map(({ of, n }) => [of, n]), [['factualAccuracy', 36], ['logicalSoundness', 36], ['depth', 36], ['clarity', 36], ['total', 36]])
  t.ok(summary.lengthBias[0]!.slope! > summary.lengthBias[1]!.slope!, 'the one that likes length is found out')
  t.match(summary.selfPreference, { judges: 2, models: 2, n: 18, leastP: 0.5 })
  t.ok(summary.notes.some(note => /never compare one with the other/.test(note)))
  t.equal(suite.fake.journal.length, calls, 'reading asks nobody')
})

t.test('what cannot be counted is counted apart, and in no mean', async t => {
  const bad: Record<string, string> = {
    a: '{"errors": [], "factualAccuracy": {"reason": "r", "score": 9}, "logicalSoundness": {"reason": "r", "score": 5}, "depth": {"reason": "r", "score": 5}, "clarity": {"reason": "r", "score": 5}}',
    b: 'I am sorry, but I can\'t help with that.'
  }
  const seen: string[] = []
  const suite = await givenSuite(t, {
    says: (body, prompt) => /Which gas/.test(prompt) ? 'Answer: A' : /What keeps oxygen/.test(prompt) ? '' : 'Heating.',
    judges: { 'qwen-judge': { quality: qualityOf } },
    first: body => {
      const prompt = promptOf(body)
      if (!/judge the reply|could not be used|valid JSON/iu.test(prompt)) return null
      seen.push(prompt)
      const text = JSON.stringify(body.messages)
      return /What hardens/.test(text) ? bad.a! : /What does the figure/.test(text) ? bad.b! : null
    }
  })
  const runId = await suite.run('llama-3-8b')
  const judgement = await suite.judge({ runIds: [runId], judges: ['qwen-judge'], rubric: 'kmetbench', images: 'withheld' })
  t.match(judgement, { state: 'succeeded', unitCount: 24, judgedCount: 18, outcomes: { unparsable: 6, refused: 6, answered: 6 } })
  const { items: [rating] } = await suite.get(`/judgements/${judgement.id}/ratings?outcome=unparsable&limit=1`) as { items: Rating[] }
  t.match(rating, { scores: null, total: null, detail: /factualAccuracy/ })
  const summary: JudgementSummary = await suite.get(`/judgements/${judgement.id}/summary`) as never
  const [run] = summary.runs
  t.match(run, { predictions: 24, judged: 18, notJudged: { unparsable: 6 } })
  const { scores } = run!.judges[0]!
  t.match(scoreOf(scores, 'total'), { value: 8, n: 6 })
  t.match(scoreOf(scores, 'total.unansweredAsLeast'), { value: 6, n: 12 })
  t.ok(seen.some(prompt => /could not be used|schema/iu.test(prompt)), 'a repair turn was had')

  const skipping = await suite.judge({ runIds: [runId], judges: ['qwen-judge'], rubric: 'autopaperbench', kinds: ['vqa'] })
  t.match(skipping, { state: 'succeeded', outcomes: { skipped: 6, answered: 0 } }, 'a judge that takes no images')
  const rationale = await suite.judge({ runIds: [runId], judges: ['qwen-judge'], rubric: 'autopaperbench', kinds: ['choice'], reference: 'rationale' })
  t.match(rationale, { outcomes: { answered: 6 } })
  t.ok(suite.fake.journal.some(({ body }) => JSON.stringify(body).includes('Why it is right: SECRET-RATIONALE')))
})
