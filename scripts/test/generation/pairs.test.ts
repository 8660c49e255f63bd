import t from 'tap'
import type { Item } from '../../../shared/contracts/item.ts'
import { checkUnit, settleUnit } from '../../../services/reviewing/domain/check-unit.ts'
import { pairWriter } from '../../../services/generation/domain/model/binary.ts'
import { falseFormOf, falseForms, formsAsked, formsAt, formSharesMax, trueFormOf, trueForms } from '../../../services/generation/domain/model/pair-forms.ts'
import type { Judged, Material } from '../../../services/generation/domain/model/writer.ts'
import { resolveRecipe, type ModelRecipe } from '../../../services/generation/domain/recipe.ts'
import { materialOf as materialOfPaper } from '../../../services/generation/domain/model/material.ts'
import { smallDocument } from '../../../services/generation/test/fixtures/document.ts'
import { givenModel } from './given-model.ts'

const document = smallDocument('1')

function materialOf (language = 'en', of = document): Material {
  const recipe = resolveRecipe({ strategy: 'model', model: 'writer', kinds: ['binary'], pairsPerFigureMax: 3, seed: 1 }) as ModelRecipe
  return materialOfPaper(of, { recipe: { ...recipe, language }, vision: true })
}

const range = 'The lamp with a lens reached a range of 52 m in clear air (Figure 1).'
const fallen = 'As shown in Figure 1, the range of the sensor decreased from 80 m to 35 m when the fog became dense.'

function judged (draft: { yes: string, no: string, quotes: string[] }, figure = 'f1'): Judged {
  const ask = { values: {}, count: 2, figureIds: [], leftOut: [], slices: { aspect: 'figure' } }
  return pairWriter.judge(draft as never, { place: { aspect: 'figure', id: figure }, ask, material: materialOf(), accepted: [] })
}

const good = {
  quotes: [range],
  yes: 'Does the lamp with a lens in Figure 1 reach a range of 52 m in clear air?',
  no: 'Does the lamp with a lens in Figure 1 reach a range of 61 m in clear air?'
}

function groupedBy<T> (all: readonly T[], keyOf: (one: T) => string): T[][] {
  const groups = new Map<string, T[]>()
  for (const one of all) groups.set(keyOf(one), [...groups.get(keyOf(one)) ?? [], one])
  return [...groups.values()]
}

const reasonOf = (draft: Partial<typeof good>, figure?: string) => {
  const verdict = judged({ ...good, ...draft }, figure)
  return 'items' in verdict ? 'none' : verdict.reason
}

/** With a paragraph that names the third figure too. */
function withMoreSaid (paper: typeof document): typeof document {
  const [first, results] = paper.sections
  const text = 'Figure 3 shows that the lamp stands 12 m from the road and the camera 7 m from the lamp. The mirror in Figure 3 is 9 cm wide, and the lens is 4 cm thick. In Figure 3 the power supply gives 48 V to the lamp and 5 V to the camera.'
  const paragraphs = [...results!.paragraphs, { ...results!.paragraphs[0]!, id: 's2p3', text }]
  return { ...paper, sections: [first!, { ...results!, paragraphs }] }
}

t.test('a model gives as many true as false questions, on each figure and in all, and they pass review', async t => {
  const documents = [document, smallDocument('2')].map(withMoreSaid)
  const { made } = await givenModel(t, { documents })
  const { generation, items, rejections } = await made({ kinds: ['binary'], counts: { pairsPerFigure: 2 } })
  t.equal(generation.state, 'succeeded')
  const pairs = groupedBy(items, ({ pairId = '' }) => pairId)
  t.ok(pairs.length >= 5, `${pairs.length} pairs`)
  t.same(generation.outcome?.made, pairs.length, 'a pair is one of those asked for')
  const documentOf = ({ source }: Item) =>
    documents.find(({ paperId }) => 'paperId' in source && source.paperId === paperId)!
  for (const pair of pairs) {
    t.equal(pair.length, 2)
    t.same(pair.map(({ answerIndex }) => answerIndex).sort(), [0, 1])
    const [one, other] = pair as [Item, Item]
    t.same([one.figureIds, one.evidence], [other.figureIds, other.evidence])
    const checks = settleUnit(pair, checkUnit(pair, documentOf(one)), null).flat()
    t.same(checks.filter(({ passed }) => !passed), [])
    t.match(one.slices, { trueForm: /./, falseForm: /./, foil: /^(?:of-the-paper|written)$/, lookUp: /^(?:yes|no)$/ })
  }
  t.ok(rejections.every(({ reason }) => reason !== ''))
  const forms = generation.outcome!.pairForms!
  const truths = items.filter(({ answerIndex }) => answerIndex === 0)
  t.equal(forms.pairs, pairs.length)
  for (const [form, count] of Object.entries(forms.falseForms)) {
    t.equal(count, truths.filter(({ slices }) => slices['falseForm'] === form).length, form)
    t.ok(count <= 12 / 2 + 2, 'of two papers, six pairs asked for of each')
  }
  t.equal(forms.lookUps, truths.filter(({ slices }) => slices['lookUp'] === 'yes').length)
  t.same(forms.quotas, { trueForm: 1 / 4, falseForm: 1 / 8 })
  t.ok(rejections.some(({ reason, detail }) => reason === 'form-quota' && detail.includes('misstate')), 'a writer is told what to write of instead')
})

