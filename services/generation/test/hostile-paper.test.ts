import t from 'tap'
import type { Document } from '../../../shared/contracts/document.ts'
import { paperLanguage } from '../../../shared/text/language.ts'
import { startOf } from '../../../shared/text/start-of.ts'
import { briefOf, briefsOf } from '../domain/model/brief.ts'
import { judgeDescriptive } from '../domain/model/descriptive.ts'
import { materialOf } from '../domain/model/material.ts'
import { namesIn } from '../domain/names.ts'
import { resolveRecipe, type ModelRecipe } from '../domain/recipe.ts'
import type { Material } from '../domain/model/writer.ts'
import { smallDocument } from './fixtures/document.ts'

const small = smallDocument('1')
const recipe = resolveRecipe({ strategy: 'model', model: 'm', kinds: ['qa'], pairsPerFigureMax: 3, seed: 1 }) as ModelRecipe
const [, results] = small.sections
const section = { aspect: 'section', id: 's2' } as const

function materialFrom (changes: Partial<Document>) {
  return materialOf({ ...small, ...changes }, { recipe, vision: true })
}

function withTexts (...texts: string[]) {
  const paragraphs = texts.map((text, i) => ({ ...results!.paragraphs[0]!, id: `p${i}`, text }))
  return materialFrom({ sections: [{ ...results!, paragraphs }] })
}

t.test('one word as long as a paper takes no longer than many', { timeout: 20_000 }, async t => {
  for (const word of ['x', '1', 'X1', '가']) t.same(namesIn(word.repeat(200_000)).filter(({ text }) => text.includes('-')), [])
  t.same(namesIn('LiFePO4/C and SEB-3 by the-way').map(({ text }) => text), ['LiFePO4/C', 'SEB-3'])
})

t.test('text without spaces between words is cut, and not left out whole', async t => {
  const abstract = { text: '雾天道路上的传感器会失去探测距离，这是一个问题。'.repeat(200), page: 1 }
  const brief = briefOf(section, materialFrom({ abstract }), { tokens: 2000 })
  t.match(brief.abstract, /^雾天道路/)
  t.match(brief.leftOut, [/characters of abstract$/])
})

t.test('a title longer than any is cut and said to be; what has no words is not left out', async t => {
  const { title, leftOut } = briefOf(section, materialFrom({ title: 'A lamp. '.repeat(100_000) }), { tokens: 1000 })
  t.ok(Buffer.byteLength(title) <= 600)
  t.match(leftOut, [/characters of title$/])
  const [figure] = small.figures
  t.same(briefOf({ aspect: 'figure', id: 'f1' }, materialFrom({ figures: [{ ...figure!, label: '', caption: '' }] }), { tokens: 4000 }).leftOut, [])
})

t.test('no part of a section is a heading alone', async t => {
  const parts = briefsOf(section, withTexts('The lamp measures fog. '.repeat(1000).trim(), 'The lens is new.'), { room: { tokens: 900 }, partsMax: 6 })
  t.equal(parts.length, 2)
  t.match(parts[0]?.text, /^2 results\n\nThe lamp/)
  t.match(parts[0]?.leftOut, [/characters of paragraph p0$/])
  t.equal(parts[1]?.text, 'The lens is new.')
})

t.test('the start of a text has no half of a character', async t => {
  t.equal(startOf('𝛼𝛽𝛾', 2), '𝛼𝛽')
  t.equal(startOf('a𝛼𝛽', 2), 'a𝛼')
  t.equal(startOf('a\uD835', 5), 'a\uFFFD')
})

t.test('a paper may name its language as it likes; a recipe names one that there is', async t => {
  const of = (language: string) => paperLanguage({ ...small, language })
  t.same(['en', 'EN_us', 'ko-KR', 'und', 'english', 'x', ''].map(of), ['en', 'en', 'ko', 'en', 'en', 'en', 'en'])
  const asked = { strategy: 'model', model: 'm', kinds: ['vqa'], pairsPerFigureMax: 3, seed: 1, language: 'qqq' } as const
  t.throws(() => resolveRecipe({ ...asked, kinds: ['vqa'] }), { message: /No language has the code/ })
  const idsOf = (...kinds: Array<'qa' | 'binary'>) => resolveRecipe({ strategy: 'extractive', kinds, pairsPerFigureMax: 3, seed: 1 })
  t.same(idsOf('qa', 'binary'), idsOf('binary', 'qa'), 'kinds are a set')
})

t.test('an answer in another language than the paper shares its numbers, units and names with the quotes', async t => {
  const { document } = withTexts('The new lamp NX reached 450 lm at 3 V in thick fog.', 'The old lamp failed.')
  const material = materialOf(document, { recipe: { ...recipe, language: 'ko' }, vision: true })
  const judged = (answer: string) => judgeDescriptive(
    { question: '이 절의 내용을 요약하시오', answer, quotes: ['The new lamp NX reached 450 lm at 3 V'] }, { place: section, material, ask: {} } as never)
  t.match(judged('새 램프 NX의 밝기는 3 V에서 450 lm에 이르렀다.'), { items: [{ evidence: [{ target: { id: 'p0' } }], checks: [{}, { name: 'values-quoted', passed: true }] }] })
  for (const wrong of ['새 램프 NX의 밝기는 3 V에서 540 lm에 이르렀다.', '새 램프 NX의 밝기는 3 V에서 450 W에 이르렀다.', '새 램프 QX의 밝기는 3 V에서 450 lm에 이르렀다.']) {
    t.match(judged(wrong), { reason: 'value-not-quoted' }, wrong)
  }
})

t.test('what is said of a section rests on that section', async t => {
  const { document } = withTexts('The new lamp reached 450 lm at 3 V in thick fog.', 'The old lamp failed.')
  const [first] = document.sections
  const other = { ...first!, id: 's9', paragraphs: [{ ...first!.paragraphs[0]!, id: 'q0', text: 'A mirror near the road collected dust for a year.' }] }
  const both = materialOf({ ...document, sections: [first!, other] }, { recipe, vision: true })
  const judged = (of: Material, quote: string) => judgeDescriptive(
    { question: 'Summarize the contents of this section', answer: `${quote}.`, quotes: [quote] }, { place: section, material: of, ask: {} } as never)
  t.match(judged(both, 'The new lamp reached 450 lm at 3 V'), { items: [{}] })
  t.match(judged(both, 'A mirror near the road collected dust'), { reason: 'not-about-the-place' })
})
