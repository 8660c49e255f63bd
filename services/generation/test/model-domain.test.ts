import t from 'tap'
import type { Recipe } from '../../../shared/contracts/generation.ts'
import { languageFault, questionLanguageFault } from '../../../shared/text/language.ts'
import { unconcluded } from '../../../shared/text/answer-style.ts'
import { briefOf, briefsOf } from '../domain/model/brief.ts'
import { answerChecks } from '../domain/model/answer-checks.ts'
import { materialOf } from '../domain/model/material.ts'
import { imageTokens, roomOf } from '../domain/model/room.ts'
import { piecesAround, targetOf } from '../domain/model/surroundings.ts'
import type { ModelRecipe } from '../domain/recipe.ts'
import { resolveRecipe } from '../domain/recipe.ts'
import { groundSurely } from '../domain/model/sure-quotes.ts'
import { smallDocument } from './fixtures/document.ts'

const document = smallDocument('1')
const recipe = resolveRecipe({ strategy: 'model', model: 'm', kinds: ['qa'], pairsPerFigureMax: 3, seed: 1 }) as ModelRecipe
const material = (changes: Partial<ModelRecipe> = {}) =>
  materialOf(document, { recipe: { ...recipe, ...changes }, vision: true })

t.test('a brief has the abstract and the place whatever its room, and names what it leaves out', async t => {
  const place = { aspect: 'figure', id: 'f1' } as const
  const whole = briefOf(place, material(), { tokens: 4000 })
  t.match(whole, { abstract: /^Fog on roads/, target: /^Figure 1: Range of the sensor in fog/ })
  t.same(whole.leftOut, [])
  t.ok(whole.text.indexOf('As shown in Figure 1') < whole.text.indexOf('error of the lamp'), 'what mentions the figure comes first')
  const short = briefOf(place, material(), { tokens: 220 })
  t.match(short, { abstract: /^Fog on roads/, target: /^Figure 1: Range/ })
  t.ok(Buffer.byteLength(short.abstract + short.target + short.text) <= 880)
  t.ok(short.leftOut.length > 0)
  for (const contentMode of ['full', 'semantic'] as const) {
    const { text } = briefOf(place, material({ contentMode }), { tokens: 4000 })
    t.equal(text.split('sensors lose range in it').length - 1, contentMode === 'full' ? 0 : 1, 'the abstract is not told twice')
    t.match(text, contentMode === 'full' ? 'A lamp that measures fog' : 'Problem\n- Fog')
  }
  t.match(briefOf({ aspect: 'abstract', id: 'abstract' }, material(), { tokens: 400 }).text, 'No further text')
})

t.test('parts of a section are its paragraphs in order, each once', async t => {
  const parts = briefsOf({ aspect: 'section', id: 's2' }, material(), { room: { tokens: 180 }, partsMax: 9 })
  t.ok(parts.length > 1)
  const text = parts.map(({ text }) => text).join('\n\n')
  for (const { text: own } of document.sections[1]!.paragraphs) t.ok(text.includes(own.slice(0, 40)))
})

t.test('each kind of place has its own words and what stands around them', async t => {
  const equation = { id: 'e1', number: '(1)', page: 1, box: [0, 0, 1, 1], text: 'a = b' }
  const [first, second] = document.sections
  const naming = { ...second!, paragraphs: [{ ...second!.paragraphs[0]!, id: 'x', text: 'By Eq. (1) the range falls.' }, ...second!.paragraphs] }
  const other = { ...document, equations: [equation], sections: [first!, naming] }
  t.equal(targetOf(other, { aspect: 'equation', id: 'e1' }), '(1) a = b')
  t.same(piecesAround(other, { aspect: 'equation', id: 'e1' })[1]?.id, 'x')
  t.match(targetOf(document, { aspect: 'table', id: 't1' }), 'Table 1: Range of the sensor in dense fog.\nfog | range of the sensor\ndense | 40 m')
})

