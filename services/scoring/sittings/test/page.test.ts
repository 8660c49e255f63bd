import { writeFileSync } from 'node:fs'
import t from 'tap'
import { findChromium, openTab } from '../../../../shared/testing/chromium.ts'
import { benchmarkOf, documentOf, itemOf, itemsOf } from '../../test/fixtures.ts'
import { startScoring } from '../../test/given-scoring.ts'

const chromium = findChromium()
const hostile = '<img src=x onerror="window.ran=1"><script>window.ran=2</script> 조건은?'
const document = documentOf('one')
const items = [
  ...itemsOf(document),
  itemOf(document, { kind: 'choice', place: '1', question: hostile, choices: [{ text: '<b onclick="window.ran=3">하나' }, { text: '둘' }], answerIndex: 0 })
]
const benchmark = benchmarkOf([document], items)
const [, , , , choice, odd] = items
const open = items[0]!
const text = (selector: string) => `(document.querySelector('${selector}')?.textContent ?? '')`

t.test('a sitting in a browser', { skip: chromium === undefined && 'no Chromium here; CHROMIUM names one' }, async t => {
  const { ask, url } = await startScoring(t, { documents: [document], frozen: [{ benchmark, items }] })
  const itemIds = [choice!.id, odd!.id, open.id]
  const { id } = (await ask('POST', '/sittings', { benchmarkId: benchmark.id, raterId: 'anna', itemIds, secondsMax: 3600 })).body
  const tab = await openTab(chromium!)
  t.teardown(tab.close)
  const shot = async (name: string) => {
    if (process.env.SHOTS !== undefined) writeFileSync(`${process.env.SHOTS}/sitting-${name}.png`, await tab.screenshot())
  }
  await tab.goto(`${url}/sitting?id=${id}&lang=ko`)
  await tab.until(`${text('#rules')}.includes('문항은 모두 3개')`)
  await shot('rules')
  await tab.press('Enter')
  for (let at = 1; at <= 3; at++) {
    await tab.until(`${text('#progress')} === '문항 ${at} / 3'`)
    t.match(await tab.evaluate<string>(text('#clock')), /^남은 시간 (?:59|60|1:00):\d\d/)
    await shot(`question-${at}`)
    const stem = await tab.evaluate<string>(text('#stem'))
    if (stem === hostile) t.pass('HTML of a bank is words')
    if (stem === open.question) {
      await tab.type('Heated alloys are harder')
      await tab.evaluate('location.reload()')
      await tab.until("document.querySelector('textarea')?.value === 'Heated alloys are harder'")
      await tab.press('Enter', { control: true })
    } else {
      await tab.press(stem === hostile ? '2' : 'b')
      await tab.until("document.querySelectorAll('input:checked').length === 1")
      await tab.press('Enter')
    }
  }
  await tab.until(`${text('#end-words')}.includes('마지막 문항')`)
  t.equal(await tab.evaluate('window.ran'), undefined, 'nothing of an item ran')
  await tab.evaluate("document.querySelector('#seen button').click()")
  await tab.until(`${text('#progress')} === '문항 1 / 3'`)
  await tab.evaluate("document.querySelector('#language').click()")
  await tab.until(`${text('#progress')} === 'Question 1 of 3'`)
  await tab.evaluate("document.querySelector('#send').click()")
  await tab.until(`${text('#end-words')}.includes('last question')`)
  await tab.evaluate("window.confirm = () => true; document.querySelector('#close').click()")
  await tab.until(`${text('#end-words')}.includes('Handed in')`)
  await shot('end')
  t.strictSame(tab.complaints, [], 'nothing was refused by the policy of the page, and no error left alone')
  t.equal(await tab.evaluate('Object.keys(localStorage).length'), 0, 'nothing of it stays in the browser')

  const { runId } = (await ask('GET', `/sittings/${id}`)).body
  await ask('GET', `/runs/${runId}?wait=30`)
  const { body } = await ask('GET', `/runs/${runId}/predictions?outcome=answered`)
  const replies = new Map(body.items.map(({ itemId, reply }: any) => [itemId, reply]))
  t.strictSame([choice!.id, odd!.id, open.id].map(itemId => replies.get(itemId)), ['Answer: B', 'Answer: B', 'Heated alloys are harder'])
})
