import tap from 'tap'
import { createApp } from '../../../shared/app/app.ts'
import type { App } from '../../../shared/app/service.ts'
import type { Collection, Store } from '../../../shared/store/store.ts'
import { seededRandom } from '../../../shared/testing/random.ts'
import { temporaryFolder } from '../../../shared/testing/temporary-folder.ts'
import { chargeOf, scopesOf } from '../domain/budget.ts'
import { openBudgets, type Reservation } from '../handlers/budgets.ts'
import { budgetRoutes } from '../routes/budget-routes.ts'
import { callOf, openParts } from './ledger-parts.ts'

const onFault = (): void => {}
const labels = { caller: 'scoring', group: 'run_1', purpose: 'predict' }
const unsaid = { promptTokens: null, completionTokens: null, cachedTokens: null, reasoningTokens: null }
const spent = (tokens: number) => callOf({ usage: { ...unsaid, promptTokens: tokens, completionTokens: 0 } })
const exhausted = { kind: 'budget-exhausted', message: /does not allow/ }

tap.test('a budget is reserved before a call and settled by what it spent, exactly', async t => {
  const { store } = await openParts(temporaryFolder(t))
  t.teardown(store.close)
  const budgets = await openBudgets(store, onFault)
  t.teardown(budgets.close)
  const { id } = await budgets.create({ caller: null, group: 'run_1', tokensMax: 100, requestsMax: null })
  const one = await budgets.reserve(labels, 60)
  await t.rejects(budgets.reserve(labels, 41), exhausted, 'more than is left beside what is reserved')
  const two = await budgets.reserve(labels, 40)
  await t.rejects(budgets.reserve(labels, 1), exhausted)
  t.ok(await budgets.reserve({ ...labels, group: 'other' }, 1_000), 'another group is not held')
  one.settle(spent(10))
  one.settle(spent(10))
  const before = { spent: { tokens: 10, requests: 1 }, reserved: { tokens: 40, requests: 1 } }
  t.match(await budgets.get(id), { ...before, remaining: { tokens: 50, requests: null } })
  two.settle(spent(95))
  t.match(await budgets.get(id), { spent: { tokens: 105, requests: 2 }, reserved: { tokens: 0, requests: 0 }, remaining: { tokens: 0 } }, 'an estimate may be too low, what is left is never below 0')
})

tap.test('a call is held by the budgets of its caller, of its group and of both, and takes of all or none', async t => {
  const { store } = await openParts(temporaryFolder(t))
  t.teardown(store.close)
  const budgets = await openBudgets(store, onFault)
  t.teardown(budgets.close)
  await budgets.create({ caller: 'scoring', group: null, tokensMax: null, requestsMax: 3 })
  await budgets.create({ caller: null, group: 'run_1', tokensMax: 1000, requestsMax: null })
  await budgets.create({ caller: 'scoring', group: 'run_1', tokensMax: null, requestsMax: 1 })
  await budgets.reserve(labels, 100)
  await t.rejects(budgets.reserve(labels, 100), { kind: 'budget-exhausted', message: /caller scoring of group run_1.* all of its 1 requests/ })
  t.strictSame(budgets.of(labels).map(({ reserved }) => reserved), Array(3).fill({ tokens: 100, requests: 1 }), 'who is refused reserves nothing')
  t.equal(budgets.of({ caller: '', group: '', purpose: '' }).length, 0)
  t.equal(scopesOf({ caller: '', group: 'null', purpose: '' }).length, 1)
})

