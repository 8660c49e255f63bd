import t from 'tap'
import type { Item } from '../../../../shared/contracts/item.ts'
import { inOneGo } from '../../../../shared/text/in-one-go.ts'
import { rawBank, type Plant } from '../../../../shared/testing/raw-bank.ts'
import { englishWords, koreanWords } from '../../../../shared/testing/raw-bank-words.ts'
import { heldOutEnglish, heldOutKorean } from '../../../../shared/testing/held-out-bank-words.ts'
import { similarityRatio } from '../../../../shared/text/difflib.ts'
import { rankedTerms, sharesEnough } from '../domain/deduplicate/blocking.ts'
import { deduplicated, type DeduplicateOptions } from '../domain/deduplicate/deduplicate.ts'
import { comparedText, prepared, samenessOf, subjectOf } from '../domain/deduplicate/sameness.ts'
import { differenceOf, wordingOf } from '../domain/deduplicate/word-difference.ts'
import { areOpposite } from '../domain/deduplicate/word-lists.ts'
import { shuffledChoices } from '../domain/shuffle-choices.ts'

const usual: DeduplicateOptions = { ratioMin: 0.6, autojunk: false, compare: 'question-and-choices', keep: 'first' }
const found = (
  items: readonly Item[], options: Partial<DeduplicateOptions> = {}, kept?: ReadonlySet<string>
) => inOneGo(deduplicated(items.map(subjectOf), { ...usual, ...options }, kept))

const [model] = rawBank({ total: 1, seed: 1 }).items as [Item]
const item = (question: string, texts: readonly string[] = [], answerIndex = 0): Item => {
  const { choices, answerIndex: _, ...rest } = model
  return { ...rest, id: `itm_${question}${texts.join()}${answerIndex}`, question, ...texts.length > 0 && { choices: texts.map(text => ({ text })), answerIndex } }
}

t.test('in a raw bank of 2,500 copies go, and whatever turns a question stays for a person', async t => {
  const { items, planted } = rawBank({ total: 2500, seed: 7 })
  const { findings } = found(items)
  const byId = new Map(findings.map(finding => [finding.id, finding]))
  const of = (...wanted: Plant[]) => planted.filter(({ plant }) => wanted.includes(plant))
  const share = (part: readonly unknown[], whole: readonly unknown[]) => part.length / whole.length
  const action = (id: string) => byId.get(id)?.action
  const copies = of('copy', 'permuted', 'retyped')
  const repeats = of('copy', 'permuted', 'retyped', 'paraphrase')
  const turned = of('turned', 'swapped')
  const dropped = findings.filter(({ action }) => action === 'dropped')
  t.ok(copies.length > 200 && turned.length > 50 && of('miskeyed').length > 50)
  t.ok(share(dropped.filter(({ id }) => repeats.some(each => each.id === id)), dropped) >= 0.98, 'precision')
  t.ok(share(copies.filter(({ id }) => action(id) === 'dropped'), copies) >= 0.98, 'recall')
  t.ok(share(repeats.filter(({ id }) => action(id) !== undefined), repeats) >= 0.98, 'paraphrases go, or to a person')
  t.ok(share(repeats.filter(({ id }) => action(id) === 'dropped'), repeats) >= 0.8)
  t.same(turned.filter(({ id }) => action(id) === 'dropped'), [])
  t.same(of('miskeyed').filter(({ id }) => action(id) !== 'flagged'), [], 'of two keys a person says which is right')
  t.ok(share(turned.filter(({ id }) => action(id) === 'flagged'), turned) >= 0.98)
  for (const { id, of } of copies) t.same(byId.get(id)?.relatedIds, [of])
})

t.test('in a bank of words that the rules were not tuned on copies go too, and what is left over goes to a person', async t => {
  const { items, planted } = rawBank({ total: 1500, seed: 7, words: 'held-out' })
  const action = new Map(found(items).findings.map(finding => [finding.id, finding.action]))
  for (const { id, plant } of planted) {
    const wanted = ['copy', 'permuted', 'retyped'].includes(plant) ? /^dropped$/ : plant === 'paraphrase' ? /^(?:dropped|flagged)$/ : /^flagged$/
    if (!wanted.test(action.get(id) ?? '')) t.fail(`${plant}: ${items.find(each => each.id === id)!.question}`)
  }
  const known = new Set(planted.map(({ id }) => id))
  t.same([...action].filter(([id, what]) => what === 'dropped' && !known.has(id)), [], 'and nothing else')
})

