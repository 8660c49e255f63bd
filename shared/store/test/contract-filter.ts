/** What filters, orders, limits and counts mean, on paths with and without an index alike. */
import type { Test } from 'tap'
import type { Collection, Doc, Filter, FindOptions } from '../store.ts'
import type { Adapter } from './contract.ts'

type Any = Doc & Record<string, any>

/** Every kind of value, under `v` (with an index) and `w.v` (without); the _id says which. */
const values: Array<[id: string, value: unknown]> = [
  ['missing', undefined], ['null', null], ['minus', -1], ['zero', 0], ['half', 0.5], ['one', 1], ['third', 0.1 + 0.2],
  ['big', 2 ** 60], ['huge', 952671996524513300], ['empty', ''], ['digit', '1'], ['word', 'one'], ['wordTrue', 'true'],
  ['wordNull', 'null'], ['json', '{"a":1}'], ['private', '\ue000'], ['astral', '😀'], ['false', false], ['true', true]
]

/** Filter on one path → ids of the documents it selects. */
const cases: Array<[wanted: Filter[string], ids: string[]]> = [
  [null, ['missing', 'null']], [0, ['zero']], [1, ['one']], [true, ['true']], [false, ['false']], ['', ['empty']],
  ['1', ['digit']], ['{"a":1}', ['json']], [0.1 + 0.2, ['third']], [0.3, []], [2 ** 60, ['big']],
  [952671996524513300, ['huge']], ['😀', ['astral']],
  [{ $in: [] }, []], [{ $in: [null] }, ['missing', 'null']], [{ $in: [true, 'one', 1] }, ['true', 'word', 'one']],
  [{ $in: [null, false, '1', 'x'] }, ['missing', 'null', 'false', 'digit']], [{ $in: [0, 1, 2 ** 60] }, ['zero', 'one', 'big']],
  [{ $gt: 0 }, ['half', 'one', 'third', 'big', 'huge']], [{ $gte: 0, $lt: 1 }, ['zero', 'half', 'third']],
  [{ $lt: 0 }, ['minus']], [{ $lte: 0 }, ['minus', 'zero']], [{ $gte: 2 ** 60 }, ['big']],
  [{ $gt: '' }, ['digit', 'word', 'wordTrue', 'wordNull', 'json', 'private', 'astral']],
  [{ $gte: 'one', $lt: 'p' }, ['word']], [{ $gt: '\ue000' }, ['astral']], [{ $lt: '2' }, ['empty', 'digit']],
  [{ $exists: false }, ['missing']], [{ $gt: 0, $ne: 1 }, ['half', 'third', 'big', 'huge']]
]

export async function filterContract (t: Test, { name, open }: Adapter): Promise<void> {
  const store = await open('filters')
  const things = await store.collection<Any>('things', [{ keys: ['v'] }, { keys: ['state', 'n'] }])
  for (const [_id, v] of values) await things.insert(v === undefined ? { _id } : { _id, v, w: { v } } as Any)

  await t.test(`store of ${name}: filters`, async t => {
    for (const path of ['v', 'w.v']) {
      for (const [wanted, ids] of cases) {
        await t.test(`${path} ${JSON.stringify(wanted)}`, async t => await selects(t, things, [{ [path]: wanted }, ids]))
      }
      for (const [id, value] of values.slice(1) as Array<[string, null]>) {
        await t.test(`${path} $ne ${JSON.stringify(value)} is all others, missing ones too`, async t => {
          const same = value === null ? ['missing', 'null'] : [id]
          const others = values.map(([id]) => id).filter(id => !same.includes(id))
          await selects(t, things, [{ [path]: { $ne: value } }, others])
        })
      }
      await t.test(`${path} $exists`, async t =>
        await selects(t, things, [{ [path]: { $exists: true } }, values.slice(1).map(([id]) => id)]))
    }
    await t.test('conditions all hold; _id is a path; none is all', async t => {
      await selects(t, things, [{ v: { $gte: 0 }, 'w.v': { $lte: 0.5 }, _id: { $gt: 't' } }, ['third', 'zero']])
      await selects(t, things, [{ _id: { $in: ['one', 'zero', 'no'] } }, ['one', 'zero']])
      await selects(t, things, [{ _id: 7 }, []])
      await selects(t, things, [{ _id: { $ne: 'one' }, v: 1 }, []])
      await selects(t, things, [{}, values.map(([id]) => id)])
    })
    await t.test('a path through what is no object is missing', async t =>
      await selects(t, things, [{ 'v.x': null, v: 'one' }, ['word']]))
    await t.test('what is no filter is refused, whoever sent it', async t => await refused(t, things))
  })
  await t.test(`store of ${name}: orders and counts`, async t => await ordersAndCounts(t, things))
  await store.close()
}

/** The filter gives these documents in findMany, count and the guard of an update alike. */
async function selects (
  t: Test, things: Collection<Any>, [filter, ids]: [Filter, string[]]
): Promise<void> {
  const expected = [...ids].sort()
  t.same((await things.findMany(filter, { limit: 100 })).map(({ _id }) => _id), expected, 'findMany')
  t.equal(await things.count(filter), expected.length, 'count')
  const guarded: string[] = []
  for (const [id] of values) {
    if (await things.update(id, filter, { $unset: { touched: true } })) guarded.push(id)
  }
  t.same(guarded.sort(), expected, 'guard')
}

