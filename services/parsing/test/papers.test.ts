import t from 'tap'
import { fileURLToPath } from 'node:url'
import { paperIdOf, sha256 } from '../../../shared/contracts/hash.ts'
import type { Paper } from '../../../shared/contracts/paper.ts'
import { runningService } from './fixtures/running-service.ts'

const scripted = fileURLToPath(new URL('fixtures/scripted-parser.ts', import.meta.url))

t.test('papers', async t => {
  const service = await runningService(scripted, { PARSING_UPLOAD_MB: 1 })
  t.teardown(service.close)
  const { upload, get, send, parsed } = service
  const kindOf = async (response: Response) => {
    t.match(response.headers.get('content-type'), 'application/problem+json')
    return ((await response.json()) as { type: string }).type.split('/').at(-1)
  }

  t.test('an upload is 202 with a Location, and is parsed', async t => {
    const response = await upload('%PDF-fine\nA title\n', 'my paper.pdf')
    const paper = await response.json() as Paper
    t.equal(response.status, 202)
    t.equal(response.headers.get('location'), `/v1/papers/${paper.id}`)
    t.equal(paper.id, paperIdOf(Buffer.from('%PDF-fine\nA title\n')))
    const done = await (await get(`/${paper.id}?wait=60`)).json() as Paper
    t.match(done, { state: 'succeeded', title: 'A title', fileName: 'my paper.pdf', bytes: 18, progress: { done: 1, total: 1, failed: 0 } })
    const document = await (await get(`/${paper.id}/document`)).json() as { documentHash: string }
    t.equal(document.documentHash, done.documentHash)
    t.equal((await get(`/${paper.id}/document?documentHash=${done.documentHash}`)).status, 200)
    t.equal((await get(`/${paper.id}/document?documentHash=doc_${'0'.repeat(32)}`)).status, 404)
  })

  t.test('the same bytes under another name are the same paper', async t => {
    const first = await parsed('%PDF-fine\nTwice\n', 'a.pdf')
    const again = await upload('%PDF-fine\nTwice\n', 'b.pdf')
    t.equal(again.status, 200)
    t.match(await again.json(), { id: first.id, fileName: 'a.pdf', state: 'succeeded' })
  })

  t.test('ten uploads of the same bytes at once are one paper, accepted once', async t => {
    const responses = await Promise.all(Array.from({ length: 10 }, async () => await upload('%PDF-fine\nAt once\n')))
    t.same(responses.map(({ status }) => status).sort(), [...Array(9).fill(200), 202])
    const ids = await Promise.all(responses.map(async response => (await response.json() as Paper).id))
    t.equal(new Set(ids).size, 1)
    t.match(await (await get(`/${ids[0]}?wait=60`)).json(), { state: 'succeeded' })
  })

  t.test('what is made of a paper can be read', async t => {
    const { id, documentHash } = await parsed('%PDF-fine\nReadable\n')
    const markdown = await get(`/${id}/document.md`)
    t.match(markdown.headers.get('content-type'), 'text/markdown')
    t.match(await markdown.text(), '# Readable')
    t.match(await (await get(`/${id}/content?mode=sections&sectionId=s1`)).json(), { documentHash, tokens: Number, leftOut: [], text: /^1 Introduction\n\nThe results/ })
    t.equal(await kindOf(await get(`/${id}/content?sectionId=s9`)), 'section-not-found')
    t.equal(await kindOf(await get(`/${id}/content?mode=retrieved`)), 'invalid-request')
    t.equal(await kindOf(await get(`/${id}/content?mode=oracle`)), 'invalid-request')
    t.equal(await kindOf(await get(`/${id}/content?mode=oracle&paragraphIds=p1,s8p9`)), 'invalid-request')
    t.match(await (await get(`/${id}/content?mode=oracle&paragraphIds=p1,f1`)).json(), { parts: [{ id: 'p1', cut: false }, { id: 'f1' }], figureIds: ['f1'] })
    t.match(await (await get(`/${id}/content?mode=semantic&figureId=f1`)).json(), { figureIds: ['f1'], text: /one figure|Figure/ })
    t.match(await (await get(`/${id}/content?mode=none`)).json(), { text: '', tokens: 0 })
    const image = await get(`/${id}/figures/f1/image?documentHash=${documentHash}`)
    t.equal(image.headers.get('content-type'), 'image/png')
    t.match(image.headers.get('cache-control'), 'immutable')
    t.match(await image.text(), 'one figure')
    const etag = image.headers.get('etag') ?? ''
    const again = await fetch(`${service.url}/v1/papers/${id}/figures/f1/image`, { headers: { 'if-none-match': etag } })
    t.equal(again.status, 304)
    t.equal(await kindOf(await get(`/${id}/figures/f2/image`)), 'figure-not-found')
    t.equal((await get(`/${id}/pages/1/image`)).status, 200)
    t.equal(await kindOf(await get(`/${id}/pages/2/image`)), 'page-not-found')
    t.equal(await (await get(`/${id}/source`)).text(), '%PDF-fine\nReadable\n')
  })

  t.test('a paper that kills its parser fails with its reason, and the service lives', async t => {
    const { id, state, problems } = await parsed('%PDF-exit\n')
    t.equal(state, 'failed')
    t.match(problems[0], { type: /paper-too-complex$/, detail: /cause: crash/ })
    const document = await get(`/${id}/document`)
    t.equal(document.status, 422)
    t.match(await document.json(), { type: /paper-too-complex$/ })
    const retried = await send('POST', `/${id}/retry`)
    t.equal(retried.status, 202)
    t.match(await (await get(`/${id}?wait=60`)).json(), { state: 'failed' })
    t.match(await parsed('%PDF-fine\nAfter\n'), { state: 'succeeded' })
  })

  t.test('a paper that hangs can be cancelled, and taken up again', async t => {
    const { id } = await (await upload('%PDF-hang\n')).json() as Paper
    t.equal(await kindOf(await get(`/${id}/document`)), 'not-finished')
    t.equal((await send('POST', `/${id}/cancel`)).status, 200)
    t.match(await (await get(`/${id}?wait=60`)).json(), { state: 'cancelled' })
    t.equal(await kindOf(await get(`/${id}/document`)), 'conflict')
    const again = await send('POST', `/${id}/retry`)
    t.match(again.status, 202)
    await send('POST', `/${id}/cancel`)
  })

  t.test('a succeeded paper has nothing to retry', async t => {
    const { id } = await parsed('%PDF-fine\nDone\n')
    t.equal(await kindOf(await send('POST', `/${id}/retry`)), 'conflict')
  })

  t.test('a deleted paper is gone, and comes back with its file', async t => {
    const { id } = await parsed('%PDF-fine\nDeleted\n')
    const shared = await parsed('%PDF-fine\nShares the figure\n')
    t.equal((await send('DELETE', `/${id}`)).status, 204)
    for (const path of ['', '/document', '/source', '/pages/1/image', '/figures/f1/image']) {
      t.equal((await get(`/${id}${path}`)).status, 410, path)
    }
    t.equal(await kindOf(await send('DELETE', `/${id}`)), 'paper-deleted')
    t.equal((await get(`/${shared.id}/figures/f1/image`)).status, 200, 'an image of another paper stays')
    t.equal((await upload('%PDF-fine\nDeleted\n')).status, 202)
    t.match(await (await get(`/${id}?wait=60`)).json(), { state: 'succeeded', title: 'Deleted' })
  })

  t.test('a paper that is deleted while it is parsed frees its parser', async t => {
    const { id } = await (await upload('%PDF-hang\nDeleted meanwhile\n')).json() as Paper
    t.equal((await send('DELETE', `/${id}`)).status, 204)
    t.equal((await get(`/${id}`)).status, 410)
    t.match(await parsed('%PDF-fine\nNext\n'), { state: 'succeeded' })
  })

  t.test('deleting takes the file and all that was made of it from the disk', async t => {
    const { id, documentHash } = await parsed('%PDF-fine\nNothing remains\n')
    const source = sha256('%PDF-fine\nNothing remains\n')
    const json = sha256(await (await get(`/${id}/document`)).text())
    t.ok(documentHash !== null && await service.blobs.has(source) && await service.blobs.has(json))
    await send('DELETE', `/${id}`)
    t.notOk(await service.blobs.has(source))
    t.notOk(await service.blobs.has(json))
  })

  t.test('uploads and deletions of one paper at once end in one of both, whole', async t => {
    const bytes = '%PDF-fine\nTorn\n'
    const { id } = await parsed(bytes)
    const statuses = await Promise.all([
      send('DELETE', `/${id}`), upload(bytes), send('DELETE', `/${id}`), upload(bytes), upload(bytes)
    ].map(async sent => (await sent).status))
    t.ok(statuses.every(status => [200, 202, 204, 409, 410].includes(status)), statuses.join(' '))
    t.not((await get(`/${id}`)).status, 404, 'a refused upload does not make a deleted paper unknown')
    const last = await upload(bytes)
    t.ok([200, 202].includes(last.status))
    t.match(await (await get(`/${id}?wait=60`)).json(), { state: 'succeeded', title: 'Torn' })
    t.equal(await (await get(`/${id}/source`)).text(), bytes)
  })

  t.test('the list is paged by cursor and complete', async t => {
    const ids: string[] = []
    for (let cursor: string | null = ''; cursor !== null;) {
      const page = await (await get(`?limit=3${cursor === '' ? '' : `&cursor=${cursor}`}`)).json() as { items: Paper[], nextCursor: string | null }
      ids.push(...page.items.map(({ id }) => id))
      cursor = page.nextCursor
    }
    t.ok(ids.length > 6)
    t.same(ids, [...new Set(ids)].sort())
    t.equal(await kindOf(await get('?cursor=../x')), 'invalid-cursor')
    t.equal((await get('?limit=201')).status, 400)
  })

  const names: Array<[string, string]> = [
    ['../../etc/passwd', 'passwd'], ['C:\\papers\\my.pdf', 'my.pdf'], ['a\u0007b\u202Efdp.pdf', 'abfdp.pdf'],
    ['..', 'unnamed.pdf'], ['e\u0301tude.pdf', '\u00E9tude.pdf'], [`${'x'.repeat(400)}.pdf`, `${'x'.repeat(251)}.pdf`],
    ['<script>alert(1)</script>.pdf', 'script>.pdf'], ['논문.pdf', '논문.pdf']
  ]
  for (const [index, [name, shown]] of names.entries()) {
    t.test(`the file name ${JSON.stringify(name.slice(0, 40))} is shown as ${shown.slice(0, 20)}`, async t => {
      const response = await upload(`%PDF-fine\nName ${index}\n`, name)
      const { id, fileName } = await response.json() as Paper
      t.equal(fileName, shown)
      const source = await get(`/${id}/source`)
      t.match(source.headers.get('content-disposition'), `filename*=UTF-8''${encodeURIComponent(shown)}`)
    })
  }

  t.test('what is no paper is refused at once, each with its own problem', async t => {
    t.equal(await kindOf(await upload('<!doctype html><p>404', 'paper.pdf')), 'not-a-paper')
    t.equal(await kindOf(await upload('', 'paper.pdf')), 'paper-empty')
    t.equal(await kindOf(await upload('%PDF-fine', 'paper.pdf', 'paper')), 'invalid-request')
    const json = await fetch(`${service.url}/v1/papers`, { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } })
    t.equal(json.status, 400)
    const raw = await fetch(`${service.url}/v1/papers`, { method: 'POST', body: '%PDF-', headers: { 'content-type': 'application/pdf' } })
    t.equal(raw.status, 415)
    t.equal(await kindOf(await get(`/pap_${'0'.repeat(32)}`)), 'paper-not-found')
    t.equal(await kindOf(await get('/7')), 'invalid-request')
    t.equal((await send('PUT', '')).status, 405)
  })

  t.test('a form without a file, or with two, says what to do', async t => {
    const post = async (form: FormData) => await fetch(`${service.url}/v1/papers`, { method: 'POST', body: form })
    const none = new FormData()
    none.append('title', 'x')
    const response = await post(none)
    t.equal(response.status, 400)
    t.match(await response.json(), { detail: /part named "file"/ })
    const two = new FormData()
    two.append('file', new Blob(['%PDF-fine\nFirst of two\n']), 'a.pdf')
    two.append('file', new Blob(['%PDF-fine\nSecond of two\n']), 'b.pdf')
    t.equal((await post(two)).status, 400)
    const first = paperIdOf(Buffer.from('%PDF-fine\nFirst of two\n'))
    t.equal((await get(`/${first}`)).status, 404, 'neither is accepted')
    t.equal((await post(new FormData())).status, 400)
  })

  t.test('a form that cannot be read, or is cut short, is the caller\'s to mend', async t => {
    const multipart = 'multipart/form-data; boundary=b0undary'
    const part = '--b0undary\r\ncontent-disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n%PDF-fine\n'
    for (const [type, body] of [
      ['multipart/form-data', part], [`multipart/form-data; boundary=${'b'.repeat(5000)}`, part],
      [multipart, 'no form'], [multipart, part], [multipart, `${part}\r\n--b0undary`], [multipart, 'x'.repeat(200_000)],
      [multipart, `--b0undary\r\ncontent-disposition: form-data; name="x"\r\n\r\n${'x'.repeat(200_000)}`]
    ] as const) {
      const response = await fetch(`${service.url}/v1/papers`, { method: 'POST', body, headers: { 'content-type': type } })
      t.equal(response.status, 400, `${type.slice(0, 40)} ${body.slice(0, 20)}`)
      t.equal(await kindOf(response), 'invalid-request')
    }
  })

  t.test('a file over the limit is 413, whether its length was announced or not', async t => {
    const large = Buffer.concat([Buffer.from('%PDF-fine\n'), Buffer.alloc(3 * 2 ** 20)])
    t.equal(await kindOf(await upload(large)), 'body-too-large')
    const boundary = 'b0undary'
    const chunks = async function * () {
      yield Buffer.from(`--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n`)
      for (let at = 0; at < large.length; at += 65_536) yield large.subarray(at, at + 65_536)
      yield Buffer.from(`\r\n--${boundary}--\r\n`)
    }
    const response = await fetch(`${service.url}/v1/papers`, {
      method: 'POST', body: chunks(), duplex: 'half', headers: { 'content-type': `multipart/form-data; boundary=${boundary}` }
    } as unknown as RequestInit)
    t.equal(await kindOf(response), 'body-too-large')
    t.equal((await get('')).status, 200)
  })

  t.test('the API documents show a file button and plain summaries', async t => {
    const { paths } = await (await fetch(`${service.url}/openapi.json`)).json() as { paths: Record<string, any> }
    const { post } = paths['/v1/papers']
    t.match(post.requestBody.content['multipart/form-data'].schema, { properties: { file: { type: 'string', format: 'binary' } } })
    t.equal(post.operationId, 'uploadPaper')
  })
})