t.test('a question turned by words of no list is never dropped, however it is worded otherwise', async t => {
  for (const { stems, swaps, turned, topics, subjects, predicates } of allWords) {
    const choices = subjects.slice(0, 4).map((subject, at) => `${subject} ${predicates[at]}`)
    const filled = (wording: string, setting: string) =>
      prepared(subjectOf(item(wording.replace('{t}', topics[0]!).replace('{c}', setting), choices)))
    for (const { wordings } of stems) {
      const [first, ...others] = wordings as [string, ...string[]]
      for (const [from, to] of swaps) for (const other of others) t.equal(samenessOf(filled(first, from), filled(other, to)).verdict, 'ask', other)
      for (const [from, to] of turned) {
        if (!first.includes(from)) continue
        for (const other of others) t.not(samenessOf(filled(first.replace(from, to), swaps[0]![0]), filled(other, swaps[0]![0])).verdict, 'same', `${to}: ${other}`)
      }
    }
  }
})

const allWords = [englishWords, koreanWords, heldOutEnglish, heldOutKorean]

t.test('what the bank swaps is in no list of the code', async t => {
  for (const [from, to] of [...englishWords.swaps, ...koreanWords.swaps]) {
    const [a, b] = [from.split(' '), to.split(' ')]
    t.notOk(a.some((word, at) => word !== b[at] && areOpposite(word, b[at] ?? '')), `${from}, ${to}`)
  }
})

t.test('blocking misses no pair that comparing each with each finds', async t => {
  for (const seed of [1, 2, 3]) {
    const made = rawBank({ total: 120, seed }).items
    // Few choices, some the same, and questions without any.
    const items = made.map((each, at) => at % 5 === 0 ? item(each.question, [], 0) : at % 7 === 0 ? item(each.question, ['It rises', 'It falls', 'It rises'], at % 3) : each)
      .map((each, at) => ({ ...each, id: `${each.id}-${at}` }))
    const subjects = items.map(subjectOf)
    const ready = subjects.map(prepared)
    const texts = subjects.map(subject => comparedText(subject, 'question-and-choices'))
    const terms = rankedTerms(texts)
    const gone = new Set<number>()
    const wanted: string[] = []
    for (const [later, b] of ready.entries()) {
      const alike = ready.slice(0, later).flatMap((a, earlier) => {
        if (gone.has(earlier) || !sharesEnough(terms[earlier]!, terms[later]!)) return []
        const { verdict } = samenessOf(a, b)
        const isAlike = verdict !== 'apart' && similarityRatio(texts[earlier]!, texts[later]!, { autojunk: false }) >= 0.6
        return isAlike ? [{ verdict, id: a.subject.id }] : []
      })
      const same = alike.find(({ verdict }) => verdict === 'same')
      if (same !== undefined) gone.add(later)
      if (alike.length > 0) wanted.push(`${b.subject.id} ${same === undefined ? `flagged ${alike.slice(0, 10).map(({ id }) => id).join()}` : `dropped ${same.id}`}`)
    }
    t.same(found(items).findings.map(({ id, action, relatedIds }) => `${id} ${action} ${relatedIds.join()}`), wanted)
    t.ok(wanted.length > 10)
  }
})