tap.test('any order of reservations and ends leaves what the calls spent, and never more under way than allowed', async t => {
  for (let seed = 1; seed <= 20; seed++) {
    const random = seededRandom(seed)
    const { store } = await openParts(temporaryFolder(t))
    const budgets = await openBudgets(store, onFault)
    const tokensMax = random.whole(100, 2000)
    const { id } = await budgets.create({ caller: 'scoring', group: null, tokensMax, requestsMax: null })
    const open: Array<{ reservation: Reservation, estimate: number }> = []
    let tokens = 0
    for (let step = 0; step < 300; step++) {
      if (random.chance(0.5)) {
        const estimate = random.whole(0, 200)
        const allowed = tokens + open.reduce((sum, each) => sum + each.estimate, 0) + estimate <= tokensMax
        let reservation: Reservation | undefined
        try { reservation = await budgets.reserve(labels, estimate) } catch {}
        if (allowed !== (reservation !== undefined)) t.fail(`seed ${seed}: step ${step}`)
        if (reservation !== undefined) open.push({ reservation, estimate })
      } else if (open.length > 0) {
        const { reservation, estimate } = open.splice(random.whole(0, open.length - 1), 1)[0]!
        const record = random.pick([spent(random.whole(0, estimate)), callOf({ source: 'record', attempts: 0 }), callOf({ outcome: 'failed', usage: unsaid }), callOf({ usage: unsaid })])
        tokens += chargeOf(record, estimate).tokens
        reservation.settle(record)
      }
    }
    t.equal((await budgets.get(id)).spent.tokens, tokens, `seed ${seed}`)
    await budgets.close()
    await store.close()
  }
})

tap.test('what is not said is charged its estimate, and what cost nothing is free', async t => {
  const free = { tokens: 0, requests: 0 }
  t.strictSame(chargeOf(callOf(), 99), { tokens: 15, requests: 1 })
  t.strictSame(chargeOf(callOf({ usage: unsaid }), 99), { tokens: 99, requests: 1 })
  t.strictSame(chargeOf(callOf({ usage: unsaid, outcome: 'cancelled' }), 99), { tokens: 99, requests: 1 })
  t.strictSame(chargeOf(callOf({ usage: unsaid, outcome: 'failed' }), 99), { tokens: 0, requests: 1 })
  t.strictSame(chargeOf(callOf({ usage: unsaid, outcome: 'cancelled', attempts: 0 }), 99), free)
  t.strictSame(chargeOf(callOf({ source: 'record' }), 99), free)
  t.strictSame(chargeOf(callOf({ source: 'coalesced' }), 99), free)
})

tap.test('spending survives restarts and is seen by other processes; a deleted budget holds nobody', async t => {
  const folder = temporaryFolder(t)
  const one = await openParts(folder)
  const other = await openParts(folder)
  t.teardown(other.store.close)
  const first = await openBudgets(one.store, onFault)
  const second = await openBudgets(other.store, onFault)
  t.teardown(second.close)
  const { id } = await first.create({ caller: 'scoring', group: null, tokensMax: 100, requestsMax: null })
  const sixty = await first.reserve(labels, 60)
  sixty.settle(spent(60))
  t.match(await second.list(), [{ id, remaining: { tokens: 100 } }], 'known at once, spending once it is written')
  const ten = await second.reserve(labels, 10)
  ten.settle(spent(10))
  await first.close()
  await one.store.close()
  t.match(await second.get(id), { spent: { tokens: 70, requests: 2 } })
  await t.rejects(second.reserve(labels, 31), exhausted)

  const again = await openParts(folder)
  t.teardown(again.store.close)
  const third = await openBudgets(again.store, onFault)
  t.teardown(third.close)
  await t.rejects(third.reserve(labels, 41), exhausted, 'also when asked for nothing before')
  const five = await third.reserve(labels, 5)
  five.settle(spent(5))
  await third.remove(id)
  t.ok(await third.reserve(labels, 1_000))
  await t.rejects(second.get(id), { kind: 'budget-not-found', message: /bgt_/ })
  t.ok(await second.reserve(labels, 1_000))
  const { id: anew } = await second.create({ caller: 'scoring', group: null, tokensMax: 100, requestsMax: null })
  t.match(await third.get(anew), { spent: { tokens: 0, requests: 0 } })
})

