import { join } from 'node:path'
import t from 'tap'
import { Type } from 'typebox'
import { defineService } from '../../../../shared/app/service.ts'
import { startServices } from '../../../../shared/app/start.ts'
import type { Curation, CurationChange, CurationFlag } from '../../../../shared/contracts/curation.ts'
import { idOf } from '../../../../shared/contracts/hash.ts'
import type { Item } from '../../../../shared/contracts/item.ts'
import type { Page } from '../../../../shared/contracts/page.ts'
import { embeddedStore } from '../../../../shared/store/embedded.ts'
import { rawBank } from '../../../../shared/testing/raw-bank.ts'
import { temporaryFolder } from '../../../../shared/testing/temporary-folder.ts'
import { generation } from '../../service.ts'

const bankId = `imp_${'1'.repeat(32)}`
const bank = rawBank({ total: 120, seed: 3, bankId })
const own = (row: number, changes: Partial<Item>): Item => ({ ...bank.items[0]!, id: idOf('item', { own: row }), source: { bankId, row }, ...changes })
const extra = [
  own(1001, { question: '우리나라의 영동 지방에 부는 높새바람에 대한 설명으로 옳은 것은?', choices: ['건조하다', '습윤하다', '차갑다', '위의 보기 모두'].map(text => ({ text })), answerIndex: 0, language: 'ko' }),
  own(1002, { question: 'What is the value of ρ = p/RT in kg m⁻³ at 1000 hPa and 290 K?', choices: ['1.2', '1.3', '1.4', '1.5'].map(text => ({ text })), answerIndex: 0, language: 'en' })
]

/** Replies by what is asked: the model `wild` paraphrases into another question. */
interface Asked { model: string, messages: Array<{ content: string }>, schema: { properties: object } }

const inference = defineService({
  name: 'inference',
  config: Type.Object({}),
  summary: 'Models of the test',
  async start ({ app }) {
    app.get('/v1/models', async () => ({ data: ['tame', 'wild', 'critic'].map(id => ({ id, capabilities: [] })) }))
    app.post('/v1/structured-completions', async request => {
      const { model, messages, schema } = request.body as Asked
      const [prompt] = messages.map(({ content }) => content)
      const value = replyTo(model, Object.keys(schema.properties)[0] ?? '', prompt ?? '')
      return { outcome: 'answered', value, hasValue: true, raw: JSON.stringify(value), reason: null, dropped: 0, steps: [], usage: null, upstreamVersion: 'test', requestHash: 'a'.repeat(64), problem: null }
    })
  }
})

function replyTo (model: string, field: string, prompt: string): unknown {
  const tag = (name: string) => new RegExp(`<${name}>\n([^]*?)\n</${name}>`, 'u').exec(prompt)?.[1] ?? ''
  switch (field) {
    case 'question': return { question: model === 'wild' ? `Never: ${tag('question')}` : `As asked in a session: ${tag('question')}` }
    case 'regional': return { regional: /우리나라|높새|눈벽/u.test(prompt) && (model === 'tame' || !/높새/u.test(prompt)), because: 'it says so' }
    case 'faults': return { faults: /Reader/u.test(tag('rationale')) ? [] : ['Say Reader.'] }
    default: {
      const choices = tag('choices').split('\n')
      const retried = !tag('earlier').startsWith('There was nothing')
      return { rationale: retried ? 'Reader, the 비열 says so.' : 'The 비열용량 says so.', answer: choices.length > 0 ? Number(/\d/u.exec(choices.find(line => /건조하다|1\.2/u.test(line)) ?? '1')![0]) : 1 }
    }
  }
}

