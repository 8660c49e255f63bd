import { join } from 'node:path'
import t from 'tap'
import { embeddedStore } from '../../../../shared/store/embedded.ts'
import { temporaryFolder } from '../../../../shared/testing/temporary-folder.ts'
import { newSeat, withAnswer } from '../domain/seat.ts'
import { sittingStore } from '../store.ts'

t.test('a seat that was sealed, or written to since it was read, takes no answer', async t => {
  const database = await embeddedStore(join(temporaryFolder(t), 'scoring.db'))
  t.teardown(async () => { await database.close() })
  const store = await sittingStore(database)
  const given = (text: string) => ({ answer: { text }, at: 1, late: false })
  const shown = { ...newSeat('itm_1', 0), shownAt: 1 }
  const read = await store.showSeat('sit_1', shown)
  t.strictSame(await store.showSeat('sit_1', { ...shown, shownAt: 2 }), read, 'who comes second gets the first one\'s clock')
  t.equal(await store.saveAnswers(read, withAnswer(read, given('a'))), true)
  t.equal(await store.saveAnswers(read, withAnswer(read, given('b'))), false, 'read before the other was written')
  const now = (await store.findSeat('sit_1', 'itm_1'))!
  await store.seal('sit_1', ['itm_1', 'itm_2'])
  t.equal(await store.saveAnswers(now, withAnswer(now, given('c'))), false, 'sealed')
  t.match(await store.listSeats('sit_1'), [
    { itemId: 'itm_1', sealed: true, ending: 'answered', answers: [{ answer: { text: 'a' } }] }, { itemId: 'itm_2', sealed: true, ending: 'not-reached' }
  ])
  t.match(await store.showSeat('sit_1', { ...newSeat('itm_2', 1), shownAt: 3 }), { sealed: true, shownAt: null }, 'what was not reached stays so')
})
