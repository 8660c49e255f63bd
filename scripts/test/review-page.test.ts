import { writeFileSync } from 'node:fs'
import t from 'tap'
import { request } from 'undici'
import { sha256 } from '../../shared/contracts/hash.ts'
import { silentLog } from '../../shared/app/log.ts'
import { startServices } from '../../shared/app/start.ts'
import type { HumanReview } from '../../shared/contracts/human-review.ts'
import type { Page } from '../../shared/contracts/page.ts'
import type { ReviewedItem } from '../../shared/contracts/review.ts'
import { findChromium, openTab } from '../../shared/testing/chromium.ts'
import { temporaryFolder } from '../../shared/testing/temporary-folder.ts'
import { api } from '../exam/api.ts'
import { startFrontDoor } from '../front-door/start.ts'
import { suite } from '../suite.ts'

const chromium = findChromium()
const key = 'a-writer-s-key'
const log = silentLog()
const text = (selector: string) => `(document.querySelector('${selector}')?.textContent ?? '')`

/** The sample paper with items and a reviewing, in a suite without keys, and a front door with them. */
async function prepared (t: Parameters<typeof temporaryFolder>[0]) {
  const running = await startServices(suite, { PORT: '0', DATA_DIR: temporaryFolder(t) }, { log })
  t.teardown(running.close as never)
  const urls = Object.fromEntries(suite.map(({ name }) => [`${name.toUpperCase()}_URL`, running.url]))
  const keys = { API_KEYS: `anna:writer:${sha256(key)}` }
  const door = await startFrontDoor({ PORT: '0', ...urls, ...keys }, { log })
  t.teardown(door.close as never)
  const http = api(running.url)
  const { id: paperId } = await http.upload<{ id: string }>('examples/sample-paper/sample-paper.pdf')
  await http.follow(`/v1/papers/${paperId}`, () => {})
  const { id } = await http.post<{ id: string }>('/v1/generations', { paperIds: [paperId], recipe: { review: false } })
  await http.follow(`/v1/generations/${id}`, () => {})
  const reviewing = await http.post<{ id: string }>('/v1/reviewings', { source: { generationId: id } })
  await http.follow(`/v1/reviewings/${reviewing.id}`, () => {})
  const reviewsOf = async (itemId: string) =>
    (await http.get<Page<HumanReview>>(`/v1/items/${itemId}/reviews`)).items.filter(({ role }) => role === 'human')
  const decided = async () => (await http.get<Page<ReviewedItem>>(`/v1/reviewed-items?reviewingId=${reviewing.id}&limit=200`))
    .items.filter(({ decision }) => decision !== null)
  /** Another rater edits the item that is shown. */
  async function editedByOther (shown: string): Promise<void> {
    const { items } = await http.get<Page<ReviewedItem>>(`/v1/reviewed-items?reviewingId=${reviewing.id}&limit=200`)
    const { item } = items.find(({ item: { question, answer = '' } }) => shown.includes(question) && shown.includes(answer))!
    const path = `${running.url}/v1/reviewings/${reviewing.id}/items/${item.id}`
    const { headers } = await request(path)
    const answer = await request(`${running.url}/v1/items/${item.id}/reviews`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'if-match': String(headers.etag) },
      body: JSON.stringify({ reviewingId: reviewing.id, rater: { id: 'olga', role: 'expert', qualification: '' }, decision: 'edited', edit: { question: `${item.question} Indeed?` }, seconds: 1 })
    })
    if (answer.statusCode !== 201) throw new Error(await answer.body.text())
  }
  return { editedByOther, url: running.url, doorUrl: door.url, reviewsOf, decided }
}

