import t from 'tap'
import { builtIn } from '../domain/built-in.ts'
import { items, opened, rationaleForm, setForm } from './raters.ts'

t.test('questionnaires', async t => {
  const { at, id, send } = await opened(t)
  const own = { name: 'Mine', version: '1', scope: 'item', instruction: '', questions: [{ id: 'fair', text: 'Fair?', type: 'choice', options: [{ value: 'yes', label: 'Yes' }, { value: 'no', label: 'No' }] }] }
  const first = await at.post('/questionnaires', own)
  t.equal(first.statusCode, 201)
  t.equal((await at.post('/questionnaires', own)).statusCode, 200)
  t.same((await at.get(`/questionnaires/${first.json().id}`)).json(), first.json())
  const listed = (await at.get('/questionnaires')).json().items.map(({ name }: { name: string }) => name)
  t.same(listed.sort(), ['Mine', ...builtIn.map(({ name }) => name)].sort())
  const faults = async (questions: object[]) => (await at.post('/questionnaires', { ...own, questions })).json().errors
  t.match(await faults([{ id: 'a', text: 'A', type: 'scale', min: 3, max: 3 }]), [{ pointer: '/body/questions/0/min' }])
  t.match(await faults([own.questions[0]!, { id: 'fair', text: 'B', type: 'text', when: { question: 'fair', is: 'perhaps' } }]), [{ pointer: '/body/questions/1/id' }, { pointer: '/body/questions/1/when' }])
  t.match(await faults([{ id: 'a', text: 'A', type: 'choices' }]), [{ pointer: '/body/questions/0/options' }])

  const verify = async (answers: object) => await send(items[0]!, 'anna', { questionnaireId: rationaleForm!.id, answers: { accuracy: 4, soundness: 4, completeness: 4, conciseness: 4, ...answers } as never })
  t.match(await verify({ adoption: 'adopt' }), { status: 201, reviewed: { decision: null } }, 'answers alone decide nothing')
  t.match(await verify({ adoption: 'adopt', severity: 'minor' }), { errors: [{ pointer: '/body/answers/severity' }] })
  t.match(await verify({ adoption: 'revise' }), { errors: [{ pointer: '/body/answers/severity' }, { pointer: '/body/answers/revision' }] })
  t.match(await verify({ adoption: 'revise', severity: 'major', revision: ['terminology', 'rewrite'] }), { status: 201 })

  const [set] = (await at.get(`/review-sets?reviewingId=${id}&sets=1`)).json().items
  t.equal(set.itemIds.length, 4)
  const judge = async (raterId: string, diversity: number) => await at.post('/set-reviews', {
    reviewingId: id, itemIds: set.itemIds, rater: { id: raterId, role: 'expert', qualification: '' }, seconds: 60, questionnaireId: setForm!.id, answers: { consistency: 4, diversity }
  })
  const one = await judge('anna', 2)
  t.match([one.statusCode, one.json().setId], [201, set.setId])
  t.match((await judge('anna', 2)).statusCode, 200)
  t.match((await judge('anna', 3)).json(), { supersedes: one.json().id })
  const atOnce = await Promise.all([1, 2, 4, 5, 3].map(async diversity => await judge('ben', diversity)))
  t.ok(atOnce.every(({ statusCode }) => statusCode === 201))
  t.equal((await at.get(`/set-reviews?reviewingId=${id}`)).json().items.length, 2, 'of those sent at once one stands')
  await judge('ben', 3)
  const said = (await at.get(`/set-reviews?reviewingId=${id}`)).json().items
  t.same(said.map(({ answers }: any) => answers.diversity), [3, 3])
  const { questions } = (await at.get(`/agreements?reviewingId=${id}&questionnaireId=${setForm!.id}`)).json()
  t.match(questions[1], { question: 'diversity', units: 1, percentAgreement: { value: 1 } })
})
