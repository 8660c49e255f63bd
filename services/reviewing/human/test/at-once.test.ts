import t from 'tap'
import { descriptive } from '../../test/fixtures.ts'
import { fakePeers, folder, generationId, openHouse, worldOf } from '../../test/house.ts'

t.test('twenty blind raters who all send twice at once are taken once each, and an undo sent often is one', async t => {
  const at = await openHouse({ dir: await folder(t), peersUrl: await fakePeers(t, worldOf([descriptive()])) })
  t.teardown(at.close)
  const { id: reviewingId } = (await at.post('/reviewings', { source: { generationId } })).json()
  await at.get(`/reviewings/${reviewingId}?wait=20`)
  const { etag, item } = (await at.get(`/review-queue?reviewingId=${reviewingId}&raterId=anna`)).json().entries[0]
  const send = async (raterId: string) => await at.app.inject({
    method: 'POST',
    url: `/v1/items/${item.id}/reviews`,
    headers: { 'if-match': etag },
    payload: { reviewingId, rater: { id: raterId, role: 'expert', qualification: '' }, seconds: 5, decision: 'accepted' }
  })
  const sent = await Promise.all(Array.from({ length: 40 }, async (_, i) => await send(`r${i % 20}`)))
  const codes = sent.map(({ statusCode }) => statusCode).sort()
  t.same(codes, Array.from({ length: 40 }, (_, i) => i < 20 ? 200 : 201))
  const { review } = sent[0]!.json()
  const undone = await Promise.all(sent.map(async () =>
    await at.post(`/items/${item.id}/reviews/${review.id}/undo`, { reviewingId, raterId: 'r0' })))
  t.ok(undone.every(({ statusCode }) => statusCode === 200))
})