t.test('which member comes first depends on the seed, and is even', async t => {
  let first = 0
  for (let seed = 0; seed < 200; seed++) {
    const material = materialOf()
    const { source, evidence, recipe } = material
    const verdict = pairWriter.judge(good as never, {
      place: { aspect: 'figure', id: 'f1' },
      ask: { values: {}, count: 2, figureIds: [], leftOut: [], slices: {} },
      material: { ...material, source, evidence, recipe: { ...recipe, seed } },
      accepted: []
    })
    if ('items' in verdict && verdict.items[0]?.answerIndex === 0) first++
  }
  t.ok(first > 75 && first < 125, `true first in ${first} of 200`)
})

t.test('a pair that is as it should be is taken', async t => {
  t.equal(reasonOf({}), 'none')
  t.equal(reasonOf({ quotes: [fallen], yes: 'Did the range of the sensor in Figure 1 decrease to 35 m when the fog became dense?', no: 'Did the range of the sensor in Figure 1 decrease to 24 m when the fog became dense?' }), 'none')
})

t.test('a pair whose changed fact is a mark, a year of a citation or the number of a part is none', async t => {
  const said = 'As in 3) of Section 2, the lamp in Figure 1 reached 52 m [42,43], as lamps do (Ada and Bea, 2006).'
  const [first, results] = document.sections
  const own = { ...results!, paragraphs: [{ ...results!.paragraphs[0]!, text: said }] }
  const paper = { ...document, documentHash: `doc_${'2'.repeat(32)}`, sections: [first!, own] }
  const material = materialOf('en', paper)
  const yes = 'Is it so that, as in 3) of Section 2, the lamp in Figure 1 reached 52 m [42,43], as lamps do (Ada and Bea, 2006)?'
  const reasonFor = (from: string, to: string) => {
    const verdict = pairWriter.judge({ quotes: [said], yes, no: yes.replace(from, to) } as never, {
      place: { aspect: 'figure', id: 'f1' }, ask: { values: {}, count: 2, figureIds: [], leftOut: [], slices: {} }, material, accepted: []
    })
    return 'items' in verdict ? 'none' : verdict.reason
  }
  t.equal(reasonFor('[42,43]', '[57]'), 'trivial-fact')
  t.equal(reasonFor('2006', '1866'), 'trivial-fact')
  t.equal(reasonFor('3)', '7)'), 'trivial-fact')
  t.equal(reasonFor('Section 2', 'Section 4'), 'trivial-fact')
  t.equal(reasonFor('52 m', '61 m'), 'none')
  t.equal(trueFormOf('The mean of the lamp holds [42] (Ada, 2006)'), 'claim', 'the mark of a citation is no value of a statistic')
  t.equal(trueFormOf('The mean of the lamp is 42'), 'statistic')
})

t.test('what is wrong with a pair is told', async t => {
  const cases: Array<[string, Partial<typeof good>, string?]> = [
    ['quote-not-found', { quotes: ['The lamp reached a range of 53 m in clear air.'] }],
    ['quote-irrelevant', { quotes: ['Fog is dense air with small drops of water.'] }],
    // A sentence of the section that neither names the figure nor stands beside one that does.
    ['not-about-the-figure', { quotes: ['The radar needs 40 ms for one scan.'], yes: 'Does the radar need 40 ms for one scan in Figure 2?', no: 'Does the radar need 70 ms for one scan in Figure 2?' }, 'f2'],
    ['not-minimal', { no: 'Does the old sensor in Figure 1 reach a range of 61 m in dense fog?' }],
    ['not-minimal', { no: good.yes }],
    ['not-minimal', { no: 'Does the lamp with a lens in Figure 1 reach a range of 52 m in very clear air?' }],
    ['not-in-evidence', { yes: good.no, no: good.yes }],
    ['not-in-evidence', { yes: good.yes.replace('52 m', '52 km'), no: good.no.replace('61 m', '61 km') }],
    ['telltale', { no: good.yes.replace('a range', 'no range') }],
    ['telltale', { no: good.yes.replace('in clear', 'only clear') }],
    ['implausible', { no: good.yes.replace('52', '5200') }],
    ['too-close', { no: good.yes.replace('52', '53') }],
    ['same-meaning', { no: good.yes.replace('52 m', '52.0 m') }],
    ['same-meaning', { no: good.yes.replace('52 m', '52 metres') }],
    ['points-elsewhere', { yes: good.yes.replace('Figure 1', 'Figure 2'), no: good.no.replace('Figure 1', 'Figure 2') }],
    ['not-yes-or-no', { yes: `Why ${good.yes}`, no: `Why ${good.no}` }],
    ['no-question', { yes: good.yes.replace('?', '.') }],
    // Stands in the table, for the sensor in dense fog.
    ['false-member-supported', { quotes: [fallen], yes: 'Is the range of the sensor in dense fog 35 m, as Figure 1 has it?', no: 'Is the range of the sensor in dense fog 40 m, as Figure 1 has it?' }],
    ['false-member-in-evidence', { quotes: [fallen], yes: 'Did the range of the sensor in Figure 1 decrease to 35 m when the fog became dense?', no: 'Did the range of the sensor in Figure 1 decrease to 80 m when the fog became dense?' }]
  ]
  for (const [reason, draft, figure] of cases) t.equal(reasonOf(draft, figure), reason, JSON.stringify(draft))
})

