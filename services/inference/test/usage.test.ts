import tap from 'tap'
import { createApp } from '../../../shared/app/app.ts'
import type { App } from '../../../shared/app/service.ts'
import { Problem } from '../../../shared/errors/problem.ts'
import type { Collection, Doc, Store } from '../../../shared/store/store.ts'
import { seededRandom, type Random } from '../../../shared/testing/random.ts'
import { temporaryFolder } from '../../../shared/testing/temporary-folder.ts'
import type { CallRecord } from '../domain/call.ts'
import { labelsOf } from '../domain/labels.ts'
import { addCall, figuresOf, foldedLabel, noSums } from '../domain/usage.ts'
import { readUsage } from '../handlers/read-usage.ts'
import { usageLedger, type UsageLedger } from '../handlers/usage-ledger.ts'
import { usageRoutes } from '../routes/usage-routes.ts'
import { counted, drawnCall, expected } from './ledger-draws.ts'
import { callOf, openParts } from './ledger-parts.ts'

const silent = { onFault: () => {} }
const all = { filter: {}, limit: 200 }

tap.test('sums of several processes, restarts and lost or late answers are those of the calls', async t => {
  for (let seed = 1; seed <= 12; seed++) {
    const random = seededRandom(seed)
    const folder = temporaryFolder(t)
    const { store } = await openParts(folder)
    const calls: CallRecord[] = []
    const open = async () => await usageLedger(faulty(store, random), silent)
    let ledgers = await Promise.all([0, 1].map(open))
    for (let step = 0; step < 120; step++) {
      const ledger = random.pick(ledgers)
      for (let n = random.whole(0, 6); n > 0; n--) {
        const call = drawnCall(random)
        calls.push(call)
        ledger.note(call)
      }
      if (random.chance(0.3)) await ledger.read({}).catch(() => {})
      if (random.chance(0.05)) {
        // A restart: what could be written is, and another incarnation goes on.
        while (!await ledger.close().then(() => true, () => false));
        ledgers = ledgers.filter(each => each !== ledger)
        ledgers.push(await open())
      }
    }
    for (const ledger of ledgers) while (!await ledger.close().then(() => true, () => false));
    const reader = await usageLedger(store, silent)
    t.strictSame(await counted(reader), expected(calls), `seed ${seed}`)
    await reader.close()
    await store.close()
  }
})

/** The store, with answers that are lost, and writes that fail or arrive after the next one. */
function faulty (store: Store, random: Random): Store {
  let late: Array<() => Promise<unknown>> = []
  const unavailable = new Problem('store-unavailable', 'lost')
  async function write<R> (carryOut: () => Promise<R>): Promise<R> {
    const luck = random.next()
    if (luck < 0.1) throw unavailable
    if (luck < 0.2) { late.push(carryOut); throw unavailable }
    const result = await carryOut()
    if (random.chance(0.3)) { const due = late; late = []; for (const each of due) await each() }
    if (luck < 0.35) throw unavailable
    return result
  }
  return {
    ...store,
    async collection<T extends Doc> (...named: Parameters<Store['collection']>) {
      const inner = await store.collection<T>(...named)
      return {
        ...inner,
        insert: async (doc: T) => await write(async () => await inner.insert(structuredClone(doc))),
        update: async (...change: Parameters<Collection<T>['update']>) => {
          const kept = structuredClone(change)
          return await write(async () => await inner.update(...kept))
        }
      }
    }
  }
}

tap.test('a killed process loses what it had not written, and no more; the next one counts on', async t => {
  const folder = temporaryFolder(t)
  const killed = await openParts(folder)
  const before = await usageLedger(killed.store, silent)
  for (let n = 0; n < 7; n++) before.note(callOf())
  await before.read({})
  before.note(callOf())
  await killed.store.close()
  const { store } = await openParts(folder)
  t.teardown(store.close)
  const after = await usageLedger(store, silent)
  t.teardown(after.close)
  after.note(callOf())
  t.match((await readUsage(after, all)).totals, { requests: 8, promptTokens: 80, completionTokens: 40 })
  t.equal((await readUsage(after, { filter: { group: 'other' }, limit: 1 })).totals.requests, 0)
})

tap.test('usage is written within a second or so without anybody asking', async t => {
  const { store } = await openParts(temporaryFolder(t))
  t.teardown(store.close)
  const faults: unknown[] = []
  let failing = true
  let written: (row: Doc) => void
  const row = new Promise<Doc>(resolve => { written = resolve })
  const watched: Store = {
    ...store,
    async collection<T extends Doc> (...named: Parameters<Store['collection']>) {
      const inner = await store.collection<T>(...named)
      return {
        ...inner,
        async insert (doc: T) {
          if (failing) { failing = false; throw new Problem('store-unavailable', 'away') }
          const isNew = await inner.insert(doc)
          written(doc)
          return isNew
        }
      }
    }
  }
  const ledger = await usageLedger(watched, { onFault: cause => { faults.push(cause) } })
  t.teardown(ledger.close)
  ledger.note(callOf())
  // The clock of the ledger keeps no process alive.
  const alive = setInterval(() => {}, 1000)
  t.match(await row, { sums: { requests: 1 } })
  clearInterval(alive)
  t.match(faults, [{ kind: 'store-unavailable' }], 'and again after a fault')
})