async function refused (t: Test, things: Collection<Any>): Promise<void> {
  const wrong: unknown[] = [
    { v: undefined }, { v: {} }, { v: { $where: '1' } }, { v: { $regex: '.*' } }, { v: { $eq: 1 } }, { v: { a: 1 } },
    { v: [1] }, { v: { $in: 'x' } }, { v: { $in: [{}] } }, { v: { $in: [undefined] } }, { v: { $gt: null } },
    { v: { $gt: true } }, { v: { $gt: undefined } }, { v: { $ne: { $ne: 1 } } }, { v: { $exists: 1 } },
    { v: NaN }, { v: new Date(0) }, { $or: [{ v: 1 }] }, { $where: '1' }, { 'v"': 1 }, { 'v\') OR 1 --': 1 },
    { 'v..x': 1 }, { '': 1 }, { '__proto__.x': 1 }, { _bsontype: 1 }, [], null, 'v'
  ]
  for (const filter of wrong as Filter[]) {
    await t.rejects(things.count(filter), TypeError, JSON.stringify(filter))
    await t.rejects(things.findMany(filter, { limit: 1 }), TypeError)
    await t.rejects(things.update('one', filter, { $set: { hit: 1 } }), TypeError)
  }
  t.equal((await things.find('one'))?.hit, undefined)
}

async function ordersAndCounts (t: Test, things: Collection<Any>): Promise<void> {
  const ids = async (filter: Filter, options: FindOptions): Promise<string[]> =>
    (await things.findMany(filter, options)).map(({ _id }) => _id)

  await t.test('an order goes null and missing, numbers, strings by code point, booleans; ties by _id', async t => {
    const order = ['missing', 'null', 'minus', 'zero', 'third', 'half', 'one', 'huge', 'big', 'empty', 'digit', 'wordNull',
      'word', 'wordTrue', 'json', 'private', 'astral', 'false', 'true']
    t.same(await ids({}, { sort: { v: 1 }, limit: 100 }), order)
    t.same(await ids({}, { sort: { 'w.v': 1 }, limit: 100 }), order)
    const down = [...order].reverse()
    down.push(...down.splice(-2).reverse())
    t.same(await ids({}, { sort: { v: -1 }, limit: 100 }), down)
  })
  for (let i = 0; i < 60; i++) {
    await things.insert({ _id: `s${String(i).padStart(2, '0')}`, state: ['new', 'run', 'done'][i % 3], n: i % 4, to: { x: i } } as Any)
  }
  await t.test('the first few of an order with several keys', async t => {
    t.same(await ids({ state: 'new' }, { sort: { n: -1 }, limit: 3 }), ['s03', 's15', 's27'])
    t.same(await ids({ state: 'new' }, { sort: { n: 1, _id: -1 }, limit: 3 }), ['s48', 's36', 's24'])
    t.same(await ids({ state: { $in: ['new', 'run'] } }, { sort: { state: -1, 'to.x': -1 }, limit: 2 }), ['s58', 's55'])
    t.same(await ids({ state: 'done' }, { limit: 2 }), ['s02', 's05'])
    t.same(await ids({ state: 'done', _id: { $gt: 's05' } }, { limit: 2 }), ['s08', 's11'], 'the next page')
  })
  await t.test('the order of the filter\'s and the sort\'s keys is kept, a wrong one refused', async t => {
    t.same(await ids({ state: 'run' }, { sort: { n: 1, 'to.x': -1 }, limit: 2 }), ['s52', 's40'])
    for (const sort of [{ v: 2 }, { v: 'asc' }, { 'v"': 1 }] as unknown as Array<Record<string, 1>>) {
      await t.rejects(things.findMany({}, { sort, limit: 1 }), TypeError)
    }
  })
  await t.test('a limit is a whole number from 1 to 10,000', async t => {
    for (const limit of [0, -1, 1.5, NaN, 10_001, '5', undefined] as number[]) {
      await t.rejects(things.findMany({}, { limit }), RangeError, String(limit))
    }
  })
  await t.test('countBy counts the strings of a path, under a filter', async t => {
    t.same(await things.countBy('state', {}), { new: 20, run: 20, done: 20 })
    t.same(await things.countBy('state', { n: 0, 'to.x': { $lt: 30 } }), { new: 3, run: 3, done: 2 })
    t.same(await things.countBy('state', { n: 99 }), {})
    const all = ['', '1', 'one', 'true', 'null', '{"a":1}', '\ue000', '😀']
    t.same(await things.countBy('v', {}), Object.fromEntries(all.map(value => [value, 1])), 'no other types')
  })
  await t.test('a value that means something in JavaScript is counted like any other', async t => {
    await things.insert({ _id: 'p', v: '__proto__' })
    const counts = await things.countBy('v', { _id: 'p' })
    t.same(Object.entries(counts), [['__proto__', 1]])
  })
}
