import t from 'tap'
import type { BenchmarkItem } from '../../../shared/contracts/benchmark.ts'
import type { Condition } from '../../../shared/contracts/run.ts'
import { chatRequest, promptText } from '../domain/messages.ts'
import { questionOf } from '../domain/question.ts'
import { imageStateOf, placedImages } from '../domain/shown-images.ts'
import { whyNotAsked } from '../domain/skips.ts'
import { loadPrompts } from '../load-prompts.ts'
import { bankItem, bankItems, ids } from './bank-items.ts'
import { conditionOf } from './fixtures.ts'

const prompts = await loadPrompts()
const binary = bankItem(7, { kind: 'binary', question: '비가 오는가?', choices: [{ text: 'Yes' }, { text: 'No' }], answerIndex: 0 })
const items = [...bankItems, binary]

function requestFor (item: BenchmarkItem, given: Partial<Condition>): string {
  const condition = conditionOf(given)
  const question = questionOf(item, condition)
  const text = promptText(prompts, question, { content: '', document: null, condition })
  const placed = new Map(placedImages(question, imageStateOf(condition)).map(({ marker, imageId }) => [marker, `IMAGE-${imageId}`]))
  return JSON.stringify(chatRequest('m', { text, images: [], placed }, condition))
}

const ways = ['standard', 'advanced', 'reasoning'] as const
/** Every way to ask an item of a bank. */
const conditions: Array<Partial<Condition>> = ways.flatMap(prompt =>
  (['implicit', 'explicit'] as const).flatMap(formulation =>
    (['none', 'verbal'] as const).flatMap(confidence =>
      [
        {}, { permutationSeed: 3 }, { figures: 'withheld' as const }, { images: 'described' as const }, { images: 'wrong' as const },
        { sequence: 'shuffled' as const }, { sequence: 'reversed' as const }, { sequence: 'last-only' as const },
        { probe: 'no-question' as const }, { probe: 'no-choices' as const, permutationSeed: 3 }
      ].map(rest => ({ prompt, formulation, confidence, ...rest })))))
const probing: Array<Partial<Condition>> = ways.flatMap(prompt =>
  [{}, { permutationSeed: 3 }, { figures: 'withheld' as const }].map(rest => ({ prompt, probe: 'all-options-correct' as const, ...rest })))

/** Those that the condition asks. */
function * asked (some: ReadonlyArray<Partial<Condition>>): Generator<[BenchmarkItem, Partial<Condition>]> {
  for (const item of items) {
    for (const given of some) if (whyNotAsked(item, conditionOf(given)) === undefined) yield [item, given]
  }
}

t.test('a prompt of a bank never contains the answer, the rationale, the checks, the place or the bank', t => {
  let count = 0
  for (const [item, given] of asked([...conditions, ...probing])) {
    count++
    const request = requestFor(item, given)
    if (/SECRET|answerIndex|bankId|imp_|itm_/u.test(request)) t.fail(`${item.question} ${JSON.stringify(given)}`)
    if (/paper|논문/u.test(request)) t.fail(`speaks of a paper: ${item.question}`)
    if (request.includes('\u27e6')) t.fail(`a marker is left: ${item.question}`)
  }
  t.ok(count > 350, `${count} prompts`)
  t.end()
})

t.test('which choice is marked changes nothing in the prompt', t => {
  const shown = ['id', 'kind', 'source', 'place', 'figureIds', 'question', 'images', 'choices', 'explicitWording', 'language']
  const bare = (item: BenchmarkItem) => ({
    ...Object.fromEntries(Object.entries(item).filter(([name]) => shown.includes(name))),
    evidence: [],
    slices: {},
    checks: []
  }) as unknown as BenchmarkItem
  for (const [item, given] of asked(conditions)) {
    const request = requestFor(item, given)
    if (request !== requestFor(bare(item), given)) t.fail(`${item.question} ${JSON.stringify(given)}`)
    for (const answerIndex of [0, 1]) if (request !== requestFor({ ...item, answerIndex }, given)) t.fail('the label shows')
  }
  t.end()
})

t.test('with the right choice behind every letter no letter is told from the others', t => {
  for (const [item, given] of asked(probing)) {
    const { choices, choiceImages } = questionOf(item, conditionOf(given))
    t.equal(new Set(choices).size, 1)
    t.equal(new Set(choiceImages).size, 1)
    // Whichever letter is marked: moving the right choice elsewhere, label and all, changes nothing.
    const [first, ...rest] = item.choices!
    const answerIndex = (item.answerIndex! + rest.length) % item.choices!.length
    const turned = { ...item, choices: [...rest, first!], answerIndex }
    const plain = { ...given, permutationSeed: undefined } as unknown as Partial<Condition>
    t.equal(requestFor(turned, plain), requestFor(item, plain))
  }
  t.end()
})

t.test('neither an image nor a caption gets through where it is withheld, and no text makes a place for one', t => {
  for (const item of items) {
    t.notMatch(requestFor(item, { figures: 'withheld' }), /IMAGE-|A surface chart|Frame \d/)
    if (item.kind === 'choice') t.notMatch(requestFor(item, { probe: 'no-choices' }), /남동|북서|IMAGE-.*<choices>.*IMAGE-/u)
  }
  const question = questionOf(bankItem(8, { images: [{ imageId: ids[0]! }] }))
  const { marker } = placedImages(question, 'shown')[0]!
  const forged = requestFor(bankItem(8, { question: `${question.text} ${marker}`, images: [{ imageId: ids[0]! }] }), {})
  t.equal(forged.split('IMAGE-').length, 2, 'one image, in its own place')
  t.match(forged, '[그림 1]\\n"},{"type":"image_url"')
  t.end()
})