tap.test('what an upstream did not say is null or counted apart, and replays spend nothing', async t => {
  const unsaid = { promptTokens: null, completionTokens: null, cachedTokens: null, reasoningTokens: null }
  const figures = (...calls: CallRecord[]) => {
    const sums = noSums()
    calls.forEach(call => { addCall(sums, call) })
    return figuresOf(sums)
  }
  t.match(figures(), { requests: 0, promptTokens: null, latency: { firstByteMs: null } })
  t.match(figures(callOf({ usage: unsaid })), { requests: 1, promptTokens: null, requestsWithoutUsage: 1 })
  t.match(figures(callOf(), callOf({ usage: unsaid, outcome: 'cancelled', firstByteMs: null })),
    {
      promptTokens: 10,
      cachedTokens: null,
      requestsWithoutUsage: 1,
      outcomes: { answered: 1, cancelled: 1 },
      latency: { firstByteMs: 20, firstByteRequests: 1 }
    })
  t.match(figures(callOf({ usage: unsaid, attempts: 0, outcome: 'refused' }), callOf({ usage: unsaid, path: '/v1/tokenize' })),
    { requests: 2, requestsWithoutUsage: 0 }, 'never sent, or nothing to spend')
  const free = { attempts: 0 }
  t.match(figures(callOf(), callOf({ source: 'record', ...free }), callOf({ source: 'coalesced', ...free })),
    { requests: 3, promptTokens: 10, replayed: 1, coalesced: 1, savedPromptTokens: 20 })
  t.match(figures(callOf({ usage: { ...unsaid, promptTokens: 0 } })),
    { promptTokens: 0, completionTokens: null, requestsWithoutUsage: 0 })
  t.match(figures(callOf({ attempts: 3 }), callOf({ attempts: 0, outcome: 'failed' })), { retries: 2 })
})

tap.test('the number of rows is bounded, and what is folded is marked', async t => {
  const { store } = await openParts(temporaryFolder(t))
  t.teardown(store.close)
  const ledger = await usageLedger(store, { ...silent, rowsMax: 3 })
  t.teardown(ledger.close)
  const of = (caller: string) => ({ labels: { caller, group: '', purpose: '' } })
  for (let n = 0; n < 10; n++) ledger.note(callOf(of(`c${n}`)))
  ledger.note(callOf(of('c0')))
  const invented = { problem: 'model-not-found', outcome: 'refused', ...of('c0') } as const
  for (let n = 0; n < 5; n++) ledger.note(callOf({ model: `invented ${n}`, ...invented }))
  const { rows, totals } = await readUsage(ledger, all)
  t.strictSame(rows.map(({ caller, requests }) => [caller, requests]), [['c0', 2], ['c1', 1], ['c2', 1], [foldedLabel, 12]])
  t.equal(totals.requests, 16)
})

async function listen (t: Pick<typeof tap, 'teardown'>, ledger: UsageLedger): Promise<App> {
  const app = await createApp()
  t.teardown(async () => { await app.close() })
  await app.register(async plugin => { usageRoutes(plugin as App, { usage: ledger }) })
  return app
}

tap.test('GET /v1/usage filters, pages and sums', async t => {
  const { store } = await openParts(temporaryFolder(t))
  t.teardown(store.close)
  const ledger = await usageLedger(store, silent)
  t.teardown(ledger.close)
  const app = await listen(t, ledger)
  const random = seededRandom(3)
  const calls = Array.from({ length: 500 }, () => drawnCall(random))
  calls.forEach(call => { ledger.note(call) })
  const found: object[] = []
  let cursor: string | null = ''
  do {
    const page: any = (await app.inject(`/v1/usage?limit=7${cursor === '' ? '' : `&cursor=${String(cursor)}`}`)).json()
    t.equal(page.totals.requests, 500, 'of all pages')
    found.push(...page.rows)
    cursor = page.nextCursor
  } while (cursor !== null)
  t.strictSame(found, (await readUsage(ledger, all)).rows, 'each row once, in order')
  const g1 = (await app.inject('/v1/usage?group=g1&model=n')).json()
  t.equal(g1.totals.requests, calls.filter(({ labels, model, problem }) => labels.group === 'g1' && model === 'n' && problem === null).length)
  t.equal((await app.inject('/v1/usage?group=')).json().totals.requests, calls.filter(({ labels }) => labels.group === '').length)
  t.match((await app.inject('/v1/usage?cursor=nonsense')).json(), { type: /invalid-cursor$/, status: 400 })
  t.match((await app.inject('/v1/usage?grup=g1')).json(), { type: /invalid-request$/ })
  t.equal((await app.inject('/v1/usage?limit=201')).statusCode, 400)
})

tap.test('the table is safe in a spreadsheet, and null is no zero', async t => {
  const { store } = await openParts(temporaryFolder(t))
  t.teardown(store.close)
  const ledger = await usageLedger(store, silent)
  t.teardown(ledger.close)
  const app = await listen(t, ledger)
  ledger.note(callOf({ labels: { caller: '=HYPERLINK("http://x")', group: ' @SUM(1)', purpose: 'a,"b' } }))
  const { body, headers } = await app.inject('/v1/usage?format=csv')
  t.match(headers['content-type'], 'text/csv')
  const [header = '', row = '', end] = body.split('\r\n')
  t.ok(row.startsWith('"m","\'=HYPERLINK(""http://x"")","\' @SUM(1)","a,""b",1,0,0,0,0,10,5,,,0,0,1,0,0,0,1.5,20,1,100'))
  t.equal(header.split(',').length, 23)
  t.equal(end, '')
})

tap.test('labels are short printable ASCII', async t => {
  t.strictSame(labelsOf({ 'viva-caller': ' scoring ', 'viva-group': 'run/1 (a)' }), { caller: 'scoring', group: 'run/1 (a)', purpose: '' })
  for (const wrong of ['x'.repeat(121), 'caf\u00e9', 'a\tb', 'a\nb', 'a\0b', ['a', 'b']]) {
    t.throws(() => labelsOf({ 'viva-group': wrong }), { kind: 'invalid-request', message: /viva-group/ }, JSON.stringify(wrong))
  }
})