t.test('each way to turn a question is seen, and what changes nothing is not', async t => {
  const difference = (a: string, b: string) => {
    const found = differenceOf(wordingOf(a), wordingOf(b))
    return found.kind === 'turned' ? found.reason : found.kind
  }
  t.equal(difference('Which layer is the highest?', 'Which layer is the lowest?'), 'opposite')
  t.equal(difference('Is saturated air lighter?', 'Is unsaturated air lighter?'), 'opposite')
  t.equal(difference('포화 공기의 감률은?', '불포화 공기의 감률은?'), 'opposite')
  t.equal(difference('기온이 가장 높은 층은?', '기온이 가장 낮은 층은?'), 'opposite')
  t.equal(difference('옳은 것은?', '옳지 않은 것은?'), 'negation-differs')
  t.equal(difference('구름이 생기는 경우는?', '구름이 생기지 못하는 경우는?'), 'negation-differs')
  t.equal(difference('Which is true of fog?', 'Which is not true of fog?'), 'negation-differs')
  t.equal(difference('고도 500 m에서 기온은?', '고도 500 km에서 기온은?'), 'unit-differs')
  t.equal(difference('What is 20 °C in kelvin?', 'What is 30 °C in kelvin?'), 'number-differs')
  t.equal(difference('When is T > Td?', 'When is T < Td?'), 'sign-differs')
  t.equal(difference('Why does warm air rise over cold air?', 'Why does cold air rise over warm air?'), 'opposite')
  t.equal(difference('When does the mist exceed the haze?', 'When does the haze exceed the mist?'), 'roles-swapped')
  t.equal(difference('해수면이 지표를 데우는 때는?', '해수면을 지표가 데우는 때는?'), 'roles-swapped')
  t.equal(difference('Which gauge measures rime?', 'Which gauge measures hail?'), 'reworded')
  t.equal(difference('다음 중 기온 감률로 옳은 것은?', '기온 감률로 맞는 것을 고르시오.'), 'same')
  t.equal(difference('옳지 않은 것은?', '틀린 것은?'), 'same')
  t.equal(difference('여름에 한라산에서 부는 바람은?', '한라산에서 여름에 부는 바람은?'), 'same')
  t.equal(difference('In dense fog, which lamp is seen?', 'Which lamp is seen in dense fog?'), 'same')
  t.equal(difference('How does fog scatter the light at sea?', 'How is the light scattered by fog at sea?'), 'same')
  t.equal(difference('How does fog scatter the light at sea?', 'How is fog scattered by the light at sea?'), 'roles-swapped')
  t.equal(difference('How does fog influence the lamp?', 'Which influence does fog have on the lamp?'), 'same')
  t.equal(difference('How does fog influence the lamp?', 'Which influence does the lamp have on fog?'), 'roles-swapped')
  t.equal(difference('Select the colour by which fog is known.', 'By which colour is fog known?'), 'same')
  t.equal(difference('What is the ratio of fog to mist?', 'What is the ratio of mist to fog?'), 'roles-swapped')
  t.equal(difference('What is the main reason that fog forms?', 'Why, above all, does fog form?'), 'same')
  t.equal(difference('난류 혼합이 해안에서 주는 영향으로 옳은 것은?', '해안에서 난류 혼합이 주는 영향을 바르게 말한 것은?'), 'same')
  t.equal(difference('여름 기온이 겨울 기온보다 낮은 곳은?', '겨울 기온이 여름 기온보다 낮은 곳은?'), 'roles-swapped')
  t.equal(difference('해안 기온이 산지 기온보다 높은 때는?', '산지 기온이 해안 기온보다 높은 때는?'), 'roles-swapped')
  t.equal(difference('3. Which lamp is seen ?', 'Ｗｈｉｃｈ  lamp is seen?'), 'same')
})

t.test('ratio, order and switches are as asked', async t => {
  const choices = ['a grey cloud of ice', 'a white cloud of drops', 'a front of dust', 'a line of storms']
  const [first, second, third] = [item('Which of these brings hail?', choices, 3), item('Which of these brings hail?', choices.toReversed(), 0), item('Which of these brings hail? ', choices, 3)]
  t.match(found([first, second, third]).findings, [{ id: second.id, reason: 'choices-permuted', relatedIds: [first.id] }, { id: third.id, reason: 'copy' }])
  t.match(found([first, second, third], { keep: 'last' }).findings, [{ id: second.id, relatedIds: [third.id] }, { id: first.id, relatedIds: [third.id] }])
  t.same(found([first, second], {}, new Set([second.id])).findings, [], 'what is excepted stays')
  const [a, b] = [item('tide'), item('diet')]
  t.equal(similarityRatio('tide', 'diet'), 0.25)
  t.same(found([a, b], { ratioMin: 0.3 }).findings, [])
  const long = 'the gust front passes the station at noon and the gust front leaves it '.repeat(4)
  const [c, d] = [item(long), item(`then ${long}`)]
  t.equal(found([c, d]).findings.length, 1)
  t.ok(similarityRatio(c.question, d.question) < 0.6, 'autojunk leaves little of a long text')
  t.equal(found([c, d], { autojunk: true }).findings.length, 0)
})

t.test('choices are shuffled with the answer, and what speaks of those above stays last', async t => {
  const choices = ['fog', 'rain', 'snow', 'All of the above']
  const orders = new Set<string>()
  for (let seed = 0; seed < 40; seed++) {
    const changes = shuffledChoices({ ...item('Which falls?', choices, 1), explicitWording: { question: 'Which falls here?', choices: ['FOG', 'RAIN', 'SNOW', 'ALL'] } }, seed)
    if (changes === null) continue
    const texts = changes.choices!.map(({ text }) => text)
    orders.add(texts.join())
    t.equal(texts[changes.answerIndex!], 'rain')
    t.equal(texts[3], 'All of the above')
    t.same(changes.explicitWording?.choices, texts.map(text => text === 'All of the above' ? 'ALL' : text.toUpperCase()))
  }
  t.equal(orders.size, 5, 'all orders but the one that is written')
  t.equal(shuffledChoices(item('Which?', ['fog', 'rain', 'Both A and B']), 1), null)
})
