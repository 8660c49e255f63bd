import t from 'tap'
import { fileURLToPath } from 'node:url'
import type { Document } from '../../../shared/contracts/document.ts'
import type { Paper } from '../../../shared/contracts/paper.ts'
import { encodePng } from '../engine/png.ts'
import { jats } from '../formats/test/fixtures/read.ts'
import { makeZip } from '../../../shared/testing/zip-writer.ts'
import { runningService } from './fixtures/running-service.ts'

t.test('papers of every format go the same way', async t => {
  const service = await runningService(fileURLToPath(new URL('../parse.ts', import.meta.url)))
  t.teardown(service.close)
  const { get } = service
  const source = jats({ body: '<sec><title>Results</title><p>See <xref ref-type="fig" rid="f1">Fig. 1</xref>.</p><fig id="f1"><label>Fig. 1</label><caption><p>A curve.</p></caption><graphic xlink:href="f1"/></fig></sec>' })

  async function send (content: string | Uint8Array, { type = '', query = '' } = {}): Promise<Paper> {
    const form = new FormData()
    form.append('file', new Blob([content as BlobPart], { type }), 'paper.pdf')
    const paper = await (await fetch(`${service.url}/v1/papers${query}`, { method: 'POST', body: form })).json() as Paper
    return await (await get(`/${paper.id}?wait=60`)).json() as Paper
  }
  const documentOf = async ({ id }: Paper) => await (await get(`/${id}/document`)).json() as Document

  t.test('JATS under the name of a PDF is JATS; it has no pages, and its figures no picture', async t => {
    const paper = await send(source)
    t.match(paper, { format: 'jats', state: 'succeeded', title: 'A title', warnings: [{ code: 'figures-without-picture' }] })
    t.match(await documentOf(paper), { parser: { engine: 'jats' }, pages: [], figures: [{ imageId: null, width: 0, height: 0 }] })
    const page = await get(`/${paper.id}/pages/1/image`)
    t.equal(page.status, 404)
    t.match(await page.json(), { type: /page-not-found$/, detail: /uploaded as jats, which has no pages/ })
    const picture = await get(`/${paper.id}/figures/f1/image`)
    t.equal(picture.status, 404)
    t.match(await picture.json(), { type: /figure-not-found$/, detail: /no picture/ })
    t.match(await (await get(`/${paper.id}/document.md`)).text(), /# A title[^]*Fig. 1\*\* A curve/)
  })

  t.test('its source is saved by a browser, never shown', async t => {
    const { id } = await send(source)
    const { headers } = await get(`/${id}/source`)
    t.equal(headers.get('content-type'), 'application/xml')
    t.match(headers.get('content-disposition'), /^attachment/)
    t.equal(headers.get('x-content-type-options'), 'nosniff')
    t.equal(headers.get('content-security-policy'), 'sandbox')
  })

  t.test('JATS in an archive has the pictures beside it, and the paper says what it is', async t => {
    const png = encodePng({ width: 4, height: 2, data: new Uint8Array(24).fill(90) })
    const paper = await send(makeZip([{ name: 'PMC1/paper.nxml', data: Buffer.from(source) }, { name: 'PMC1/F1.png', data: png }]))
    t.match(paper, { format: 'jats', state: 'succeeded', warnings: [] })
    t.match(await documentOf(paper), { figures: [{ imageId: /^[0-9a-f]{64}$/, width: 4, height: 2 }] })
    t.equal((await get(`/${paper.id}/figures/f1/image`)).status, 200)
  })

  t.test('Markdown and text are read when the part or the query declares them', async t => {
    t.match(await send('# One\n\nText of it.\n', { type: 'text/markdown' }), { format: 'markdown', title: 'One' })
    t.match(await send('Two\n\nText of it.\n', { query: '?format=text' }), { format: 'text' })
    const undeclared = await service.upload('# Three\n\nText.\n')
    t.equal(undeclared.status, 415)
    t.match(await undeclared.json(), { type: /not-a-paper$/, detail: /read when declared/ })
    t.equal((await fetch(`${service.url}/v1/papers?format=jats`, { method: 'POST', body: new FormData() })).status, 400)
  })

  t.test('what cannot be read fails with its problem, at once or when it is opened', async t => {
    const page = await service.upload('<!doctype html><title>Sign in</title>')
    t.equal(page.status, 415)
    t.match(await page.json(), { detail: /web page/ })
    t.match(await send(source.slice(0, -60)), { state: 'failed', problems: [{ type: /paper-damaged$/, detail: /not well-formed/ }] })
    t.match(await send(makeZip([{ name: 'word/document.xml', data: Buffer.from('<w/>') }])), { state: 'failed', problems: [{ type: /not-a-paper$/ }] })
  })
})