t.test('a large figure is made smaller before the text is', async t => {
  const [figure] = document.figures
  const large = { ...figure!, width: 3000, height: 3000 }
  const prompt = { template: 'x'.repeat(2000) }
  const wide = roomOf({ ...recipe, contextTokens: 32_768 }, prompt, [large])
  const narrow = roomOf({ ...recipe, contextTokens: 4096 }, prompt, [large])
  t.equal(wide.sideMax, 1536)
  t.ok(narrow.sideMax < 1536 && narrow.tokens >= 1200)
  t.equal(imageTokens({ width: 56, height: 28 }, 1536), 2)
})

t.test('an answer is held to each rule', async t => {
  const answer = (text: string, language = 'en', charsMax = 500) => {
    const found = answerChecks({ question: 'What is the main research problem or objective addressed in this paper?', answer: text, evidence: [], language, charsMax })
    return Array.isArray(found) ? 'fine' : found.reason
  }
  t.equal(answer('Sensors lose range in fog, which endangers drivers at night.'), 'fine')
  t.equal(answer('Fog.'), 'length')
  t.equal(answer(`Sensors lose range in fog ${'and again '.repeat(60)}.`), 'length')
  t.equal(answer('This section describes sensors that lose range in fog.'), 'meta-phrase')
  t.equal(answer('Sensors are likely to be weaker in dense fog at night.'), 'hedged')
  t.equal(answer('The main research problem or objective addressed in this paper is fog on roads.'), 'question-repeated')
  t.equal(answer('Sensors lose range in fog for the following reasons:'), 'ends-in-colon')
  t.equal(answer('Sensors lose range in various aspects of dense fog.'), 'vague')
  t.equal(answer('Sensors lose range in fog. Lamps help sensors. Additionally, snow lies on roads.'), 'no-conclusion')
  t.equal(answer('Sensors lose range in fog. 이 램프는 안개를 측정하여 그 거리를 알려 준다.'), 'language')
  t.equal(answer('이 램프는 안개 속에서 LED 센서의 측정 거리를 80 m에서 52 m로 개선한다.', 'ko'), 'fine')
  t.equal(answer('The lamp measures the fog with a sensor that is on the road.', 'ko'), 'language')
  t.equal(answer('이 절에서는 안개를 측정하는 램프를 설명하고 그 결과를 보여 준다.', 'ko'), 'meta-phrase')
})

t.test('a conclusion takes up what was said, and is asked of longer answers only', async t => {
  t.equal(unconcluded('The lamp finds fog.'), undefined)
  t.equal(unconcluded('The lamp finds fog. It costs little. The lamp therefore makes fog measurable on every road.'), undefined)
  t.match(unconcluded('The lamp finds fog. It costs little. Bananas grow elsewhere.'), /takes up nothing/)
  t.match(unconcluded('The lamp finds fog and'), /whole statement/)
})

t.test('a language is told from its script and its small words; terms are of no language', async t => {
  t.equal(languageFault('BERT-base outperforms GPT-2 on GLUE.', 'en'), undefined)
  t.equal(languageFault('BERT 모델은 GLUE 벤치마크에서 GPT-2보다 높은 정확도를 보였다.', 'ko'), undefined)
  t.match(languageFault('BERT 모델은 정확하다. The accuracy of the model is higher than that of the baseline.', 'ko'), /another language \(en\)|Less than/)
  t.match(languageFault('Die Lampe misst den Nebel und die Straße ist mit Licht versorgt.', 'en'), /another language \(de\)/)
  t.equal(languageFault('Die Lampe misst den Nebel und die Straße ist mit Licht versorgt.', 'de'), undefined)
  t.equal(languageFault('', 'ko'), undefined)
})

