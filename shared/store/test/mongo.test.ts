import { join } from 'node:path'
import t from 'tap'
import { engineOrSkip } from '../../testing/engines.ts'
import { startFerretDb } from '../../testing/ferretdb.ts'
import { mongoStore } from '../mongo.ts'
import { storeContract } from './contract.ts'

const engine = await engineOrSkip(t, 'ferretdb')

if (engine !== undefined) {
  const server = await startFerretDb(engine, join(t.testdir(), 'ferretdb'))
  t.teardown(server.kill)
  await storeContract(t, {
    name: 'MongoDB',
    open: async key => await mongoStore(server.url, { database: `contract-${key}` })
  })
}