t.test('curations', async t => {
  const folder = temporaryFolder(t)
  const before = await embeddedStore(join(folder, 'generation.db'))
  const items = await before.collection<{ _id: string, key: string, item: Item }>('items')
  await items.insertMissing([...bank.items, ...extra].map(item => ({ _id: item.id, key: `bank-${item.id}`, item })))
  await before.close()
  const suite = await startServices([inference, generation], { PORT: '0', DATA_DIR: folder, LOG_LEVEL: 'silent' })
  t.teardown(suite.close)
  const send = async (body: unknown) => await fetch(`${suite.url}/v1/curations`, {
    method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' }
  })
  const get = async <T>(path: string) => await (await fetch(`${suite.url}/v1${path}`)).json() as T
  const curated = async (steps: unknown[], more: object = {}) => {
    const response = await send({ source: { importId: bankId }, steps, ...more })
    const opened = await response.json() as Curation
    if (!response.ok) throw new Error(JSON.stringify(opened))
    return await get<Curation>(`/curations/${opened.id}?wait=60`)
  }
  const lines = async (id: string) => (await (await fetch(`${suite.url}/v1/curations/${id}/items.jsonl`)).text()).trim().split('\n').map(line => JSON.parse(line) as Item)
  const changes = async (id: string, query: string) => (await get<Page<CurationChange>>(`/curations/${id}/changes?limit=200&${query}`)).items

  t.test('copies go, choices are shuffled, and each change is told with its before and after', async t => {
    const steps = [{ step: 'deduplicate' }, { step: 'shuffle-choices' }]
    const done = await curated(steps)
    const found = bank.planted.filter(({ plant }) => ['copy', 'permuted', 'retyped'].includes(plant))
    t.match(done, { state: 'succeeded', sourceCount: 122, steps: [{ ratioMin: 0.6, autojunk: false }, {}], stepCounts: [{ changed: 0 }, { dropped: 0 }] })
    t.equal(done.itemCount, 122 - done.stepCounts[0]!.dropped)
    const dropped = await changes(done.id, 'step=0&action=dropped')
    for (const { id, of } of found) {
      t.match(dropped.find(({ rootId }) => rootId === id), { after: null, relatedIds: [of] })
    }
    const flagged = await changes(done.id, 'action=flagged')
    for (const { id } of bank.planted.filter(({ plant }) => plant === 'miskeyed')) t.ok(flagged.some(({ rootId }) => rootId === id))
    const flags = (await get<Page<CurationFlag>>(`/curations/${done.id}/flags?limit=200`)).items
    t.same(flags.map(({ reason }) => reason), flagged.map(({ reason }) => reason))
    const standing = new Map((await lines(done.id)).map(each => [each.id, each]))
    for (const [at, { itemId }] of flags.entries()) t.same(standing.get(itemId)?.source, flagged[at]!.before.source, 'by the id that the item has in the end')
    for (const { before, after } of await changes(done.id, 'step=1')) {
      const keyed = (item: Item | null) => item?.choices?.[item.answerIndex ?? -1]?.text
      t.equal(keyed(after), keyed(before))
      t.match(after, { parentId: before.id, source: before.source })
      t.same(await get(`/items/${after?.id}`), after)
    }
    const all = await lines(done.id)
    t.equal(all.length, done.itemCount)
    t.same((await get<Page<Item>>(`/items?curationId=${done.id}&limit=200`)).items, all)
    t.equal((await send({ source: { importId: bankId }, steps })).status, 200, 'the same again is the same')

    const { rootId } = dropped[0]!
    const undone = await curated(steps, { except: [{ itemId: rootId, step: 0 }] })
    t.not(undone.id, done.id)
    t.equal(undone.itemCount, done.itemCount + 1)
    t.ok((await lines(undone.id)).some(({ id, parentId }) => id === rootId || parentId === rootId))

    const { id } = await (await send({ source: { curationId: done.id }, steps: [{ step: 'tag', dimensions: ['skill'] }] })).json() as Curation
    t.match(await get(`/curations/${id}?wait=60`), { state: 'succeeded', sourceCount: done.itemCount, itemCount: done.itemCount })
  })

  t.test('what cannot be curated is refused with where and why', async t => {
    const refused = async (body: unknown) => await (await send(body)).json()
    t.match(await refused({ source: { importId: `imp_${'2'.repeat(32)}` }, steps: [{ step: 'tag' }] }), { status: 404 })
    t.match(await refused({ source: { importId: bankId }, steps: [{ step: 'rewrite-explicit', regionPack: 'nowhere' }] }), { status: 400, errors: [{ pointer: '/steps/0/regionPack' }] })
    t.match(await refused({ source: { importId: bankId }, steps: [{ step: 'paraphrase', model: 'none' }] }), { status: 404, detail: /tame/ })
    t.match(await refused({ source: { importId: bankId }, steps: [{ step: 'tag' }], except: [{ itemId: `itm_${'3'.repeat(32)}`, step: 4 }] }), { status: 400, errors: [{ pointer: '/except/0/itemId' }, { pointer: '/except/0/step' }] })
    t.match(await refused({ source: { importId: bankId }, steps: [{ step: 'nothing' }] }), { status: 400 })
    t.equal((await fetch(`${suite.url}/v1/curations/cur_${'4'.repeat(32)}`)).status, 404)
  })

  t.test('regional items are the union of words and models, with what all missed and a sample of the rest', async t => {
    const done = await curated([{ step: 'find-regional', regionPack: 'korea', models: ['tame', 'wild'], sampleRejected: 5 }, { step: 'rewrite-explicit', regionPack: 'korea' }, { step: 'transcribe-formulas' }, { step: 'tag' }])
    t.match(done, { state: 'succeeded', stepCounts: [{ flagged: 5 }, { changed: 1 }, { changed: 1 }, { changed: done.sourceCount }] })
    const finding = (name: string) => done.findings.find(each => each.name === name)?.value
    t.match(finding('regional-missed'), [{ name: 'words and tame' }, { name: 'words and wild' }, { name: 'tame and wild', value: { estimate: { missedInterval: Array } } }])
    t.match(finding('regional-non-transferring'), { count: 1, items: [{ itemId: extra[0]!.id, words: ['높새바람'] }] })
    const all = await lines(done.id)
    const korean = all.find(({ source }) => 'row' in source && source.row === 1001)
    t.match(korean, { question: /^우리나라의/, explicitWording: { question: /^대한민국의 영동/ }, slices: { regional: 'korea', modality: 'text', skill: 'recall' } })
    t.match(korean?.checks.at(-1), { name: 'regional', passed: false, detail: /words: .*높새바람.*; tame: it says so/ })
    t.match(all.find(({ source }) => 'row' in source && source.row === 1002), { question: 'What is the value of $\\rho = p/RT$ in kg $m^{-3}$ at 1000 hPa and 290 K?', slices: { skill: 'calculation' } })
  })

  t.test('a paraphrase that may ask something else is left to a person', async t => {
    const tame = await curated([{ step: 'paraphrase', model: 'tame' }])
    t.equal(tame.stepCounts[0]?.changed, tame.sourceCount)
    t.match((await lines(tame.id))[0], { originalQuestion: bank.items[0]!.question, parentId: bank.items[0]!.id, provenance: { model: 'tame', prompt: 'paraphrase-stem.v1', strategy: 'curation-paraphrase' } })
    const wild = await curated([{ step: 'paraphrase', model: 'wild', attemptsMax: 2 }])
    t.match(wild.stepCounts, [{ changed: 0, flagged: wild.sourceCount }])
    t.match((await changes(wild.id, 'action=flagged'))[0], { reason: 'no-safe-paraphrase', detail: /denies/, after: null })
  })

  t.test('rationales are written until the answer is the key and critic and term base have nothing to say', async t => {
    const done = await curated([{ step: 'write-rationales', model: 'tame', critic: 'critic', count: 10, stratifyBy: ['part'], attemptsMax: 3, terms: [{ wrong: '비열용량', right: '비열' }] }])
    const written = await changes(done.id, 'action=changed')
    const failed = await changes(done.id, 'action=flagged')
    t.equal(written.length + failed.length, 10)
    t.ok(written.length > 0 && failed.length > 0)
    for (const { after, detail } of written) t.match([after?.rationale, detail], ['Reader, the 비열 says so.', 'At attempt 2 of 3.'])
    for (const { detail } of failed) t.match(detail, /None of 3 drafts will do: chose 1; chose 1; chose 1/)
    const strata = done.findings[0]?.value as Array<{ chosen: number }>
    t.same(new Set(strata.map(({ chosen }) => chosen)), new Set([2]))
  })
})
