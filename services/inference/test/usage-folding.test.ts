import t, { type Test } from 'tap'
import { Problem } from '../../../shared/errors/problem.ts'
import type { Collection, Doc, Store } from '../../../shared/store/store.ts'
import { seededRandom, type Random } from '../../../shared/testing/random.ts'
import { temporaryFolder } from '../../../shared/testing/temporary-folder.ts'
import type { CallRecord } from '../domain/call.ts'
import type { UsageKey, UsageSums } from '../domain/usage.ts'
import type { RowDoc } from '../handlers/own-rows.ts'
import { usageLedger, type UsageLedger } from '../handlers/usage-ledger.ts'
import { counted, drawnCall, expected } from './ledger-draws.ts'
import { openParts } from './ledger-parts.ts'

const silent = { onFault: () => {} }

t.test('rows of former starts become one for each key, and nothing is lost or counted twice', async t => {
  for (let seed = 1; seed <= 12; seed++) {
    const random = seededRandom(seed)
    const { store } = await openParts(temporaryFolder(t))
    const collection = await store.collection<RowDoc<UsageKey, UsageSums>>('usage')
    const calls: CallRecord[] = []
    let clock = 0
    const ledgers: UsageLedger[] = []
    for (let start = 0; start < 12; start++) {
      // Two start at once each day, and fold at once; some steps fail, and those before go on counting.
      // What could not be written is tried again each second, and a day is long.
      for (const ledger of ledgers) while (await ledger.read({}).then(() => false, () => true));
      clock += 2 * 24 * 3_600_000
      const options = { ...silent, now: () => clock }
      const flaky = failing(store, random)
      const begun = await Promise.all([0, 1].map(async () => await usageLedger(flaky, options)))
      for (const ledger of [...begun, ...ledgers]) {
        for (let n = random.whole(0, 4); n > 0; n--) {
          const call = { ...drawnCall(random), queueMs: 1, totalMs: 2, firstByteMs: 1 }
          calls.push(call)
          ledger.note(call)
        }
        if (random.chance(0.5)) await untilRead(t, ledger, calls)
      }
      for (const ledger of begun) {
        if (random.chance(0.5)) ledgers.push(ledger)
        else while (!await ledger.close().then(() => true, () => false));
      }
    }
    for (const ledger of ledgers) while (!await ledger.close().then(() => true, () => false));
    clock += 2 * 24 * 3_600_000
    const last = await usageLedger(store, { ...silent, now: () => clock })
    t.strictSame(await counted(last), expected(calls), `seed ${seed}`)
    await last.close()
    t.equal(await collection.count({}), expected(calls).size, 'one row for each key')
    await store.close()
  }
})

/** What is read while others fold is right too. */
async function untilRead (t: Test, ledger: UsageLedger, calls: readonly CallRecord[]): Promise<void> {
  const sumOf = (rows: Map<string, UsageSums>): number =>
    [...rows.values()].reduce((sum, row) => sum + row.requests, 0)
  const found = await counted(ledger).catch(() => null)
  if (found !== null) t.ok(sumOf(found) <= calls.length)
}

/** The store, which now and then does a thing and says it failed, or does not do it. */
function failing (store: Store, random: Random): Store {
  const luck = async <R>(carryOut: () => Promise<R>): Promise<R> => {
    const drawn = random.next()
    if (drawn < 0.05) throw new Problem('store-unavailable', 'not done')
    const result = await carryOut()
    if (drawn < 0.1) throw new Problem('store-unavailable', 'done, and the answer lost')
    return result
  }
  return {
    ...store,
    async collection<T extends Doc> (...named: Parameters<Store['collection']>) {
      const inner = await store.collection<T>(...named)
      return {
        ...inner,
        insert: async (doc: T) => await luck(async () => await inner.insert(doc)),
        update: async (...change: Parameters<Collection<T>['update']>) => await luck(async () => await inner.update(...change)),
        delete: async (id: string) => await luck(async () => await inner.delete(id))
      }
    }
  }
}