t.test('forms are asked for in turn, each as often as any over the figures of a paper', async t => {
  const asked = Array.from({ length: 16 }, (_, figure) => formsAsked(figure * 2, 2, { seed: 3, paperId: 'p' })).flat()
  const counts = (of: string[]) => groupedBy(of, form => form).map(({ length }) => length)
  t.same(counts(asked.map(({ trueForm }) => trueForm)), Object.keys(trueForms).map(() => 8))
  t.same(counts(asked.map(({ falseForm }) => falseForm)), Object.keys(falseForms).map(() => 4))
  t.equal(new Set(asked.map(({ trueForm, falseForm }) => `${trueForm} ${falseForm}`)).size, 32, 'every combination once')
})

t.test('no form has more pairs of a paper than its share, whatever a model writes and in whatever order', t => {
  for (const count of [1, 2, 3, 4]) {
    for (const figures of [1, 2, 5, 8, 16, 40]) {
      const rooms = Array.from({ length: figures }, (_, at) => formsAt(at, count, { seed: 3, paperId: 'p' }).room)
      for (const [kind, forms] of [['trueForm', trueForms], ['falseForm', falseForms]] as const) {
        const turn = 1 / Object.keys(forms).length
        for (const form of Object.keys(forms)) {
          const room = rooms.reduce((sum, roomOf) => sum + roomOf(kind, form), 0)
          // One pair a figure gives nothing to divide: there what is asked for comes on top.
          const most = (formSharesMax[kind] + (count === 1 ? turn : 0)) * figures * count + 1
          t.ok(room <= most, `${form}: ${room} of ${figures * count}, at most ${most}`)
        }
      }
    }
  }
  const { asked, room } = formsAt(5, 1, { seed: 3, paperId: 'p' })
  t.ok(room('falseForm', asked[0]!.falseForm) >= 1, 'what is asked for has room')
  t.end()
})

t.test('code tells the forms', async t => {
  const change = (from: string, to: string) => [{ from, to, words: 1 }]
  const forms: Array<[string, string, string, string, string]> = [
    ['Does the error of the lamp increase in rain?', 'increase', 'decrease', 'effect', 'direction'],
    ['Is the mean error 12% in rain?', '12%', '18%', 'statistic', 'number'],
    ['Is the sample held at 300 K?', '300', '250', 'condition', 'condition'],
    ['Is the sample 35 m long?', 'm', 'km', 'claim', 'unit'],
    ['Are there three layers in the sample?', 'three', 'four', 'claim', 'number'],
    ['Does the cell with SEB-3 reach the goal?', 'SEB-3', 'SEB-5', 'claim', 'entity'],
    ['Does the red line represent the old sensor?', 'old sensor', 'new lamp', 'claim', 'definition'],
    ['Was the network trained by backpropagation?', 'backpropagation', 'annealing', 'claim', 'method'],
    ['Does the sensor lose light to drops?', 'drops?', 'dust?', 'claim', 'content'],
    ['오차는 비에서 증가하는가?', '증가하는가?', '감소하는가?', 'effect', 'direction'],
    ['평균 오차는 12%인가?', '12%인가?', '18%인가?', 'statistic', 'number']
  ]
  for (const [claim, from, to, trueForm, falseForm] of forms) {
    t.same([trueFormOf(claim), falseFormOf(claim, change(from, to))], [trueForm, falseForm], claim)
  }
})

t.test('of one figure not all pairs misstate the same', async t => {
  const subject = { place: { aspect: 'figure', id: 'f1' } as const, material: materialOf(), ask: { values: {}, count: 4, figureIds: [], leftOut: [], slices: {} } }
  const number = { question: 'x', evidence: [], checks: [], slices: { falseForm: 'number' } }
  t.match(pairWriter.judge(good as never, { ...subject, accepted: [number, number] }), { items: [{}, {}] })
  t.match(pairWriter.judge(good as never, { ...subject, accepted: [number, number, number, number] }), { reason: 'form-quota' })
})