tap.test('a process that had nothing to do for a while learns what others spent before it lets anybody in', async t => {
  const folder = temporaryFolder(t)
  const one = await openParts(folder)
  const other = await openParts(folder)
  t.teardown(other.store.close)
  let ms = 0
  const idle = await openBudgets(other.store, onFault, () => ms)
  t.teardown(idle.close)
  await idle.reserve(labels, 1)
  const busy = await openBudgets(one.store, onFault)
  await busy.create({ caller: 'scoring', group: null, tokensMax: null, requestsMax: 3 })
  for (let nth = 0; nth < 2; nth++) (await busy.reserve(labels, 1)).settle(spent(1))
  await busy.close()
  await one.store.close()
  ms += 3_600_000
  const twenty = Array.from({ length: 20 }, async () => await idle.reserve(labels, 1))
  const asked = await Promise.allSettled(twenty)
  t.equal(asked.filter(({ status }) => status === 'fulfilled').length, 1, 'one was left')
})

tap.test('a store that does not answer holds up nobody for longer than a moment', async t => {
  const { store } = await openParts(temporaryFolder(t))
  t.teardown(store.close)
  let ms = 0
  let away = false
  const faults: unknown[] = []
  const lame: Store = {
    ...store,
    collection: async (...given) => {
      const collection = await store.collection(...given) as Collection<any>
      const findMany: typeof collection.findMany = async (...asked) => {
        if (away) throw new Error('away')
        return await collection.findMany(...asked)
      }
      return { ...collection, findMany } as any
    }
  }
  const budgets = await openBudgets(lame, cause => { faults.push(cause) }, () => ms)
  t.teardown(budgets.close)
  await budgets.create({ caller: 'scoring', group: null, tokensMax: null, requestsMax: 2 })
  await budgets.reserve(labels, 1)
  away = true
  ms += 3_600_000
  t.ok(await budgets.reserve(labels, 1), 'what is known holds')
  await t.rejects(budgets.reserve(labels, 1), exhausted)
  t.equal(faults.length, 1, 'and it is not asked again at once')
})

tap.test('budgets over HTTP', async t => {
  const { store } = await openParts(temporaryFolder(t))
  t.teardown(store.close)
  const budgets = await openBudgets(store, onFault)
  t.teardown(budgets.close)
  const app = await createApp()
  t.teardown(async () => { await app.close() })
  await app.register(async plugin => { budgetRoutes(plugin as App, { budgets }) })
  const post = async (body: object) => await app.inject({ method: 'POST', url: '/v1/budgets', payload: body })
  const made = await post({ group: 'thesis', tokensMax: 10 })
  t.equal(made.statusCode, 201)
  const url = String(made.headers.location)
  t.match((await app.inject(url)).json(), { group: 'thesis', caller: null, remaining: { tokens: 10, requests: null } })
  t.match((await post({ group: 'thesis', requestsMax: 1 })).json(), { status: 409, type: /conflict$/ })
  for (const wrong of [{}, { group: 'a' }, { tokensMax: 1 }, { group: '', tokensMax: 1 }, { group: ' a', tokensMax: 1 }, { group: 'a', tokensMax: -1 }, { group: 'a', tokenMax: 1 }]) {
    t.match((await post(wrong)).json(), { status: 400, type: /invalid-request$/ }, JSON.stringify(wrong))
  }
  await post({ caller: 'a', requestsMax: 0 })
  const page = (await app.inject('/v1/budgets?limit=1')).json()
  t.equal(page.items.length, 1)
  const next = (await app.inject(`/v1/budgets?limit=1&cursor=${String(page.nextCursor)}`)).json()
  t.strictSame([next.items.length, next.nextCursor], [1, null])
  t.equal((await app.inject({ method: 'DELETE', url })).statusCode, 204)
  t.match((await app.inject(url)).json(), { status: 404, type: /budget-not-found$/ })
})
