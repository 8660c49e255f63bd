import t from 'tap'
import { baselineNames, findBaseline } from '../domain/baselines/baselines.ts'
import { indexSentences, isSupported } from '../domain/baselines/extractive.ts'
import { pick, questionOf } from '../domain/question.ts'
import { documentOf, itemOf, itemsOf, paragraphs } from './fixtures.ts'

const document = documentOf('baselines')
const items = itemsOf(document)
const of = (kind: string) => questionOf(items.find(item => item.kind === kind)!)
const ask = (name: string, kind: string, seed = 1) => findBaseline(`baseline/${name}`)!({ question: of(kind), document, seed })

t.test('what a baseline cannot answer it skips, and says why', async t => {
  const answers = new Map<string, string[]>()
  for (const name of baselineNames) {
    const kinds = ['qa', 'vqa', 'binary', 'choice'].filter(kind => {
      const answer = findBaseline(name)!({ question: of(kind), document, seed: 1 })
      if ('skipped' in answer) t.match(answer.skipped, /\w{3}.*\.$/)
      return 'reply' in answer
    })
    answers.set(name, kinds)
  }
  t.strictSame(Object.fromEntries(answers), {
    'baseline/always-yes': ['binary'],
    'baseline/random': ['binary', 'choice'],
    'baseline/lead': ['qa', 'vqa'],
    'baseline/extractive': ['qa', 'vqa', 'binary']
  })
  t.equal(findBaseline('baseline/unheard'), undefined)
})

t.test('always-yes says yes in the format asked for', async t => {
  t.strictSame(ask('always-yes', 'binary'), { reply: 'Answer: Yes' })
})

t.test('random gives the same guess for the same item and seed, and each guess about as often', async t => {
  t.strictSame(ask('random', 'choice', 7), ask('random', 'choice', 7))
  const counts = [0, 0, 0, 0]
  for (let i = 0; i < 4000; i++) counts[pick(4, `item ${i}`)]!++
  t.ok(counts.every(count => count > 900 && count < 1100), counts.join())
  const yes = Array.from({ length: 400 }, (_, seed) => ask('random', 'binary', seed))
    .filter(answer => 'reply' in answer && answer.reply === 'Answer: Yes').length
  t.ok(yes > 160 && yes < 240, `${yes} of 400`)
})

t.test('lead gives the first sentences of the place', async t => {
  t.strictSame(ask('lead', 'qa'), { reply: 'Heated alloys are harder. We show it for one alloy. We explain why.' })
  t.match(ask('lead', 'vqa'), { reply: /^Hardness over temperature\. We heated/ })
  t.match(findBaseline('baseline/lead')!({ question: of('qa'), document: null, seed: 1 }), { skipped: /text of the paper/ })
})

t.test('extractive gives central sentences of the place in reading order, at most 500 characters', async t => {
  const question = questionOf(itemOf(document, { kind: 'qa', place: '2', question: 'Summarize the contents of this section', answer: 'x' }))
  t.strictSame(findBaseline('baseline/extractive')!({ question, document, seed: 1 }), { reply: paragraphs.p2 })
  const long = documentOf('long')
  long.sections[1]!.paragraphs[0]!.text = Array.from({ length: 40 }, (_, i) => `Sentence number ${i} speaks of the furnace and of alloy ${i}.`).join(' ')
  const answer = findBaseline('baseline/extractive')!({ question, document: long, seed: 1 })
  t.ok('reply' in answer && answer.reply.length <= 500)
})

t.test('a statement is supported when its best sentence has its numbers and its polarity', async t => {
  const sentences = indexSentences(paragraphs.p1)
  t.equal(isSupported('Is it true that the hardness rose by 12 percent after heating?', sentences), true)
  t.equal(isSupported('Is it true that the hardness rose by 21 percent after heating?', sentences), false)
  t.equal(isSupported('Is it true that the hardness did not rise by 12 percent after heating?', sentences), false)
  t.equal(isSupported('In Figure 3, the hardness rose by 12 percent after heating.', sentences), true, 'the label of a figure is no fact')
  t.equal(isSupported('Bananas are yellow fruit from Ecuador.', sentences), false)
  t.equal(isSupported('', sentences), false)
})
