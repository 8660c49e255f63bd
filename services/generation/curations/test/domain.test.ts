import t from 'tap'
import { recaptured } from '../../../../shared/stats/capture-recapture.ts'
import { rawBank } from '../../../../shared/testing/raw-bank.ts'
import { transcribed } from '../domain/formulas.ts'
import { paraphraseFault } from '../domain/paraphrase.ts'
import { chosenForRationales, termFaults } from '../domain/rationales.ts'
import { explicitText, regionalWords } from '../domain/region-pack.ts'
import { shuffledChoices } from '../domain/shuffle-choices.ts'
import { tagsOf } from '../domain/tag.ts'
import { loadRegionPacks } from '../packs.ts'

const bank = rawBank({ total: 40, seed: 5 }).items

t.test('what two searches missed is estimated as Chapman does', async t => {
  const found = recaptured({ first: 135, second: 95, both: 81 })
  t.match(found, { total: 136 * 96 / 82 - 1 })
  t.ok(found!.missedInterval[0] < found!.missed && found!.missed < found!.missedInterval[1])
  t.ok(Math.abs(found!.missed - (found!.total - 149)) < 1e-9)
  t.equal(recaptured({ first: 3, second: 4, both: 0 }), null)
  t.match(recaptured({ first: 5, second: 5, both: 5 }), { total: 5, missed: 0 })
  t.throws(() => recaptured({ first: 3, second: 4, both: 5 }), RangeError)
})

t.test('formulas become LaTeX, and what is none stays', async t => {
  t.equal(transcribed('Speed in m s⁻¹?'), 'Speed in m $s^{-1}$?')
  t.equal(transcribed('CO<sub>2</sub> rises.'), '$CO_{2}$ rises.')
  t.equal(transcribed('Is p = ρRT?'), 'Is $p = \\rho RT$?')
  t.equal(transcribed('T₁ > T₂ 인 경우는?'), '$T_{1} > T_{2}$ 인 경우는?')
  t.equal(transcribed('At 850 hPa, is fog-free air dry (or not)?'), null)
  t.equal(transcribed('$p = \\rho RT$ with σ'), null)
})

t.test('words of a region are found whole, with their particles, and deictic ones become names', async t => {
  const packs = await loadRegionPacks()
  const { pack: korea } = packs.get('korea')!
  const { pack: spain } = packs.get('spain')!
  const words = (text: string, pack = korea) => regionalWords(text, pack).map(({ kind, word }) => `${kind} ${word}`)
  t.same(words('우리나라의 영동에서 장마는?'), ['deictic 우리나라', 'places 영동', 'seasons 장마'])
  t.same(words('기온이 상승하지 않는 층은?'), [])
  t.same(words('¿Dónde sopla el cierzo?', spain), ['winds cierzo', 'nonTransferring cierzo'])
  t.same(words('Los levantes', spain), [], 'part of another word')
  t.equal(explicitText('우리나라 중부지방과 대한민국 남부지방', korea), '대한민국 중부지방과 대한민국 남부지방')
  t.equal(explicitText('Nuestro país tiene costa.', spain), 'España tiene costa.')
  t.equal(explicitText('구름은?', korea), null)
})

t.test('a paraphrase keeps terms, numbers, units, denials and directions', async t => {
  const fault = (original: string, question: string, terms: string[] = []) => paraphraseFault({ question: original, choices: [{ text: 'a long answer' }] }, question, terms)
  const asked = 'Which sensor does not report the highest RH below 500 hPa?'
  t.equal(fault(asked, 'Below 500 hPa, which sensor does not give the highest RH?'), undefined)
  t.match(fault(asked, 'Below 500 hPa, which sensor gives the highest RH?'), /denies/)
  t.match(fault(asked, 'Below 500 hPa, which sensor does not give the lowest RH?'), /something else/)
  t.match(fault(asked, 'Below 500 Pa, which sensor does not give the highest RH?'), /units/)
  t.match(fault(asked, 'Below 500 hPa, which sensor does not give the highest humidity?'), /RH/)
  t.match(fault(asked, 'Below 500 hPa, which device does not give the highest RH?', ['sensor']), /sensor/)
  t.match(fault(asked, asked), /same words/)
  t.match(fault(asked, 'Below 500 hPa, which sensor does not give the highest RH, a long answer?'), /choice/)
})

t.test('rationales are spread over strata, and terms are held to the base', async t => {
  const entries = bank.map(item => ({ rootId: item.id, item }))
  const chosen = chosenForRationales(entries, { count: 10, stratifyBy: ['part'] }, 1)
  t.equal(chosen.length, 10)
  for (const part of ['1', '2', '3', '4', '5']) t.equal(chosen.filter(({ item }) => item.slices['part'] === part).length, 2)
  t.equal(chosenForRationales(entries, { stratifyBy: [] }, 1).length, 40)
  const terms = [{ wrong: '비열용량', right: '비열' }, { wrong: '열용량', right: '비열용량의 값' }]
  t.equal(termFaults('물의 비열용량은 크다', terms.slice(0, 1)).length, 1)
  t.equal(termFaults('물의 비열은 크다', terms).length, 0)
})

t.test('tags are what words and images tell', async t => {
  const of = (question: string, more: object = {}) => tagsOf({ ...bank[0]!, question, choices: [{ text: '10' }, { text: '20' }], ...more }, {
    dimensions: ['modality', 'figureType', 'skill', 'difficulty', 'subdomain'], subdomains: [{ name: 'dynamics', words: ['vorticity'] }, { name: 'physics', words: ['cloud'] }]
  })
  t.same(of('What is fog?'), { modality: 'text', skill: 'recall', difficulty: 'easy' })
  const images = [{ imageId: 'a'.repeat(64) }]
  t.match(of('Which front does the weather map show?', { images }), { modality: 'image', figureType: 'weather-map', skill: 'chart-reading' })
  t.match(of('Calculate the vorticity at 10 m/s.'), { skill: 'calculation', subdomain: 'dynamics' })
  t.match(of('Times', { images: [...images, ...images].map(image => ({ ...image, time: '09' })) }), { modality: 'image-sequence' })
})

t.test('choices stay as written where another wording, the question or the rationale names them by their place', async t => {
  const item = { ...bank.find(({ kind }) => kind === 'choice')!, question: '무엇인가?', choices: ['비', '눈', '우박', '안개'].map(text => ({ text })), answerIndex: 2 }
  delete item.rationale
  delete item.explicitWording
  const seeds = Array.from({ length: 20 }, (_, seed) => seed)
  const isMoved = (more: object) => seeds.some(seed => shuffledChoices({ ...item, ...more }, seed) !== null)
  t.ok(isMoved({}))
  t.ok(isMoved({ rationale: '정체전선이 머물러 비가 10 mm 온다.' }))
  t.notOk(isMoved({ rationale: '정답은 ③이다.' }))
  t.notOk(isMoved({ question: '①~④ 중 무엇인가?' }))
  t.notOk(isMoved({ explicitWording: { question: '무엇인가?', choices: ['비', '눈', '우박', '①과 ②'] } }))
})
