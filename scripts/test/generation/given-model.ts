/** Generation in front of the real inference service and a fake model server, with papers of the test. */
import type { Test as Tap } from 'tap'
import { Type } from 'typebox'
import { encode } from 'fast-png'
import { silentLog } from '../../../shared/app/log.ts'
import { defineService } from '../../../shared/app/service.ts'
import { startServices } from '../../../shared/app/start.ts'
import type { Document } from '../../../shared/contracts/document.ts'
import type { Generation } from '../../../shared/contracts/generation.ts'
import type { Item, Rejection } from '../../../shared/contracts/item.ts'
import type { Page } from '../../../shared/contracts/page.ts'
import { fakeAuthor, manners, type AuthorOptions } from '../../../shared/testing/fake-author.ts'
import { fakeVllm, type FakeOptions, type FakeVllm } from '../../../shared/testing/fake-vllm.ts'
import { temporaryFolder } from '../../../shared/testing/temporary-folder.ts'
import { inference } from '../../../services/inference/service.ts'
import { generation } from '../../../services/generation/service.ts'

const png = Buffer.from(encode({ width: 4, height: 4, channels: 3, data: new Uint8Array(48).fill(200) }))

/** Parsing as generation sees it. */
function parsingOf (documents: readonly Document[]) {
  const found = (request: { params: unknown }) =>
    documents.find(({ paperId }) => paperId === (request.params as { paperId: string }).paperId)!
  return defineService({
    name: 'parsing',
    config: Type.Object({}),
    summary: 'Papers of the test',
    async start ({ app }) {
      app.get('/v1/papers/:paperId', async request => {
        const { paperId: id, documentHash } = found(request)
        return { id, state: 'succeeded', documentHash, progress: { done: 1, total: 1, failed: 0 }, problems: [] }
      })
      app.get('/v1/papers/:paperId/document', async request => found(request))
      app.get('/v1/papers/:paperId/figures/:figureId/image', async (_, reply) => await reply.type('image/png').send(png))
    }
  })
}

interface Given {
  documents: readonly Document[]
  author?: AuthorOptions
  fake?: FakeOptions
  /** What the model can do. */
  capabilities?: string[]
  env?: Record<string, string>
  folder?: string
  /** Calls at once; 16 where absent. */
  slots?: number
  /** Instead of one of its own. */
  server?: FakeVllm
}

export async function givenModel (t: Pick<Tap, 'teardown' | 'name'>, given: Given) {
  const { documents, author, fake: options, capabilities = ['vision', 'structured-output'], env, folder = temporaryFolder(t) } = given
  const fake = given.server ?? await fakeVllm({ models: ['writer', ...manners], reply: fakeAuthor(author), ...options })
  const suite = await startServices([parsingOf(documents), inference, generation], {
    PORT: '0',
    DATA_DIR: folder,
    RATE_PER_MINUTE: '0',
    UPSTREAMS: JSON.stringify([{ name: 'fake', baseUrl: fake.url, capabilities, slots: given.slots ?? 16 }]),
    ...env
  }, { log: silentLog() })
  t.teardown(async () => {
    await close()
    if (given.server === undefined) await fake.close()
  })
  let closed = false
  const close = async () => {
    if (closed) return
    closed = true
    await suite.close()
  }
  const send = async (path: string, body?: unknown) => await fetch(`${suite.url}/v1${path}`, {
    method: 'POST', ...body !== undefined && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
  })
  const get = async <T>(path: string) => await (await fetch(`${suite.url}/v1${path}`)).json() as T
  const paperIds = documents.map(({ paperId }) => paperId)
  /** Its id. */
  async function open (recipe: object): Promise<string> {
    const asked = { paperIds, recipe: { strategy: 'model', model: 'writer', review: false, ...recipe } }
    const { id } = await (await send('/generations', asked)).json() as Generation
    return id
  }
  /** Once it has ended. */
  async function results (id: string) {
    const generation = await get<Generation>(`/generations/${id}?wait=60`)
    const { items } = await get<Page<Item>>(`/items?generationId=${id}&limit=200`)
    const { items: rejections } = await get<Page<Rejection>>(`/generations/${id}/rejections?limit=200`)
    return { generation, items, rejections }
  }
  return {
    fake,
    send,
    get,
    close,
    open,
    results,
    /** Opens a generation of all papers, and waits for its end. */
    made: async (recipe: object) => await results(await open(recipe))
  }
}
