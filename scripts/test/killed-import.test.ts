import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import type { BankImport } from '../../shared/contracts/bank.ts'
import { endWithUs, killChild } from '../../shared/testing/children.ts'
import { temporaryFolder } from '../../shared/testing/temporary-folder.ts'

const script = fileURLToPath(new URL('killed-import-house.ts', import.meta.url))
const runner = fileURLToPath(new URL('../run.mjs', import.meta.url))

async function startHouse (t: Test, folder: string) {
  const child = spawn(process.execPath, [runner, script], {
    env: { ...process.env, DATA_DIR: folder }, stdio: ['ignore', 'pipe', 'inherit']
  })
  endWithUs(child)
  t.teardown(async () => { await killChild(child) })
  const [line] = await once(createInterface({ input: child.stdout! }), 'line') as [string]
  const { url } = JSON.parse(line) as { url: string }
  const get = async (path: string) => await fetch(`${url}/v1/imports${path}`)
  return {
    async send (bank: string) {
      const form = new FormData()
      form.append('file', new Blob([bank]), 'bank.jsonl')
      const reply = await fetch(`${url}/v1/imports`, { method: 'POST', body: form })
      return { status: reply.status, record: await reply.json() as BankImport }
    },
    record: async (id: string, seconds: number) => await (await get(`/${id}?wait=${seconds}`)).json() as BankImport,
    items: async (id: string) => await (await get(`/${id}/items.jsonl`)).text(),
    rejected: async (id: string) => await (await get(`/${id}/rows?state=rejected&limit=200`)).text(),
    anyRows: async (id: string) => (await (await get(`/${id}/rows?limit=1`)).json() as { items: unknown[] }).items.length > 0,
    kill: async () => { await killChild(child) }
  }
}

const row = (id: number) => ({
  id, question: `다음 중 값이 ${id}인 것은?`, A: `가 ${id}`, B: `나 ${id}`, C: `다 ${id}`, D: `라 ${id}`, answer: id % 100 === 7 ? 'E' : 'ABCD'[id % 4]
})
const bank = Array.from({ length: 3_000 }, (_, id) => JSON.stringify(row(id))).join('\n')

t.test('an import whose process is killed as soon as it is acknowledged, and again with rows kept, ends as one that was left alone', async t => {
  const folder = temporaryFolder(t)
  let house = await startHouse(t, folder)
  const { status, record: { id } } = await house.send(bank)
  t.equal(status, 202)
  await house.kill()
  house = await startHouse(t, folder)
  let kept = false
  for (let asked = 0; !kept && asked < 10_000; asked++) kept = await house.anyRows(id)
  t.ok(kept)
  await house.kill()
  house = await startHouse(t, folder)
  const record = await house.record(id, 60)
  const alone = await startHouse(t, temporaryFolder(t))
  t.equal((await alone.send(bank)).record.id, id)
  const whole = await alone.record(id, 60)
  t.match(whole, { state: 'succeeded', rowCount: 3_000, itemCount: 2_970, rowCounts: { rejected: 30 } })
  const lasting = ({ state, rowCount, itemCount, rowCounts, noteCounts }: BankImport) =>
    ({ state, rowCount, itemCount, rowCounts, noteCounts })
  t.strictSame(lasting(record), lasting(whole))
  t.equal(await house.items(id), await alone.items(id))
  t.equal(await house.rejected(id), await alone.rejected(id))
  t.equal((await house.send(bank)).status, 200, 'sent again it is the same import')
})
