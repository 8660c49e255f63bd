/** Raters at a reviewing of four items, for tests. */
import type { Document } from '../../../../shared/contracts/document.ts'
import type { HumanReviewRequest, QueueEntry } from '../../../../shared/contracts/human-review.ts'
import type { Item } from '../../../../shared/contracts/item.ts'
import { choice, descriptive, pair } from '../../test/fixtures.ts'
import { fakePeers, folder, generationId, openHouse, worldOf, type House } from '../../test/house.ts'
import { builtIn } from '../domain/built-in.ts'

export const [yes, no] = pair()
export const items = [descriptive(), choice(), yes, no]
export const [itemForm, setForm, rationaleForm] = builtIn
export const rated = (accuracy: number, relevance: number) => (
  { questionnaireId: itemForm!.id, answers: { accuracy, relevance } })

export type Wrap = NonNullable<Parameters<typeof openHouse>[0]['wrap']>

interface Given { wrap?: Wrap, documents?: Document[] }

/** A house with the items reviewed, and what raters do there. */
export async function opened (
  t: Parameters<typeof folder>[0], made: Item[] = items, { wrap, documents }: Given = {}
) {
  const peersUrl = await fakePeers(t, worldOf(made, documents))
  const at = await openHouse({ dir: await folder(t), peersUrl, ...wrap !== undefined && { wrap } })
  t.teardown(at.close)
  const { id } = (await at.post('/reviewings', { source: { generationId } })).json()
  await at.get(`/reviewings/${id}?wait=20`)
  return { at, id: id as string, ...actionsOf(at, id) }
}

function actionsOf (at: House, reviewingId: string) {
  const read = async ({ id }: Item) => {
    const answer = await at.get(`/reviewings/${reviewingId}/items/${id}`)
    return { ...answer.json(), etag: String(answer.headers.etag) }
  }
  type Own = Partial<HumanReviewRequest> & { ifMatch?: string | null }
  const send = async ({ id }: Item, raterId: string, own: Own) => {
    const { ifMatch, ...body } = own
    const answer = await at.app.inject({
      method: 'POST',
      url: `/v1/items/${id}/reviews`,
      headers: ifMatch === null ? {} : { 'if-match': ifMatch ?? (await read({ id } as Item)).etag },
      payload: { reviewingId, rater: { id: raterId, role: 'expert', qualification: '' }, seconds: 5, ...body }
    })
    return { status: answer.statusCode, etag: answer.headers.etag, ...answer.json() }
  }
  const undo = async ({ id }: Item, raterId: string, reviewId: string) => {
    const answer = await at.post(`/items/${id}/reviews/${reviewId}/undo`, { reviewingId, raterId })
    return { status: answer.statusCode, ...answer.json() }
  }
  const reviewsOf = async ({ id }: Item) => (await at.get(`/items/${id}/reviews`)).json().items
    .filter((review: { role: string }) => review.role === 'human')
  const blind = async (raterId: string, own = ''): Promise<QueueEntry[]> =>
    (await at.get(`/review-queue?reviewingId=${reviewingId}&raterId=${raterId}&limit=20${own}`)).json().entries
  return { read, send, undo, reviewsOf, blind }
}
