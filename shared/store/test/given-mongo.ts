/**
 * The contract of the store, all of it, against the server that MONGO_URL names:
 * `MONGO_URL=mongodb://… npm run test:store`. Its databases are new, and dropped afterwards.
 */
import { randomBytes } from 'node:crypto'
import { MongoClient } from 'mongodb'
import tap from 'tap'
import { mongoStore } from '../mongo.ts'
import { storeContract } from './contract.ts'

tap.test('the store on the MongoDB of MONGO_URL', async t => {
  const url = process.env.MONGO_URL
  if (url === undefined || url === '') throw new Error('Set MONGO_URL to the server to test, for example mongodb://127.0.0.1:27017/')
  const prefix = `viva-test-${randomBytes(4).toString('hex')}`
  const databases = new Set<string>()
  t.teardown(async () => {
    const client = new MongoClient(url)
    for (const database of databases) await client.db(database).dropDatabase()
    await client.close()
  })
  await storeContract(t, {
    name: 'the given MongoDB',
    open: async key => {
      const database = `${prefix}-${key}`
      databases.add(database)
      return await mongoStore(url, { database })
    }
  })
})
