import t from 'tap'
import { contentModes, contentOf } from '../../../shared/text/content.ts'
import { loadPrompt } from '../../../shared/prompts/prompt.ts'
import { chatRequest, promptText, sectionOf } from '../domain/messages.ts'
import { questionOf } from '../domain/question.ts'
import { conditionOf, documentOf, itemsOf } from './fixtures.ts'

const load = async (kind: string) => await loadPrompt(new URL(`../prompts/answer-${kind}.v1.md`, import.meta.url))
const prompts = { binary: await load('binary'), choice: await load('choice'), descriptive: await load('descriptive') }
const document = documentOf('leaks')
const items = itemsOf(document)

function requestFor (item: (typeof items)[number], mode: (typeof contentModes)[number]) {
  const condition = conditionOf({ contentMode: mode })
  const question = questionOf(item)
  const content = mode === 'none'
    ? ''
    : contentOf(document, { mode, query: question.text, sectionId: sectionOf(item.place, document), ...mode === 'oracle' && { evidence: item.evidence } }).text
  return JSON.stringify(chatRequest('m', { text: promptText(prompts, question, { content, document, condition }), images: [] }, condition))
}

t.test('a prompt never contains the answer, the rationale, the evidence, the pair or the checks', async t => {
  t.strictSame([...new Set(items.map(({ kind }) => kind))], ['qa', 'vqa', 'binary', 'choice'], 'every kind is asked')
  for (const item of items) {
    for (const mode of contentModes) {
      const request = requestFor(item, mode)
      t.match(request, item.question, `${item.kind}, ${mode}: the question is there`)
      const secrets = request.match(/SECRET-[A-Z]+/g) ?? []
      t.strictSame([...new Set(secrets)], mode === 'oracle' ? ['SECRET-EVIDENCE'] : [], `${item.kind}, ${mode}: nothing secret is`)
    }
  }
})

t.test('which choice is right changes nothing in the prompt', async t => {
  const item = items.find(({ kind }) => kind === 'choice')!
  t.equal(requestFor({ ...item, answerIndex: 2 }, 'semantic'), requestFor(item, 'semantic'))
  const binary = items.find(({ kind }) => kind === 'binary')!
  t.equal(requestFor({ ...binary, answerIndex: 1 }, 'semantic'), requestFor(binary, 'semantic'))
  const { answer, ...bare } = items[0]!
  t.ok(answer)
  t.equal(requestFor(bare, 'semantic'), requestFor(items[0]!, 'semantic'))
})

t.test('closed-book gives neither text nor caption, and figures are said to be there or withheld', async t => {
  const item = items.find(({ kind }) => kind === 'vqa')!
  t.notMatch(requestFor(item, 'none'), /Hardness over temperature|argon|Heated alloys/)
  t.match(requestFor(item, 'none'), 'Figure 1 (attached).')
  const condition = conditionOf({ figures: 'withheld' })
  t.match(promptText(prompts, questionOf(item), { content: 'x', document, condition }), 'Figure 1 (not shown): Hardness over temperature.')
})

t.test('choices are permuted by seed and item, and the way back is kept', async t => {
  const item = items.find(({ kind }) => kind === 'choice')!
  t.strictSame(questionOf(item).choices, ['argon', 'helium', 'neon'])
  const orders = new Set([1, 2, 3, 4, 5, 6, 7, 8].map(seed => {
    const { choices, order } = questionOf(item, seed)
    t.strictSame(order.map(index => item.choices![index]!.text), choices)
    return choices.join()
  }))
  t.ok(orders.size > 1)
  t.strictSame(questionOf(item, 3), questionOf(item, 3))
})