t.test('at most so many pairs a figure is also said to a model', async t => {
  const pairs = (changes: object) => {
    const { counts } = resolveRecipe({ strategy: 'model', model: 'm', seed: 1, ...changes }) as ModelRecipe
    return counts.pairsPerFigure
  }
  t.same([pairs({}), pairs({ pairsPerFigureMax: 1 }), pairs({ pairsPerFigureMax: 9 })], [2, 1, 2])
  const counts = { pairsPerFigure: 5 }
  t.same([pairs({ counts }), pairs({ counts, pairsPerFigureMax: 0 })], [5, 0])
})

t.test('a question is of the language wanted in its own words, whatever it quotes', async t => {
  const cases: Array<[string, string, RegExp | undefined]> = [
    ['What payroll was found where “투표 과정은 블록체인에 기록되고 모든 참여자가 확인한다” holds?', 'ko', /ko.*found: en/],
    ['Regarding Figure 1, does the paper report that 투표 과정은 블록체인에 기록되고 확인된다?', 'ko', /language en; ko is wanted/],
    ['논문은 “투표 과정은 블록체인에 기록된다”고 하는데, 급여는 얼마인가?', 'ko', undefined],
    ['“State of the Art”라는 절에서 BERT 모델의 정확도는 얼마인가?', 'ko', undefined],
    ['What payroll was found where “les lampes mesurent le brouillard dans la nuit” holds?', 'fr', /en; fr is wanted/],
    ['Quelle portée la lampe atteint-elle?', 'fr', undefined],
    ['Quelle portée “the lamp of the road is in the fog” atteint-elle?', 'en', /fr; en is wanted/],
    ['Which share of the nights has fog?', 'en', undefined],
    ['Was zeigt “the lamp”?', 'de', undefined],
    ['Is the lamp brighter?', 'en', undefined]
  ]
  for (const [question, language, fault] of cases) {
    if (fault === undefined) t.equal(questionLanguageFault(question, language), undefined, question)
    else t.match(questionLanguageFault(question, language), fault, question)
  }
})

t.test('a recipe that could not be carried out is refused at once', async t => {
  const asked = { strategy: 'model', model: 'm', kinds: ['qa'], pairsPerFigureMax: 3, seed: 1 } as const
  const faulty: Array<[Partial<Recipe>, string]> = [
    [{ review: { strategy: 'model' } }, '/recipe/review/model'],
    [{ review: { strategy: 'mechanical', maxRounds: 2 } }, '/recipe/review/maxRounds'],
    [{ release: 'spring' }, '/recipe/release'],
    [{ strategy: 'extractive', kinds: ['qa'] }, '/recipe/model'],
    [{ strategy: 'tables' }, '/recipe/model']
  ]
  for (const [change, pointer] of faulty) {
    t.throws(() => resolveRecipe({ ...asked, kinds: ['choice'], ...change }), { kind: 'invalid-request', errors: [{ pointer }] }, pointer)
  }
})

t.test('a quote or an answer whose power of ten lost its exponent is turned down, others stay', async t => {
  const plain = smallDocument('1')
  const said = 'The lamp sees 1.5 × 108 drops of fog on wet roads.'
  const spoilt = {
    ...plain,
    sections: plain.sections.map(section => ({
      ...section, paragraphs: section.paragraphs.map((one, i) => i === 0 ? { ...one, text: `${said} ${one.text}` } : one)
    }))
  }
  const { evidence, source } = materialOf(spoilt, { recipe, vision: false })
  const sound = source.sentences.find(({ text }) => /error of the lamp/u.test(text))?.text ?? ''
  const found = groundSurely(evidence, { question: 'How many drops of fog does the lamp see, and with which error?', answer: `${said} ${sound}`, quotes: [said, sound] })
  t.same(found.evidence.map(({ quote }) => quote), [sound])
  t.match(found.faults, [{ reason: 'exponent-uncertain', quote: said }])
  t.match(answerChecks({ question: 'How many drops are there?', answer: said, evidence: [], language: 'en', charsMax: 500 }), { reason: 'exponent-uncertain' })
})
