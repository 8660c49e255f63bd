import type { FastifyInstance } from 'fastify'
import { writeFileSync } from 'node:fs'
import t from 'tap'
import { Type } from 'typebox'
import { silentLog } from '../../../../shared/app/log.ts'
import { defineService } from '../../../../shared/app/service.ts'
import { startServices } from '../../../../shared/app/start.ts'
import { findChromium, openTab } from '../../../../shared/testing/chromium.ts'
import { temporaryFolder } from '../../../../shared/testing/temporary-folder.ts'
import { reviewing } from '../../service.ts'
import { bankItems, importId, withBank } from '../../test/bank-fixtures.ts'
import { fakeBanks, worldOf } from '../../test/house.ts'

const chromium = findChromium()
const world = withBank(worldOf([]))

/** Generation, as far as the page and reviewing ask it of a bank. */
const generation = defineService({
  name: 'generation',
  config: Type.Object({}),
  summary: 'A stand-in.',
  async start ({ app }) {
    fakeBanks(app as unknown as FastifyInstance, world)
    app.get('/v1/items', async () => ({ items: bankItems, nextCursor: null }))
    app.get<{ Params: { id: string } }>('/v1/items/:id', async ({ params }) => bankItems.find(({ id }) => id === params.id))
  }
})

const text = (selector: string) => `(document.querySelector('${selector}')?.textContent ?? '')`
const shot = async (tab: Awaited<ReturnType<typeof openTab>>, name: string) => {
  if (process.env.SHOTS !== undefined) writeFileSync(`${process.env.SHOTS}/bank-${name}.png`, await tab.screenshot())
}

t.test('items of a bank on the review page', { skip: chromium === undefined && 'no Chromium here; CHROMIUM names one' }, async t => {
  const { url, app, close } = await startServices([generation, reviewing], { PORT: '0', DATA_DIR: temporaryFolder(t) }, { log: silentLog() })
  t.teardown(async () => { await close() })
  const opened = (await app.inject({ method: 'POST', url: '/v1/reviewings', payload: { source: { importId } } })).json()
  await app.inject(`/v1/reviewings/${opened.id}?wait=20`)
  const tab = await openTab(chromium!)
  t.teardown(tab.close)
  await tab.goto(`${url}/review?raterId=anna`)
  await tab.until("document.querySelectorAll('[name=questionnaireId] option').length === 3")
  t.match(await tab.evaluate<string>(text('[name=reviewingId]')), 'Weather exam · checked · 5 items')
  await tab.evaluate(`{ const list = document.querySelector('[name=questionnaireId]')
    list.value = [...list.options].find(({ textContent }) => textContent.startsWith('K-MetBench')).value
    document.querySelector('#start-form').requestSubmit() }`)
  await tab.until("document.querySelector('.question')")

  const seen = new Map<string, { stem: number, captions: string, choices: number }>()
  for (let at = 1; at <= bankItems.length; at++) {
    await tab.until(`${text('#position')}.startsWith('${at} ') && [...document.querySelectorAll('#page-frame img, .choices img')].every(one => one.complete && one.naturalWidth > 0)`)
    const row = (await tab.evaluate<string>(text('#page-name'))).replace('Item bank, row ', '')
    seen.set(row, await tab.evaluate<any>(`({
      stem: document.querySelectorAll('#page-frame img').length,
      captions: [...document.querySelectorAll('#page-frame figcaption')].map(({ textContent }) => textContent.trim()).join('; '),
      choices: document.querySelectorAll('.choices img').length })`))
    t.equal(await tab.evaluate('document.documentElement.scrollWidth'), 1280, 'nothing is wider than the window')
    await shot(tab, row)
    // The queue hands out a few items ahead: the next ones come as these are done.
    for (const digit of ['5', '4', '4', '5', '1', 'a']) await tab.press(digit)
    await tab.until(text('#notice') + `.startsWith('Accepted') && ${text('#progress')}.startsWith('${at} reviewed')`)
  }
  t.same([...seen].sort(), [
    ['1', { stem: 0, captions: '', choices: 0 }],
    ['2', { stem: 1, captions: 'Image 1 A chart of the surface.', choices: 0 }],
    ['3', { stem: 0, captions: '', choices: 2 }],
    ['4', { stem: 3, captions: 'Image 1, 09:00; Image 2, 10:00; Image 3, 11:00', choices: 0 }],
    ['5', { stem: 1, captions: 'Image 1', choices: 0 }]
  ])
  t.notOk(await tab.evaluate("[...document.querySelectorAll('h3')].some(({ textContent }) => textContent === 'Evidence')"))

  const { items } = (await app.inject(`/v1/reviewed-items?reviewingId=${opened.id}&limit=50`)).json()
  t.equal(items.filter(({ decision }: { decision: string }) => decision === 'accepted').length, bankItems.length)
})