t.test('the review page in a browser', { skip: chromium === undefined && 'no Chromium here; CHROMIUM names one' }, async t => {
  const { url, doorUrl, reviewsOf, decided, editedByOther } = await prepared(t)
  const tab = await openTab(chromium!)
  t.teardown(tab.close)

  async function begin (at: string, raterId: string): Promise<void> {
    await tab.goto(`${at}/review?raterId=${raterId}`)
    if (at === doorUrl) {
      await tab.until(text('#start-error') + '.includes("key")')
      await tab.evaluate(`document.querySelector('[name=key]').value = '${key}'; document.querySelector('#connect').click()`)
    }
    await tab.until("document.querySelectorAll('[name=questionnaireId] option').length === 3")
    const listed = await tab.evaluate<string>(text('[name=reviewingId]'))
    t.match(listed, /· qa, binary by extractive · checked · \d+ items/)
    t.notMatch(listed, /rvg_/)
    if (process.env.SHOTS !== undefined) writeFileSync(`${process.env.SHOTS}/list-${raterId}.png`, await tab.screenshot())
    await tab.evaluate(`{ const list = document.querySelector('[name=questionnaireId]')
      list.value = [...list.options].find(({ textContent }) => textContent.startsWith('AutoPaperBench')).value
      document.querySelector('#start-form').requestSubmit() }`)
    await tab.until("document.querySelector('.question')")
  }
  // Which of how many: the queue may still be filling up.
  const position = async () => (await tab.evaluate<string>(text('#position'))).split('/')[0]

  await t.test('asks for a key at a door that has them, then shows the page with the evidence marked', async t => {
    await begin(doorUrl, 'anna')
    await tab.until("document.querySelector('.sheet img')?.complete && document.querySelector('.box')")
    const { box, sheet, page } = await tab.evaluate<any>(`(() => {
      const rect = selector => { const { x, y, width, height } = document.querySelector(selector).getBoundingClientRect(); return { x, y, width, height } }
      return { box: rect('.box'), sheet: rect('.sheet'), page: document.querySelector('.sheet img').naturalWidth } })()`)
    t.ok(page > 600, 'the page is drawn')
    t.ok(box.width > 50 && box.height > 8 && box.x >= sheet.x && box.x + box.width <= sheet.x + sheet.width, 'the box lies on it')
    t.equal(await tab.evaluate('document.documentElement.scrollWidth'), 1280, 'nothing is wider than the window')
    t.match(await tab.evaluate(text('mark')), /\w/)
    t.notOk(await tab.evaluate("[...document.querySelectorAll('h3')].some(({ textContent }) => textContent === 'Reviews')"), 'blind')
    const unlabelled = await tab.evaluate(`[...document.querySelectorAll('input, textarea, select, button, img')]
      .filter(one => !(one.labels?.length || one.getAttribute('aria-label') || one.textContent.trim() || one.alt)).map(one => one.outerHTML)`)
    t.same(unlabelled, [], 'everything has a name')
  })

  await t.test('is worked by keys: rate, accept, undo, edit, reject, go on and back', async t => {
    const question = await tab.evaluate<string>(text('.question'))
    await tab.press('a')
    await tab.until(text('#notice') + '.startsWith("Not answered yet")')
    for (const digit of ['4', '5', 'a']) await tab.press(digit)
    await tab.until(text('#notice') + '.startsWith("Accepted")')
    const [accepted] = await decided()
    t.match(await reviewsOf(accepted!.item.id), [{ scores: { accuracy: 4, relevance: 5 }, human: { blind: true, decision: 'accepted', rater: { id: 'anna' } } }])
    t.equal(accepted!.item.question, question)
    await tab.press('z')
    await tab.until(text('#notice') + '.startsWith("Taken back")')
    t.same(await decided(), [])

    const at = await position()
    await tab.press('j')
    t.not(await position(), at)
    await tab.press('k')
    t.equal(await position(), at)

    await tab.press('4')
    await tab.press('j')
    await tab.press('k')
    t.ok(await tab.evaluate("document.querySelector('[name=q-accuracy][value=\"4\"]').checked"), 'what was answered and not sent is there again')

    await tab.press('e')
    await tab.type(' Truly?')
    await tab.evaluate('window.realFetch = window.fetch; window.fetch = async () => { throw new TypeError() }')
    await tab.press('Enter', { control: true })
    await tab.until(text('#notice') + '.includes("cannot be reached")')
    t.match(await tab.evaluate("document.querySelector('.editing textarea').value"), /Truly\?$/, 'what was typed stays when the service is gone')
    await tab.evaluate('window.fetch = window.realFetch')
    await tab.press('Enter', { control: true })
    await tab.until(text('#notice') + '.startsWith("Edited")')
    const after = await position()
    await tab.press('k')
    t.match(await tab.evaluate(text('.question')), /Truly\?$/, 'what one wrote is there when one goes back')
    t.match(await tab.evaluate(text('#item')), /You edited this: question/)
    if (process.env.SHOTS !== undefined) writeFileSync(`${process.env.SHOTS}/edited.png`, await tab.screenshot())
    await tab.press('j')
    t.equal(await position(), after)
    for (const each of ['4', '5', 'e']) await tab.press(each)
    await tab.evaluate("[...document.querySelectorAll('.editing label')].find(({ textContent }) => textContent.startsWith('Evidence 1')).querySelector('textarea').value = 'Nobody wrote this.'")
    await tab.press('Enter', { control: true })
    await tab.until(text('#notice') + '.includes("evidence 1 quote")')
    t.match(await tab.evaluate(text('#item .quote .where')), /^Evidence 1/)
    t.match(await tab.evaluate(text('.editing')), /Evidence 1: words/)
    await tab.press('Escape')
    await tab.press('r')
    await tab.type('<img src=x onerror=alert(1)>')
    await tab.press('Enter', { control: true })
    await tab.until(text('#notice') + '.startsWith("Rejected")')
    t.same((await decided()).map(({ decision }) => decision).sort(), ['edited', 'rejected'])
    await tab.press('?')
    await tab.until("document.querySelector('#help-dialog').open")
    await tab.press('Escape')
  })

  await t.test('shows what people wrote as text, in the suite itself', async t => {
    await begin(url, 'ben')
    await tab.evaluate("document.querySelector('#settings').click()")
    await tab.until("document.querySelectorAll('[name=questionnaireId] option').length === 3")
    await tab.evaluate("document.querySelector('[name=blind]').checked = false; document.querySelector('[name=double]').value = '100'; document.querySelector('#start-form').requestSubmit()")
    // What others wrote is shown only in the queue asked for now.
    await tab.until("[...document.querySelectorAll('h3')].some(({ textContent }) => textContent === 'Reviews')")
    await tab.press('r')
    await tab.type('Typed at length.')
    await editedByOther(await tab.evaluate<string>(text('#item')))
    await tab.press('Enter', { control: true })
    await tab.until(text('#notice') + '.startsWith("Somebody changed")')
    t.equal(await tab.evaluate("document.querySelector('.editing textarea').value"), 'Typed at length.', 'also when another was faster')
    t.match(await tab.evaluate(text('.question')), /Indeed\?$/)
    await tab.press('Escape')
    for (let i = 0; i < 40 && !await tab.evaluate(text('#item') + '.includes("onerror")'); i++) {
      const before = await tab.evaluate<string>(text('#progress'))
      for (const each of ['3', '3', 's']) await tab.press(each)
      await tab.until(`${text('#progress')} !== '${before}' && document.querySelector('#item .question')`)
    }
    t.match(await tab.evaluate(text('#item')), '<img src=x onerror=alert(1)>')
    t.equal(await tab.evaluate("document.querySelectorAll('img[src=x]').length"), 0)
  })

  t.same(tab.complaints.filter(complaint => !/status of (?:400|401|412)/.test(complaint)), [], 'nothing was refused by the policy, and no error went uncaught')
})

t.test('the page is served with the house\'s policy, and holds no script of its own', async t => {
  const running = await startServices(suite.filter(({ name }) => name === 'reviewing'), { PORT: '0', DATA_DIR: temporaryFolder(t), API_KEYS: `a:writer:${sha256(key)}` }, { log })
  t.teardown(running.close)
  const { statusCode, headers, body } = await request(`${running.url}/review`)
  const html = await body.text()
  t.equal(statusCode, 200)
  t.match(headers, { 'content-type': /^text\/html/, 'content-security-policy': /script-src 'self'/, 'x-content-type-options': 'nosniff' })
  t.notMatch(html, /<script(?![^>]*src=)|\son\w+=|javascript:/)
  for (const [, path] of html.matchAll(/(?:src|href)="(\/review\/[^"]+)"/g)) {
    t.equal((await request(running.url + path!)).statusCode, 200, String(path))
  }
})
