/** Generation with its imports, asked over HTTP. */
import { FormData } from 'undici'
import type { Test } from 'tap'
import { silentLog } from '../../../../shared/app/log.ts'
import { startServices } from '../../../../shared/app/start.ts'
import type { BankImport, ImportOptions, ImportRow } from '../../../../shared/contracts/bank.ts'
import type { Item } from '../../../../shared/contracts/item.ts'
import { temporaryFolder } from '../../../../shared/testing/temporary-folder.ts'
import { generation } from '../../service.ts'

const nowhere = { PARSING_URL: 'http://127.0.0.1:9', INFERENCE_URL: 'http://127.0.0.1:9' }

export interface Imported { record: BankImport, rows: ImportRow[], items: Item[] }

export async function startBanks (t: Test, others: Parameters<typeof startServices>[0] = []) {
  const folder = temporaryFolder(t)
  const env = { DATA_DIR: folder, PORT: '0', ...others.length === 0 && nowhere }
  const suite = await startServices([...others, generation], env, { log: silentLog() })
  t.teardown(async () => { await suite.close() })

  async function ask (path: string, body?: object, method = body === undefined ? 'GET' : 'POST') {
    return await fetch(`${suite.url}/v1${path}`, {
      method, ...body !== undefined && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
    })
  }
  const get = async <T = any>(path: string) => await (await ask(path)).json() as T

  async function send (bank: Uint8Array | string, options?: ImportOptions, name = 'bank.bin') {
    const form = new FormData()
    form.append('file', new Blob([Buffer.from(bank as string)]), name)
    if (options !== undefined) form.append('options', JSON.stringify(options))
    const reply = await fetch(`${suite.url}/v1/imports`, { method: 'POST', body: form as unknown as globalThis.FormData })
    return { status: reply.status, location: reply.headers.get('location'), body: await reply.json() as any }
  }

  /** Once it has ended, with all of its rows and items. */
  async function imported (bank: Uint8Array | string, options?: ImportOptions): Promise<Imported> {
    const { body } = await send(bank, options)
    if (body.id === undefined) throw new Error(`The bank was refused: ${JSON.stringify(body)}`)
    return await ended(body.id)
  }

  async function ended (id: string): Promise<Imported> {
    const record = await get<BankImport>(`/imports/${id}?wait=60`)
    const rows = await get(`/imports/${id}/rows?limit=200`)
    const items = await get(`/items?importId=${id}&limit=200`)
    return { record, rows: rows.items, items: items.items }
  }

  return { url: suite.url, folder, close: suite.close, ask, get, send, imported, ended }
}

/** State and codes of each row. */
export function told (rows: readonly ImportRow[]): string[] {
  return rows.map(({ state, notes }) => [state, ...notes.map(({ code }) => code)].join(' '))
}
