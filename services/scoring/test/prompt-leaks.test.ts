import t from 'tap'
import type { BenchmarkItem } from '../../../shared/contracts/benchmark.ts'
import type { Condition } from '../../../shared/contracts/run.ts'
import { contentModes, contentOf } from '../../../shared/text/content.ts'
import { choiceOrder } from '../../../shared/text/choice-order.ts'
import { chatRequest, promptText, sectionOf } from '../domain/messages.ts'
import { questionOf } from '../domain/question.ts'
import { loadPrompts } from '../load-prompts.ts'
import { conditionOf, documentOf, itemOf, itemsOf } from './fixtures.ts'

const prompts = await loadPrompts()
const document = documentOf('leaks')

/** Every kind, with an explicit wording; and items that the paper does not answer. */
const items = [
  ...itemsOf(document).map(item => ({
    ...item,
    longAnswer: 'SECRET-LONG',
    explicitWording: {
      question: `EXPLICIT ${item.question}`,
      ...item.kind === 'choice' && { choices: ['EXPLICIT argon', 'EXPLICIT helium', 'EXPLICIT neon'] }
    }
  })),
  itemOf(document, { kind: 'qa', question: 'Who paid for the furnace?', answer: 'SECRET-ANSWER The paper does not say.', answerability: 'unanswerable' }),
  itemOf(document, { kind: 'choice', question: 'Why did the alloy melt?', choices: [{ text: 'heat' }, { text: 'The paper does not say.' }], answerIndex: 1, answerability: 'false-premise', slices: { falseForm: 'SECRET-SLICE' } })
]

function requestFor (item: BenchmarkItem, given: Partial<Condition>) {
  const condition = conditionOf(given)
  const question = questionOf(item, condition)
  const { contentMode: mode } = condition
  const content = mode === 'none'
    ? ''
    : contentOf(document, { mode, query: question.text, sectionId: sectionOf(item.place, document), ...mode === 'oracle' && { evidence: item.evidence } }).text
  return JSON.stringify(chatRequest('m', { text: promptText(prompts, question, { content, document, condition }), images: [] }, condition))
}

/** Every way to ask: content, prompt, wording, confidence, figures and order of choices. */
const conditions = contentModes.flatMap(contentMode =>
  (['standard', 'advanced', 'reasoning'] as const).flatMap(prompt =>
    (['implicit', 'explicit'] as const).flatMap(formulation =>
      (['none', 'verbal'] as const).flatMap(confidence =>
        [{}, { permutationSeed: 3, figures: 'withheld' as const }].map(rest =>
          ({ contentMode, prompt, formulation, confidence, ...rest }))))))

t.test('a prompt never contains the answer, the rationale, the evidence, the pair, the checks or what the item is for', async t => {
  t.strictSame([...new Set(items.map(({ kind }) => kind))], ['qa', 'vqa', 'binary', 'choice'], 'every kind is asked')
  t.equal(conditions.length, 6 * 3 * 2 * 2 * 2)
  for (const item of items) {
    const faults = conditions.flatMap(condition => {
      const request = requestFor(item, condition)
      const secrets = [...new Set(request.match(/SECRET-[A-Z]+/g) ?? [])]
      const allowed = condition.contentMode === 'oracle' ? ['SECRET-EVIDENCE'] : []
      const explicit = condition.formulation === 'explicit' && item.explicitWording !== undefined
      return request.includes(item.question) && request.includes('EXPLICIT') === explicit &&
        !request.includes(item.id) && !/answerab|false-premise|pairId/iu.test(request) &&
        secrets.join() === allowed.join()
        ? []
        : [{ condition, secrets }]
    })
    t.strictSame(faults, [], `${item.kind}: ${item.question}`)
  }
})

t.test('which choice is right, what the paper answers and what stands beside it change nothing in the prompt', async t => {
  const shown = ['id', 'kind', 'source', 'place', 'figureIds', 'question', 'choices', 'explicitWording', 'language']
  const bare = (item: BenchmarkItem) => ({
    ...Object.fromEntries(Object.entries(item).filter(([name]) => shown.includes(name))),
    evidence: [],
    slices: {},
    checks: []
  }) as unknown as BenchmarkItem
  for (const condition of conditions.filter(({ contentMode }) => contentMode !== 'oracle')) {
    for (const item of items) {
      const asked = requestFor(item, condition)
      if (asked !== requestFor(bare(item), condition)) t.fail(`${item.question} ${JSON.stringify(condition)}`)
      if (asked !== requestFor({ ...item, answerIndex: 1 - (item.answerIndex ?? 0) }, condition)) t.fail('the label shows')
    }
  }
})

t.test('closed-book gives neither text nor caption, and figures are said to be there or withheld', async t => {
  const item = items.find(({ kind }) => kind === 'vqa')!
  for (const prompt of ['standard', 'advanced', 'reasoning'] as const) {
    t.notMatch(requestFor(item, { contentMode: 'none', prompt }), /Hardness over temperature|argon|Heated alloys/)
    t.match(requestFor(item, { contentMode: 'none', prompt }), 'Figure 1 (attached).')
    t.match(requestFor(item, { figures: 'withheld', prompt }), 'Figure 1 (not shown): Hardness over temperature.')
  }
})

t.test('choices are permuted by seed and item, and the way back is kept', async t => {
  const item = itemsOf(document).find(({ kind }) => kind === 'choice')!
  t.strictSame(questionOf(item).choices, ['argon', 'helium', 'neon'])
  const orders = new Set([1, 2, 3, 4, 5, 6, 7, 8].map(permutationSeed => {
    const { choices, order } = questionOf(item, { permutationSeed })
    t.strictSame(order.map(index => item.choices![index]!.text), choices)
    return choices.join()
  }))
  t.ok(orders.size > 1)
  t.strictSame(questionOf(item, { permutationSeed: 3 }), questionOf(item, { permutationSeed: 3 }))
})

t.test('choices that speak of the ones above stay behind them; those that name one another keep every order', async t => {
  const seeds = Array.from({ length: 12 }, (_, seed) => seed)
  const lastOf = (choices: readonly string[]) => new Set(seeds.map(seed => choiceOrder(choices, `${seed}`).at(-1)))
  for (const last of ['All of the above', 'None of the above.', 'None of these', 'Both of these', '위의 보기 모두', '모두 정답', '정답 없음', '以上都是', 'Alle der oben genannten']) {
    t.strictSame([...lastOf(['argon', 'helium', 'neon', last])], [3], last)
    t.ok(new Set(seeds.map(seed => choiceOrder(['argon', 'helium', 'neon', last], `${seed}`).join())).size > 1, 'the others move')
  }
  for (const named of ['Both A and B', '①, ③', '1번과 2번', 'A, B and C']) {
    for (const seed of seeds) t.strictSame(choiceOrder(['argon', 'helium', named, 'neon'], `${seed}`), [0, 1, 2, 3], named)
  }
  t.strictSame(choiceOrder(['argon', 'All of the above', 'neon'], '5'), [0, 1, 2], 'one in the middle speaks of those before it')
  for (const plain of ['The paper does not say.', 'Both of the alloys', 'vitamin A', 'all samples']) {
    t.ok(lastOf(['argon', 'helium', 'neon', plain]).size > 1, plain)
  }
})
